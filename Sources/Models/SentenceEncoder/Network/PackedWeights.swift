import CKernels
import Foundation

/// The weights of linear maps, packed for the kernels of this processor in one piece of memory.
///
/// Packed once when the model is opened, 7 MB a layer of 384 components, which every batch reads completely; in large
/// pages if the system provides them, because a page of 4 kB contains only 2 to 8 rows of a matrix.
///
/// Unchecked: only `append` writes, and it is called before the object is shared.
final class PackedWeights: @unchecked Sendable {
    private static let pageSize = 2 << 20

    /// The kernels that these weights are packed for.
    let kernels: nexus_gemm_kernels
    private let memory: UnsafeMutablePointer<Float>
    private let capacity: Int
    private var count = 0

    /// Makes the memory for matrices of these shapes.
    init(shapes: [(columns: Int, terms: Int)], kernels: nexus_gemm_kernels) {
        self.kernels = kernels
        capacity = shapes.reduce(0) { $0 + nexus_gemm_packed_count($1.columns, $1.terms) }
        let bytes = (capacity * MemoryLayout<Float>.stride + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.pageSize)
        #if os(Linux)
        _ = madvise(raw, bytes, MADV_HUGEPAGE)
        #endif
        memory = raw.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }

    /// Packs a matrix of `columns` rows, one for each output, of `terms` floats after the earlier ones.
    ///
    /// Matrices with the same terms whose columns are multiples of `nexus_gemm_panel_columns` become one.
    ///
    /// - Returns: Its start; valid as long as this object.
    /// - Precondition: The memory was allocated for the shapes of all matrices.
    func append(_ weight: UnsafePointer<Float>, columns: Int, terms: Int) -> UnsafePointer<Float> {
        let start = memory + count
        count += nexus_gemm_packed_count(columns, terms)
        precondition(count <= capacity, "more weights than announced")
        kernels.pack(start, weight, columns, terms)
        return UnsafePointer(start)
    }
}
