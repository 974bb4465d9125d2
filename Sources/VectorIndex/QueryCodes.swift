import CKernels

/// Queries in 8 bits a component, laid out for the kernels, and how their products with codes become scores.
struct QueryCodes: Sendable {
    /// A score computed in Float32 from exact sums, the final score and the length of a stored row are each off by less
    /// than a third of this.
    private static let roundingSlack = 2e-6

    let count: Int
    private let coarse: [nexus_score_form]
    private let fine: [nexus_score_form]
    /// Bytes from one query to the next.
    let stride: Int
    private let codes: [Int8]

    init(_ queries: QueryMatrix) {
        let layout = queries.layout
        stride = Self.stride(width: layout.codeWidth)
        let part = stride / 2
        count = queries.count
        var codes = [Int8](repeating: 0, count: queries.count * stride)
        var coarse: [nexus_score_form] = []
        var fine: [nexus_score_form] = []
        for number in 0..<queries.count {
            let encoding = queries.withQuery(number) { query in
                codes.withUnsafeMutableBufferPointer { codes in
                    let first = codes[(number * 2 * part)...]
                    return Encoding(
                        UnsafeBufferPointer(start: query, count: layout.dimensions), first, width: layout.codeWidth,
                        part: part)
                }
            }
            // 16 · s · (h − 7.5) and s · (c − 127.5), with the factor 2 of the form.
            coarse.append(encoding.form(factor: 8, offset: 15))
            fine.append(encoding.form(factor: 0.5, offset: 255))
        }
        self.codes = codes
        self.coarse = coarse
        self.fine = fine
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

    /// What encoding one query yields.
    private struct Encoding {
        private let scale: Float
        /// Length of the encoded query.
        private let norm: Double
        /// Length of what encoding left out.
        private let error: Double
        private let sum: Int

        init(
            _ query: UnsafeBufferPointer<Float>, _ codes: Slice<UnsafeMutableBufferPointer<Int8>>, width: Int, part: Int
        ) {
            var codes = codes
            let largest = query.reduce(0) { max($0, abs($1)) }
            scale = largest / 127
            let inverse = 127 / largest
            var (sum, square, difference) = (0, 0.0, 0.0)
            for (component, value) in query.enumerated() {
                // Cut off after adding a half: `rounded()` would be a call of the C library.
                let code = max(-127, min(127, Int32(value * inverse + (value < 0 ? -0.5 : 0.5))))
                codes[codes.startIndex + (component < width ? component : component - width + part)] = Int8(code)
                sum += Int(code)
                let encoded = Double(scale) * Double(code)
                square += encoded * encoded
                difference += (Double(value) - encoded) * (Double(value) - encoded)
            }
            self.sum = sum
            norm = square.squareRoot()
            error = difference.squareRoot()
        }

        func form(factor: Float, offset: Int) -> nexus_score_form {
            nexus_score_form(
                factor: factor * scale, norm: Float(norm * 1.000_001),
                slack: Float(error * 1.000_01 + QueryCodes.roundingSlack), offset: Int32(offset * sum))
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
