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

extension ProviderPreset {
    /// The prefixes of questions and passages that a model's makers recommend, by its usual name; empty for models
    /// without prefixes and for unknown ones.
    ///
    /// From the model cards of nomic-embed-text-v1.5, bge-*-en-v1.5, mxbai-embed-large-v1, e5 and embeddinggemma.
    package static func prefixes(ofModel model: String) -> (query: String, passage: String) {
        let name = model.lowercased()
        func holds(_ words: String...) -> Bool { words.contains { name.contains($0) } }
        if holds("nomic-embed-text") { return ("search_query: ", "search_document: ") }
        if holds("bge-small-en", "bge-base-en", "bge-large-en", "mxbai-embed-large") {
            return ("Represent this sentence for searching relevant passages: ", "")
        }
        if holds("e5-small", "e5-base", "e5-large") && !holds("instruct") { return ("query: ", "passage: ") }
        if holds("embeddinggemma") { return ("task: search result | query: ", "title: none | text: ") }
        return ("", "")
    }
}
