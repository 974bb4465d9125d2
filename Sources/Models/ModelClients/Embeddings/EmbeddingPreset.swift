/// What the makers of an embedding model say about its use.
///
/// From the model cards and the configurations that come with the models. Pooling is the business of the service.
package struct EmbeddingPreset: Hashable, Sendable {
    /// The models, for people.
    package let models: String
    /// Parts of their names in lower case; one of them is in the name of such a model.
    let parts: [String]
    /// The prefix of a question; empty for none.
    package let queryPrefix: String
    /// The prefix of a passage; empty for none.
    package let passagePrefix: String
    /// The components of a vector; those in brackets are cuts that the model was trained for.
    package let dimensions: String
    /// The value of `embedding.input-type` that hosted versions want; nil for none.
    package let inputType: String?
    /// The values of `embedding.output-type` that hosted versions take, for people; nil for none.
    package let outputTypes: String?
    /// The field for the type of numbers, if the service has other fields than OpenAI's in any case.
    let requiredOutputField: OutputType.Field?

    private init(
        _ models: String, _ parts: [String], query: String = "", passage: String = "", _ dimensions: String,
        inputType: String? = nil, outputTypes: String? = nil, requiredOutputField: OutputType.Field? = nil
    ) {
        (self.outputTypes, self.requiredOutputField) = (outputTypes, requiredOutputField)
        (self.models, self.parts, queryPrefix, passagePrefix) = (models, parts, query, passage)
        (self.dimensions, self.inputType) = (dimensions, inputType)
    }

    /// Whether a model of this name is one of them.
    package func fits(_ model: String) -> Bool {
        let name = model.lowercased()
        return parts.contains { name.contains($0) }
    }

    /// Returns the preset of a model by its usual name; nil for an unknown one.
    package static func of(model: String) -> EmbeddingPreset? { all.first { $0.fits(model) } }

    private static let sentence = "Represent this sentence for searching relevant passages: "
    private static let task =
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

    /// All of them; of those that fit a name the first one counts.
    package static let all = [
        EmbeddingPreset("OpenAI text-embedding-3", ["text-embedding-3", "text-embedding-ada"], "1536 or 3072 (any)"),
        EmbeddingPreset(
            "nomic-embed-text v1.5, v2", ["nomic-embed-text"], query: "search_query: ", passage: "search_document: ",
            "768 (512, 256, 128, 64)"),
        EmbeddingPreset(
            "bge small, base, large en v1.5", ["bge-small-en", "bge-base-en", "bge-large-en"], query: sentence,
            "384, 768, 1024"),
        EmbeddingPreset("bge-m3", ["bge-m3"], "1024"),
        EmbeddingPreset("mxbai-embed-large", ["mxbai-embed-large"], query: sentence, "1024 (512, 256, 128, 64)"),
        EmbeddingPreset(
            "e5 with instructions", ["e5-large-instruct", "e5-mistral"], query: task + " ", "1024, 4096"),
        EmbeddingPreset(
            "e5 small, base, large, multilingual too", ["e5-small", "e5-base", "e5-large"], query: "query: ",
            passage: "passage: ", "384, 768, 1024", inputType: "query/passage"),
        EmbeddingPreset("gte-Qwen2 with instructions", ["gte-qwen2"], query: task + " ", "1536, 3584"),
        EmbeddingPreset(
            "gte small, base, large, multilingual, modernbert",
            ["gte-small", "gte-base", "gte-large", "gte-multilingual", "gte-modernbert"], "384, 768, 1024"),
        EmbeddingPreset(
            "snowflake-arctic-embed 2", ["arctic-embed-l-v2", "arctic-embed-m-v2", "arctic-embed2"], query: "query: ",
            "768, 1024 (256)"),
        EmbeddingPreset("snowflake-arctic-embed 1, 1.5", ["arctic-embed"], query: sentence, "384, 768, 1024"),
        EmbeddingPreset(
            "embeddinggemma", ["embeddinggemma", "embedding-gemma"], query: "task: search result | query: ",
            passage: "title: none | text: ", "768 (512, 256, 128)"),
        EmbeddingPreset("Qwen3-Embedding", ["qwen3-embedding"], query: task, "1024, 2560, 4096 (any from 32)"),
        EmbeddingPreset("jina-embeddings v2", ["jina-embeddings-v2"], "512, 768"),
        EmbeddingPreset(
            "jina-embeddings v3", ["jina-embeddings-v3"], "1024 (768, 512, 256, 128, 64, 32)",
            inputType: "task=retrieval.query/retrieval.passage",
            outputTypes: "embedding_type=binary or embedding_type=ubinary"),
        EmbeddingPreset(
            "jina-embeddings v4", ["jina-embeddings-v4"], "2048 (1024, 512, 256, 128)",
            inputType: "task=retrieval.query/retrieval.passage",
            outputTypes: "embedding_type=binary or embedding_type=ubinary"),
        EmbeddingPreset("all-MiniLM, all-mpnet, paraphrase-…", ["all-minilm", "all-mpnet", "paraphrase-"], "384, 768"),
        EmbeddingPreset(
            "Cohere embed", ["embed-english", "embed-multilingual", "embed-v4"], "384, 1024, 1536",
            inputType: "search_query/search_document",
            outputTypes: "embedding_types=int8, uint8, binary or ubinary"),
        EmbeddingPreset(
            "Voyage", ["voyage-"], "1024 (2048, 512, 256)", inputType: "query/document",
            outputTypes: "output_dtype=int8, uint8, binary or ubinary", requiredOutputField: .outputDtype),
        EmbeddingPreset(
            "Mistral codestral-embed", ["codestral-embed"], "1536 (any to 3072)",
            outputTypes: "output_dtype=int8, uint8, binary or ubinary", requiredOutputField: .outputDtype),
        EmbeddingPreset("Mistral mistral-embed", ["mistral-embed"], "1024"),
        EmbeddingPreset("NVIDIA NIM", ["nv-embed"], "1024, 2048, 4096", inputType: "query/passage"),
    ]
}
