import ChatCore
import IndexCore
import VectorIndex

/// How an index differs from the store that it is derived from.
package struct IndexDiscrepancy: Hashable, Sendable {
    /// Rows that the store expects.
    package var expectedCount: Int
    /// Expected rows that are missing.
    package var missingCount: Int
    /// Expected rows that have other contents.
    package var differentCount: Int
    /// Rows that the store does not expect.
    package var surplusCount: Int

    package init(expectedCount: Int, missingCount: Int, differentCount: Int, surplusCount: Int) {
        self.expectedCount = expectedCount
        self.missingCount = missingCount
        self.differentCount = differentCount
        self.surplusCount = surplusCount
    }

    /// Whether the two agree.
    package var isNone: Bool { missingCount == 0 && differentCount == 0 && surplusCount == 0 }
}

extension LiveIndex {
    /// The greatest difference allowed between a component of a row and of the stored vector, both of length 1.
    private static let tolerance: Float = 1e-5

    /// Compares every row of the serving generation with the store.
    ///
    /// New messages are stored meanwhile. Only following waits, so that rows are counted at one position of the log.
    ///
    /// - Returns: What differs; nil before the first generation.
    /// - Throws: ``RepositoryError``.
    package func discrepancy() async throws -> IndexDiscrepancy? {
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
        // Rows that changed during the comparison are correct after this.
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
            // The index is at another change: the difference is still being followed.
            return (target.index.count, target.index.count)
        }
    }
}

extension GenerationIndex {
    /// Whether a row is the stored vector, brought to length 1.
    fileprivate func agrees(with passage: IndexedPassage, within tolerance: Float) -> Bool {
        guard let row = index.vector(of: RowKey(passage.number)), row.count == passage.vector.count else {
            return false
        }
        let length = passage.vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return zip(row, passage.vector).allSatisfy { abs($0 - Float(Double($1) / length)) <= tolerance }
    }
}
