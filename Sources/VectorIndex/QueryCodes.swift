import CKernels

/// Queries in 8 bits a component, laid out for the kernels, and how their products with codes become scores.
struct QueryCodes: Sendable {
    /// More than what the roundings of a row's length, factor and tangent, of an estimate and of a final score can
    /// come to together.
    private static let roundingSlack: Float = 1e-5

    let count: Int
    private let coarse: [nexus_score_form]
    private let fine: [nexus_score_form]
    /// Bytes of a row in one plane.
    let width: Int
    /// Bytes from one query to the next.
    let stride: Int
    private let codes: [Int8]

    init(_ queries: QueryMatrix) {
        let dimensions = queries.layout.dimensions
        let stride = Self.stride(width: queries.layout.codeWidth)
        self.stride = stride
        width = queries.layout.codeWidth
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
        // ⟨q̂, h − 7.5⟩ and ⟨q̂, c − 127.5⟩, with the factor 2 of the form.
        coarse = forms.map { Self.form($0, offset: 15) }
        fine = forms.map { Self.form($0, offset: 255) }
    }

    private static func form(_ code: nexus_query_code, offset: Int32) -> nexus_score_form {
        nexus_score_form(
            scale: code.scale, slack: code.error * 1.000_01 + roundingSlack, offset: offset * code.sum)
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
    func estimate(of product: Int32, factor: Float) -> Float {
        scale * factor * Float(2 * product - offset)
    }

    /// What a row's tangent is multiplied with to tell whether its score can reach `limit`; see `index_kernels.h`.
    func spread(at limit: Float) -> Float {
        let sine = limit > 0 ? (max(0, 1 - limit) * (1 + limit)).squareRoot() * 1.000_01 : 1
        return sine + slack
    }

    /// The interval that the score of a row certainly lies in: its angle to the query is that of its code, give or take
    /// the angle between the two.
    func interval(around estimate: Float, tangent: Float) -> (lower: Float, upper: Float) {
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        let (least, most) = (estimate * cosine - slack, estimate * cosine + slack)
        let lower = least <= -cosine ? -1 : least * cosine - (max(0, 1 - least * least)).squareRoot() * sine
        let upper = most >= cosine ? 1 : most * cosine + (max(0, 1 - most * most)).squareRoot() * sine
        return (lower - Self.rounding, upper + Self.rounding)
    }

    private static var rounding: Float { 1e-6 }
}
