/// The known defaults of a provider of models.
package struct ProviderPreset: Hashable, Sendable {
    /// The kind of provider in an embedding space: `openai` or `compatible`.
    package let kind: String
    /// The base URL.
    package let baseURL: String
    /// The embedding model unless another is configured; nil: one must be.
    package let embeddingModel: String?
    /// The dimensions of ``embeddingModel``, and of no other; nil: the service is asked.
    package let embeddingDimensions: Int?
    /// The language model unless another is configured; nil: one must be.
    package let chatModel: String?
    /// The environment variable with the key; nil if none is needed.
    package let keyVariable: String?

    /// OpenAI itself.
    package static let openAI = ProviderPreset(
        kind: "openai", baseURL: "https://api.openai.com/v1", embeddingModel: "text-embedding-3-small",
        embeddingDimensions: 1536, chatModel: "gpt-4o-mini", keyVariable: "OPENAI_API_KEY")

    /// Ollama on this machine.
    package static let ollama = ProviderPreset(
        kind: "compatible", baseURL: "http://127.0.0.1:11434/v1", embeddingModel: "nomic-embed-text",
        embeddingDimensions: nil, chatModel: "llama3.2", keyVariable: nil)

    /// Any other server that speaks OpenAI's API; its models must be configured.
    package static func compatible(baseURL: String) -> ProviderPreset {
        ProviderPreset(
            kind: "compatible", baseURL: baseURL, embeddingModel: nil, embeddingDimensions: nil, chatModel: nil,
            keyVariable: nil)
    }

    /// Returns the preset called `openai` or `ollama`; nil for any other name.
    package static func named(_ name: String) -> ProviderPreset? {
        switch name {
        case "openai": .openAI
        case "ollama": .ollama
        default: nil
        }
    }
}
