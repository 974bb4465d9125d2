import CKernels
import IndexCore

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

    /// Visits rows with their final scores, as ``RowLayout/finalScore(_:_:)`` gives them, four at a time.
    ///
    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - query: The query's first component.
    ///   - place: Where a row lies.
    ///   - isEnough: Asked before every four rows, with the number of the first: whether the rest is left out.
    ///   - body: Takes the rows one by one, in order.
    /// - Returns: Whether all blocks that were read are what was written; the visit ends at the first that is not.
    func forEachScore(
        _ count: Int, of query: UnsafePointer<Float>, at place: (Int) -> RowPlace,
        until isEnough: (Int) -> Bool = { _ in false }, _ body: (RowPlace, Float) -> Void
    ) -> Bool {
        let byteCount = layout.dimensions * MemoryLayout<Float>.stride
        return withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { four in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { sums in
                guard let first = four.baseAddress, let out = sums.baseAddress else { return false }
                for start in stride(from: 0, to: count, by: 4) {
                    if isEnough(start) { break }
                    let end = min(start + 4, count)
                    for row in start..<end where !entries[Int(place(row).entry)].isGood(.vectors) { return false }
                    // The missing rows repeat the last, their scores are dropped.
                    for lane in 0..<4 { four[lane] = vector(place(min(start + lane, end - 1))) }
                    for row in end..<min(end + 4, count) { nexus_index_fetch(vector(place(row)), byteCount) }
                    RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
                    for row in start..<end { body(place(row), min(1, max(-1, Float(sums[row - start])))) }
                }
                return true
            }
        }
    }
}
