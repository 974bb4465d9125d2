/// Queries of length 1 in one matrix, row-major with the stride of the layout.
struct QueryMatrix: Sendable {
    let layout: RowLayout
    let count: Int
    private let components: [Float]

    /// Checks and normalises the queries; throws what ``RowLayout/unitScale(of:)`` throws.
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
