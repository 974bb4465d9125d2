import CKernels

/// Queries in 8 bits a component, laid out for the kernels, and how their products with codes become scores.
struct QueryCodes: Sendable {
    /// A score computed in Float32 from exact sums, the final score and the length of a stored row are each off by less
    /// than a third of this.
    private static let roundingSlack: Float = 2e-6

    let count: Int
    private let coarse: [nexus_score_form]
    private let fine: [nexus_score_form]
    /// Bytes from one query to the next.
    let stride: Int
    private let codes: [Int8]

    init(_ queries: QueryMatrix) {
        let dimensions = queries.layout.dimensions
        let stride = Self.stride(width: queries.layout.codeWidth)
        self.stride = stride
        count = queries.count
        var forms: [nexus_query_code] = []
        codes = Array(unsafeUninitializedCapacity: queries.count * stride) { buffer, initializedCount in
            guard let base = buffer.baseAddress else { return }
            for number in 0..<queries.count {
                forms.append(
                    queries.withQuery(number) { query in
                        RowCodes.kernels.encode_query(base + number * stride, query, dimensions)
                    })
            }
            initializedCount = buffer.count
        }
        // 16 · s · (h − 7.5) and s · (c − 127.5), with the factor 2 of the form.
        coarse = forms.map { Self.form($0, factor: 8, offset: 15) }
        fine = forms.map { Self.form($0, factor: 0.5, offset: 255) }
    }

    private static func form(_ code: nexus_query_code, factor: Float, offset: Int32) -> nexus_score_form {
        nexus_score_form(
            factor: factor * code.scale, norm: code.norm, slack: code.error * 1.000_01 + roundingSlack,
            offset: offset * code.sum)
    }

    /// Bytes from one query to the next, for planes of `width` bytes a row.
    static func stride(width: Int) -> Int { 2 * nexus_index_query_part(width) }

    /// A query as the kernels take it; valid inside ``withPointers(_:)``.
    struct Pointer {
        let codes: UnsafePointer<Int8>
        /// How products with the high plane become scores.
        let coarse: nexus_score_form
        /// How products with both planes become scores.
        let fine: nexus_score_form
    }

    /// Calls `body` with all queries; their codes follow each other.
    func withPointers<Result>(_ body: ([Pointer]) -> Result) -> Result {
        codes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("no query") }
            return body(
                (0..<count).map { Pointer(codes: base + $0 * stride, coarse: coarse[$0], fine: fine[$0]) })
        }
    }
}

extension nexus_score_form {
    /// The score that a product stands for.
    func score(of product: Int32, scale: Float) -> Float {
        factor * scale * Float(2 * product - offset)
    }

    /// How far the final score may lie from it, in either direction.
    func reach(error: Float) -> Float { norm * error + slack }
}
