import Synchronization

extension CosineIndex {
    /// Whether the index holds a row of this name.
    public func contains(_ key: RowKey) -> Bool {
        locations.withLock { $0[key] != nil }
    }

    /// The stored row, which has length 1; nil when there is none, or when it lies in a damaged block.
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
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/damaged``.
    public func score(of keys: [RowKey], for query: [Float]) throws(VectorIndexError) -> [RowKey: Float] {
        let matrix = try QueryMatrix([query], layout: layout)
        let (found, snapshot) = find(keys)
        var scores: [RowKey: Float] = [:]
        try matrix.withQuery(0) { (query) throws(VectorIndexError) in
            for (key, location) in found {
                guard let storage = snapshot.storage(at: location) else { continue }
                guard storage.isGood(.vectors) else { throw .damaged }
                scores[key] = withExtendedLifetime(storage) {
                    layout.finalScore(storage.vector(at: Int(location.row)), query)
                }
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
        guard let storage = storage(at: location), storage.isGood(.vectors) else { return nil }
        return withExtendedLifetime((storage, table)) {
            Array(UnsafeBufferPointer(start: storage.vector(at: Int(location.row)), count: dimensions))
        }
    }

    /// The block that a location points into.
    func storage(at location: RowLocation) -> RowStorage? {
        guard let group = table[location.group], let index = group.blocks.index(ofSerial: location.serial) else {
            return nil
        }
        return group.blocks[index].storage
    }
}
