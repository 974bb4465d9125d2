public import IndexCore
import Synchronization

extension CosineIndex {
    /// Whether the index holds a row with this key.
    public func contains(_ key: RowKey) -> Bool {
        locations.withLock { $0[key] != nil }
    }

    /// The stored row, which has length 1; nil when there is none, or when it lies in a damaged block.
    public func vector(of key: RowKey) -> [Float]? {
        rows([key]).vector(at: 0)
    }

    /// Scores the given rows, each exactly as a search scores it.
    ///
    /// - Parameters:
    ///   - keys: The rows; unknown ones are left out of the result.
    ///   - query: As for a search.
    /// - Returns: The cosine of each row, in -1...1.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/damaged``.
    public func score(of keys: [RowKey], for query: [Float]) throws(VectorIndexError) -> [RowKey: Float] {
        let scores = try rows(keys).scores(for: query)
        return Dictionary(
            zip(keys, scores).compactMap { key, score in score.map { (key, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Looks up rows once, for several operations on them.
    ///
    /// - Complexity: O(keys · log rows).
    public func rows(_ keys: [RowKey]) -> FoundRows {
        locations.withLock { map in
            FoundRows(layout: layout, locations: keys.map { map[$0] }, snapshot: snapshot())
        }
    }

    /// Visits the key and the attributes of every row, in no particular order.
    ///
    /// - Complexity: O(rows).
    public func forEachRow(_ body: (RowKey, RowAttributes) -> Void) {
        snapshot().table.forEach { group in
            for block in group.blocks {
                for row in 0..<block.count where block.isLive(row) {
                    body(block.storage.key(at: row), block.storage.attributes(at: row))
                }
            }
        }
    }
}

/// Rows of an index at one moment, in the order of the requested keys.
public struct FoundRows: Sendable {
    let layout: RowLayout
    /// Nil for unknown keys.
    let locations: [RowLocation?]
    let snapshot: CosineIndex.Snapshot

    /// Scores the rows, each exactly as a search scores it.
    ///
    /// - Parameter query: As for a search.
    /// - Returns: The cosine of each row, in -1...1; nil for unknown ones.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/damaged``.
    public func scores(for query: [Float]) throws(VectorIndexError) -> [Float?] {
        let matrix = try QueryMatrix([query], layout: layout)
        var scores = [Float?](repeating: nil, count: locations.count)
        try matrix.withQuery(0) { (query) throws(VectorIndexError) in
            for (place, location) in locations.enumerated() {
                guard let location, let storage = snapshot.storage(at: location) else { continue }
                guard storage.isGood(.vectors) else { throw .damaged }
                scores[place] = withExtendedLifetime(storage) {
                    layout.finalScore(storage.vector(at: Int(location.row)), query)
                }
            }
        }
        return scores
    }

    /// The attributes of the rows; nil for unknown ones.
    public func attributes() -> [RowAttributes?] {
        locations.map { location in
            location.flatMap { snapshot.storage(at: $0)?.attributes(at: Int($0.row)) }
        }
    }

    /// The lengths of sums of rows; the cosine of a mean follows from its rows' cosines and this length.
    ///
    /// - Parameter sets: The rows of each sum, by their places among the keys.
    /// - Returns: One length for each set; nil if one of its rows is unknown or lies in a damaged block.
    public func lengths(ofSums sets: [[Int]]) -> [Double?] {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: layout.dimensions) { sum in
            sets.map { places in
                sum.initialize(repeating: 0)
                for place in places {
                    guard let location = locations[place], let storage = snapshot.storage(at: location),
                        storage.isGood(.vectors)
                    else { return nil }
                    withExtendedLifetime(storage) {
                        let row = storage.vector(at: Int(location.row))
                        for component in sum.indices { sum[component] += row[component] }
                    }
                }
                let sum = UnsafeBufferPointer(sum)
                return preciseDot(sum, sum).squareRoot()
            }
        }
    }

    /// A stored row; nil when it is unknown, or lies in a damaged block.
    func vector(at place: Int) -> [Float]? {
        guard let location = locations[place], let storage = snapshot.storage(at: location), storage.isGood(.vectors)
        else { return nil }
        return withExtendedLifetime((storage, snapshot)) {
            Array(UnsafeBufferPointer(start: storage.vector(at: Int(location.row)), count: layout.dimensions))
        }
    }
}

extension CosineIndex.Snapshot {
    /// The storage of a location's block; nil when the snapshot has no such block.
    func storage(at location: RowLocation) -> RowStorage? {
        guard let group = table[location.group], let index = group.blocks.index(ofSerial: location.serial) else {
            return nil
        }
        return group.blocks[index].storage
    }
}
