import CKernels

/// Queries of length 1 in one matrix, row-major with the stride of the layout.
struct QueryMatrix: Sendable {
    let layout: RowLayout
    let count: Int
    private let components: [Float]

    /// Checks and normalises the queries; throws the errors of ``RowLayout/unitScale(of:)``.
    init(_ queries: some Collection<[Float]>, layout: RowLayout) throws(VectorIndexError) {
        var components = [Float](repeating: 0, count: queries.count * layout.stride)
        var start = 0
        for query in queries {
            let scale = try layout.unitScale(of: query)
            for component in 0..<layout.dimensions {
                components[start + component] = Float(Double(query[component]) * scale)
            }
            start += layout.stride
        }
        self.layout = layout
        self.count = queries.count
        self.components = components
    }

    private init(layout: RowLayout, components: [Float]) {
        self.layout = layout
        self.count = 1
        self.components = components
    }

    /// A matrix of one of the queries.
    func only(_ number: Int) -> QueryMatrix {
        let start = number * layout.stride
        return QueryMatrix(layout: layout, components: Array(components[start..<start + layout.stride]))
    }

    /// Calls `body` with the first component of a query.
    func withQuery<Result, Failure: Error>(
        _ number: Int, _ body: (UnsafePointer<Float>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try components.withUnsafeBufferPointer { (buffer) throws(Failure) in
            guard let base = buffer.baseAddress else { preconditionFailure("no query") }
            return try body(base + number * layout.stride)
        }
    }
}

/// Queries as codes, laid out for the kernels, with the formulas that turn products into scores.
struct QueryCodes: Sendable {
    /// The queries as vectors.
    let matrix: QueryMatrix
    /// Bytes of a row in one plane.
    let width: Int
    /// Bytes from one query to the next.
    let stride: Int
    private let coarse: [ScoreForm]
    private let fine: [ScoreForm]
    private let codes: [UInt8]

    var count: Int { matrix.count }
    var form: IndexForm { matrix.layout.form }

    init(_ queries: QueryMatrix) {
        matrix = queries
        width = queries.layout.codeWidth
        switch queries.layout.form {
        case .exact:
            stride = 2 * nexus_index_query_part(width)
            let encoded = Self.encode(queries, stride: stride) { target, query, dimensions in
                RowCodes.kernels.encode_query(target.assumingMemoryBound(to: Int8.self), query, dimensions)
            }
            codes = encoded.codes
            // ⟨q̂, h − 7.5⟩ and ⟨q̂, c − 127.5⟩.
            coarse = encoded.forms.map { ScoreForm($0, centre: 15) }
            fine = encoded.forms.map { ScoreForm($0, centre: 255) }
        case .compact:
            stride = nexus_bit_query_size(width)
            let encoded = Self.encode(queries, stride: stride) { target, query, dimensions in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: dimensions) { rotated in
                    // There is at least one component.
                    let turned = rotated.baseAddress.unsafelyUnwrapped
                    RowCodes.kernels.rotate(turned, query, dimensions)
                    let bytes = target.assumingMemoryBound(to: UInt8.self)
                    return RowCodes.kernels.encode_bit_query(bytes, turned, dimensions)
                }
            }
            codes = encoded.codes
            coarse = encoded.forms.map { ScoreForm($0, dimensions: queries.layout.dimensions) }
            fine = coarse
        }
    }

    private static func encode<Form>(
        _ queries: QueryMatrix, stride: Int,
        by encode: (_ target: UnsafeMutableRawPointer, _ query: UnsafePointer<Float>, _ dimensions: Int) -> Form
    ) -> (codes: [UInt8], forms: [Form]) {
        var forms: [Form] = []
        let codes = [UInt8](unsafeUninitializedCapacity: queries.count * stride) { buffer, initializedCount in
            guard let base = buffer.baseAddress else { return }
            for number in 0..<queries.count {
                let target = UnsafeMutableRawPointer(base + number * stride)
                forms.append(queries.withQuery(number) { encode(target, $0, queries.layout.dimensions) })
            }
            initializedCount = buffer.count
        }
        return (codes, forms)
    }

