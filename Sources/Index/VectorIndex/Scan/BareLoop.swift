import CKernels
import Synchronization

/// The lowest possible cost of a pass over codes on a machine.
///
/// It runs the kernel over codes in one piece of memory, without scores, candidates or groups. A benchmark compares
/// searches with it.
package final class BareLoop: Sendable {
    private static let rowsPerCall = 512
    private let planes: [UInt8]
    private let query: [Int8]
    private let rowCount: Int
    private let width: Int
    private let next = Atomic(0)
    private let pool: ThreadPool

    /// Makes codes of `rowCount` rows, to be read by `threadCount` threads.
    package init(rowCount: Int, dimensions: Int, threadCount: Int) {
        self.rowCount = rowCount
        pool = ThreadPool(threadCount: threadCount - 1)
        width = (dimensions + 1) / 2
        planes = Array(repeating: 0x53, count: 2 * rowCount * width)
        query = Array(repeating: 3, count: 2 * nexus_index_query_part(width))
    }

    /// Multiplies one query with one plane of every row, or with both; not to be called from several threads at once.
    package func run(planeCount: Int) {
        next.store(0, ordering: .relaxed)
        pool.crew.share({ [self] in read(rowCount * planeCount) }, helperCount: pool.crew.threadCount) {
            read(rowCount * planeCount)
        }
    }

    private func read(_ total: Int) {
        var products = [Int32](repeating: 0, count: Self.rowsPerCall)
        let ahead = nexus_index_rows_ahead(width) + 4
        let rows = UnsafeMutablePointer<UnsafePointer<UInt8>>.allocate(capacity: Self.rowsPerCall + ahead)
        defer { rows.deallocate() }
        planes.withUnsafeBufferPointer { planes in
            guard let base = planes.baseAddress else { return }
            while true {
                let start = next.add(Self.rowsPerCall, ordering: .relaxed).oldValue
                guard start < total else { return }
                let available = min(Self.rowsPerCall + ahead, total - start)
                for row in 0..<available { rows[row] = base + (start + row) * width }
                RowCodes.kernels.row_dots(
                    &products, rows, min(Self.rowsPerCall, available), available, width, query)
            }
        }
    }
}
