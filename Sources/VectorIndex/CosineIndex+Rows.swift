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

    /// The attributes of rows; unknown ones are left out of the result.
    public func attributes(of keys: [RowKey]) -> [RowKey: RowAttributes] {
        let (found, snapshot) = find(keys)
        var attributes: [RowKey: RowAttributes] = [:]
        attributes.reserveCapacity(found.count)
        for (key, location) in found {
            attributes[key] = snapshot.storage(at: location)?.attributes(at: Int(location.row))
        }
        return attributes
    }

    /// The lengths of sums of rows, by which the cosine of their mean follows from theirs.
    ///
    /// - Parameter sets: The keys of the rows of each sum.
    /// - Returns: One length a set; nil where one of its rows is unknown or lies in a damaged block.
    public func lengths(ofSums sets: [[RowKey]]) -> [Double?] {
        let (found, snapshot) = find(sets.flatMap { $0 })
        let locations = Dictionary(found.map { ($0.key, $0.location) }, uniquingKeysWith: { first, _ in first })
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: dimensions) { sum in
            sets.map { keys in
                sum.initialize(repeating: 0)
                for key in keys {
                    guard let location = locations[key], let storage = snapshot.storage(at: location),
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

    /// Visits the name and the attributes of every row, in an order of its own.
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