    /// A query in the form that kernels read; valid inside ``withPointers(_:)``.
    struct Pointer {
        let codes: UnsafeRawPointer
        /// Turns products with the first plane into scores.
        let coarse: ScoreForm
        /// Turns products with both planes into scores.
        let fine: ScoreForm

        /// For the kernels of planes.
        var bytes: UnsafePointer<Int8> { codes.assumingMemoryBound(to: Int8.self) }
        /// For the kernels of bits.
        var bits: UnsafePointer<UInt8> { codes.assumingMemoryBound(to: UInt8.self) }
    }

    /// Calls `body` with all queries; their codes are contiguous.
    func withPointers<Result, Failure: Error>(
        _ body: ([Pointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try codes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            guard let base = UnsafeRawPointer(buffer.baseAddress) else { preconditionFailure("no query") }
            return try body(
                (0..<count).map { Pointer(codes: base + $0 * stride, coarse: coarse[$0], fine: fine[$0]) })
        }
    }
}

/// Turns the products of one query with codes into estimates of scores, and bounds their errors.
struct ScoreForm: Sendable {
    /// More than the sum of all rounding errors: of a row's length, factor and tangent, of an estimate and of a final
    /// score.
    private static let roundingSlack: Float = 1e-5
    /// The largest error of an estimate by bits that is expected, in standard deviations.
    private static let trustedDeviations: Float = 3

    let kernel: nexus_score_form
    private let error: Error

    private enum Error {
        /// Certain: by the triangle inequality of angles.
        case bound
        /// Likely: the squares of two factors of the tangent; the part `row` shrinks as the score grows.
        case deviations(row: Float, query: Float)
    }

    /// For codes of one or two planes; `centre` is twice the number that is subtracted from a component's code.
    init(_ code: nexus_query_code, centre: Int32) {
        kernel = nexus_score_form(
            scale: code.scale, slack: code.error * 1.000_01 + Self.roundingSlack, offset: centre * code.sum)
        error = .bound
    }

    /// For bits of rows of `dimensions` components.
    init(_ code: nexus_bit_query, dimensions: Int) {
        kernel = nexus_score_form(scale: code.scale, slack: Self.roundingSlack, offset: code.sum)
        let square = Self.trustedDeviations * Self.trustedDeviations
        // The query's own error counts 1 + tangent² times; the tangents of rotated rows are all near 3/4.
        let query = code.error * code.error / Float(dimensions) * (1 + 16.0 / 9)
        error = .deviations(row: square / Float(max(1, dimensions - 1)), query: square * query)
    }

    /// The score estimated from a product.
    func estimate(of product: Int32, factor: Float) -> Float {
        kernel.scale * factor * Float(2 * product - kernel.offset)
    }

    /// The factor of a row's tangent in the test whether its score can reach `limit`.
    func spread(at limit: Float) -> Float {
        // The squared sine of the angle of the limit; see `index_kernels.h` for negative limits.
        let square = limit > 0 ? max(0, 1 - limit) * (1 + limit) : 1
        switch error {
        case .bound: return square.squareRoot() * 1.000_01 + kernel.slack
        case .deviations(let row, let query): return (square * row + query).squareRoot()
        }
    }

    /// The interval that certainly contains the score of a row, by both planes: its angle to the query differs from
    /// that of its code by at most the angle between row and code.
    func interval(around estimate: Float, tangent: Float) -> (lower: Float, upper: Float) {
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        let (least, most) = (estimate * cosine - kernel.slack, estimate * cosine + kernel.slack)
        let lower = least <= -cosine ? -1 : least * cosine - (max(0, 1 - least * least)).squareRoot() * sine
        let upper = most >= cosine ? 1 : most * cosine + (max(0, 1 - most * most)).squareRoot() * sine
        return (lower - Self.rounding, upper + Self.rounding)
    }

    private static var rounding: Float { 1e-6 }
}
