/// The sizes of all-MiniLM-L6-v2.
enum MiniLMShape {
    static let vocabularyCount = 30_522
    static let positionCount = 512
    static let layerCount = 6
    static let headCount = 12
    /// Components of a token between layers.
    static let width = 384
    /// Components between the two projections of a layer's feed-forward part.
    static let innerWidth = 1_536
    static let epsilon: Float = 1e-12
}
