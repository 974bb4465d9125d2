/// Knows the embedders of a data folder: the one that is configured, and those whose vectors are stored.
public protocol EmbedderSource: Sendable {
    /// What new generations are made with.
    var configured: any Embedder { get }

    /// The address of the configured embedder's service; nil for the built-in encoder.
    var configuredBaseURL: String? { get }

    /// Whether the configured embedder's service is asked for its dimensions.
    var configuredRequestsDimensions: Bool { get }

    /// Returns the embedder that makes vectors of a generation's space.
    ///
    /// - Parameter generation: One that is not retired.
    /// - Returns: An embedder; asking again for the same generation is cheap.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` when its service cannot be reached with what is
    ///   configured, for want of a key for instance.
    func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder

    /// Returns what gives vectors of tokens beside those of a generation; nil when its model cannot.
    func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)?
}

extension EmbedderSource {
    /// Services give the dimensions that their model has.
    public var configuredRequestsDimensions: Bool { false }

    /// The embedder itself, if it can.
    public func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await embedder(for: generation) as? any TokenEncoder
    }
}
