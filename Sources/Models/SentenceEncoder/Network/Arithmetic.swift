import CKernels

/// The instructions that linear maps are computed with, poorest first.
package enum Arithmetic: UInt32, CaseIterable, Sendable {
    case portable, avx2, avx512
    /// Products of split bfloat16, summed in floats.
    case amx

    /// The richest one that this processor has.
    package static let best = allCases.last { $0.isAvailable } ?? .portable

    /// Whether this build and this processor have it.
    package var isAvailable: Bool { found != nil }

    /// The kernels.
    ///
    /// - Precondition: ``isAvailable``.
    var kernels: nexus_gemm_kernels {
        guard let found else { preconditionFailure("the processor does not have this arithmetic") }
        return found.pointee
    }

    private var found: UnsafePointer<nexus_gemm_kernels>? {
        nexus_gemm_variant(rawValue: rawValue).flatMap { nexus_gemm_kernels_for($0) }
    }
}
