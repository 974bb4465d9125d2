import CBLAS

/// The only calls of BLAS in this module.
package enum MatrixProducts {
    /// Sets the threads of one BLAS call for the whole process; false when the loaded BLAS has no such switch.
    @discardableResult
    package static func setThreadCount(_ count: Int) -> Bool {
        nexus_blas_set_thread_count(Int32(count)) == 1
    }

    /// Version and kernel of the loaded BLAS, nil when it does not tell.
    package static var libraryDescription: String? {
        nexus_blas_description().map { String(cString: $0) }
    }

    /// Multiplies rows with queries: `scores[q * rowCount + r]` becomes the dot product of query *q* and row *r*.
    ///
    /// - Precondition: `scores` holds finite numbers (some libraries multiply them by zero first).
    package static func multiply(
        rows: UnsafePointer<Float>, rowCount: Int, queries: UnsafePointer<Float>, queryCount: Int,
        dimensions: Int, stride: Int, scores: UnsafeMutablePointer<Float>
    ) {
        let (rowTotal, queryTotal) = (Int32(rowCount), Int32(queryCount))
        let (width, step) = (Int32(dimensions), Int32(stride))
        if queryCount == 1 {
            cblas_sgemv(CblasRowMajor, CblasNoTrans, rowTotal, width, 1, rows, step, queries, 1, 0, scores, 1)
        } else {
            cblas_sgemm(
                CblasRowMajor, CblasNoTrans, CblasTrans, queryTotal, rowTotal, width,
                1, queries, step, rows, step, 0, scores, rowTotal)
        }
    }
}
