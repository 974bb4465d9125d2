import CKernels

/// Queries as codes, laid out for the kernels, and how their products with the codes of rows become scores.
struct QueryCodes: Sendable {
    /// The queries themselves.
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

    /// A query as the kernels take it; valid inside ``withPointers(_:)``.
    struct Pointer {
        let codes: UnsafeRawPointer
        /// How products with the first plane become scores.
        let coarse: ScoreForm
        /// How products with both planes become scores.
        let fine: ScoreForm

        /// For the kernels of planes.
        var bytes: UnsafePointer<Int8> { codes.assumingMemoryBound(to: Int8.self) }
        /// For the kernels of bits.
        var bits: UnsafePointer<UInt8> { codes.assumingMemoryBound(to: UInt8.self) }
    }

    /// Calls `body` with all queries; their codes follow each other.
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
