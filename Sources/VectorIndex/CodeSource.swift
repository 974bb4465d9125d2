import CKernels

/// The blocks that a worker reads.
struct CodeSource {
    let entries: UnsafeBufferPointer<BlockEntry>
    let layout: RowLayout
    let predicate: RowPredicate?

    /// Whether a row may be found.
    func isVisible(_ place: RowPlace) -> Bool { entries[Int(place.entry)].isVisible(Int(place.row), predicate) }

    /// The codes of a row's block.
    func codes(_ place: RowPlace) -> RowCodes { entries[Int(place.entry)].codes }

    /// The first component of a row.
    func vector(_ place: RowPlace) -> UnsafePointer<Float> {
        entries[Int(place.entry)].vectors + Int(place.row) * layout.stride
    }

    /// Visits rows with their final scores, as ``RowLayout/finalScore(_:_:)`` gives them, until one is damaged.
    ///
    /// - Returns: Whether all blocks that were read are what was written.
    func forEachScore(
        _ rows: some RandomAccessCollection<PendingRow>, of query: UnsafePointer<Float>,
        _ body: (RowPlace, Float) -> Void
    ) -> Bool {
        let byteCount = layout.dimensions * MemoryLayout<Float>.stride
        return withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { four in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { sums in
                guard let first = four.baseAddress, let out = sums.baseAddress else { return false }
                var rest = rows[...]
                while let last = rest.prefix(4).last {
                    let places = rest.prefix(4)
                    guard places.allSatisfy({ entries[Int($0.place.entry)].isGood(.vectors) }) else { return false }
                    for row in rest.dropFirst(4).prefix(4) { nexus_index_fetch(vector(row.place), byteCount) }
                    four.initialize(repeating: vector(last.place))
                    for (position, row) in places.enumerated() { four[position] = vector(row.place) }
                    RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
                    for (position, row) in places.enumerated() {
                        body(row.place, min(1, max(-1, Float(sums[position]))))
                    }
                    rest = rest.dropFirst(4)
                }
                return true
            }
        }
    }
}
