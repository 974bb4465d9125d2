import ChatCore
import IndexCore
import VectorIndex

/// How an index differs from the store that it is derived from.
public struct IndexDiscrepancy: Hashable, Sendable {
    /// Rows that there should be.
    public var expectedCount: Int
    /// Of those, the ones that are not there.
    public var missingCount: Int
    /// Of those, the ones that are there with other contents.
    public var differentCount: Int
    /// Rows that should not be there.
    public var surplusCount: Int

    public init(expectedCount: Int, missingCount: Int, differentCount: Int, surplusCount: Int) {
        self.expectedCount = expectedCount
        self.missingCount = missingCount
        self.differentCount = differentCount
        self.surplusCount = surplusCount
    }

    /// Whether the two agree.
    public var isNone: Bool { missingCount == 0 && differentCount == 0 && surplusCount == 0 }
}

extension LiveIndex {
    /// The most that a component of a row may differ from that of the stored vector brought to length 1.
    private static let tolerance: Float = 1e-5

    /// Compares every row of the serving generation with the store.
    ///
    /// New messages are taken in meanwhile, only following waits: a row is compared as it was at one change.
    ///
    /// - Returns: What differs; nil before the first generation.
    /// - Throws: ``RepositoryError``.
    public func discrepancy() async throws -> IndexDiscrepancy? {
        try await follow()
        guard let serving else { return nil }
        var suspects: [PassageNumber] = []
        var last = PassageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedPassages(
                of: serving.generation.number, after: last, limit: GenerationReader.pageSize)
            guard let end = page.last else { break }
            suspects += page.filter { !serving.agrees(with: $0, within: Self.tolerance) }.map(\.number)
            last = end.number
        }
        // What came or went meanwhile is right once it was followed.
        try await follow()
        let stored = try await store.indexedPassages(suspects, of: serving.generation.number)
        let wrong = stored.filter { !serving.agrees(with: $0, within: Self.tolerance) }
        let missing = wrong.filter { !serving.index.contains(RowKey($0.number)) }
        let (expected, present) = try await counts(of: serving)
        return IndexDiscrepancy(
            expectedCount: expected, missingCount: missing.count, differentCount: wrong.count - missing.count,
            surplusCount: max(0, present - expected + missing.count))
    }

    /// Counts the rows of the store and of the index at the same change.
    private func counts(of target: GenerationIndex) async throws -> (stored: Int, present: Int) {
        try await lifecycle.rowLock.run {
            let census = try await store.census(of: target.generation.number)
            guard followed?.reaches(census.cursor) != true else { return (census.count, target.index.count) }
            // Passed by: the rows are counted as they are, the difference is what is being followed.
            return (target.index.count, target.index.count)
        }
    }
}

extension GenerationIndex {
    /// Whether a row is the stored vector, but for its length.
    fileprivate func agrees(with passage: IndexedPassage, within tolerance: Float) -> Bool {
        guard let row = index.vector(of: RowKey(passage.number)), row.count == passage.vector.count else {
            return false
        }
        let length = passage.vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return zip(row, passage.vector).allSatisfy { abs($0 - Float(Double($1) / length)) <= tolerance }
    }
}
