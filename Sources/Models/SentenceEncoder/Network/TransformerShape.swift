/// The sizes of a BERT-like network.
struct TransformerShape: Equatable, Sendable {
    /// The components of an attention head that the kernels are written for.
    private static let headWidths = [32, 64]
    /// More than any model of this kind has; a file with larger numbers is damaged.
    private static let largest = (layers: 256, width: 1 << 16)

    let vocabularyCount: Int
    let positionCount: Int
    let sentenceKindCount: Int
    let layerCount: Int
    let headCount: Int
    /// Components of a token between layers.
    let width: Int
    /// Components between the two projections of a layer's feed-forward part.
    let innerWidth: Int
    let epsilon: Float
    /// The position of a text's first token: 0, or the one after the padding's.
    var firstPosition = 0

    /// Components of an attention head.
    var headWidth: Int { width / headCount }

    /// The most tokens of a text.
    var tokenLimit: Int { positionCount - firstPosition }

    /// Whether the sizes fit each other and the kernels: heads of 32 or 64 components, and widths of whole groups of
    /// columns.
    var isSupported: Bool {
        (1...Self.largest.layers).contains(layerCount) && (1...Self.largest.width).contains(width)
            && (1...Self.largest.width).contains(innerWidth) && headCount > 0 && width % headCount == 0
            && Self.headWidths.contains(headWidth) && innerWidth % 32 == 0 && vocabularyCount > 0
            && firstPosition >= 0 && positionCount - 2 > firstPosition && sentenceKindCount > 0
            && epsilon > 0 && epsilon < 1
    }

    /// The linear maps of all layers: query, key and value together, attention's output, and the feed-forward part.
    var linearMaps: [(columns: Int, terms: Int)] {
        let layer = [(3 * width, width), (width, width), (innerWidth, width), (width, innerWidth)]
        return (0..<layerCount).flatMap { _ in layer }
    }

    /// The sizes of all-MiniLM-L6-v2.
    static let miniLM = TransformerShape(
        vocabularyCount: 30_522, positionCount: 512, sentenceKindCount: 2, layerCount: 6, headCount: 12, width: 384,
        innerWidth: 1_536, epsilon: 1e-12)
}
