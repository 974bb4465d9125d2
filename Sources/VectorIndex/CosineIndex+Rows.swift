import Synchronization

extension CosineIndex {
    /// Whether the index holds a row of this name.
    public func contains(_ key: RowKey) -> Bool {
        locations.withLock { $0[key] != nil }
    }

    /// The stored row, which has length 1; nil when there is none.
    public func vector(of key: RowKey) -> [Float]? {
        let (found, snapshot) = find([key])
        return found.first.flatMap { snapshot.row(at: $0.location) }
    }

    /// Scores given rows, each exactly as a search scores it.
    ///
    /// - Parameters:
    ///   - keys: The rows; unknown ones are left out of the result.
    ///   - query: As for a search.
    /// - Returns: The cosine of each row, in -1...1.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``.
    public func score(of keys: [RowKey], for query: [Float]) throws(VectorIndexError) -> [RowKey: Float] {
        let matrix = try QueryMatrix([query], layout: layout)
        let (found, snapshot) = find(keys)
        var scores: [RowKey: Float] = [:]
        matrix.withQuery(0) { query in
            for (key, location) in found {
                scores[key] = snapshot.withRow(at: location) { layout.finalScore($0, query) }
            }
        }
        return scores
    }

    /// Where rows lie, with the snapshot that the locations belong to.
    private func find(_ keys: [RowKey]) -> (found: [(key: RowKey, location: RowLocation)], snapshot: Snapshot) {
        locations.withLock { map in
            (keys.compactMap { key in map[key].map { (key, $0) } }, snapshot())
        }
    }
}

extension CosineIndex.Snapshot {
    fileprivate func row(at location: RowLocation) -> [Float]? {
        withRow(at: location) { Array(UnsafeBufferPointer(start: $0, count: dimensions)) }
    }

    fileprivate func withRow<Result>(
        at location: RowLocation, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result? {
        guard let group = table[location.group], let index = group.blocks.index(ofSerial: location.serial) else {
            return nil
        }
        let storage = group.blocks[index].storage
        return withExtendedLifetime(storage) { body(storage.vector(at: Int(location.row))) }
    }
}
