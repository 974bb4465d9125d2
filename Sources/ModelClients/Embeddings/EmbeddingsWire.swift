import ChatCore

/// The body of a request for embeddings; what is nil is not sent.
struct EmbeddingsRequestBody: Encodable {
    let model: String
    let input: [String]
    let encodingFormat: String
    let dimensions: Int?

    private enum CodingKeys: String, CodingKey {
        case model, input, dimensions
        case encodingFormat = "encoding_format"
    }
}

/// The `usage` of a reply: missing and wrong numbers are nil.
struct ServiceUsage: Equatable {
    let promptTokens: Int?
    let completionTokens: Int?

    init(_ value: JSONValue?) {
        promptTokens = value?["prompt_tokens"]?.count
        completionTokens = value?["completion_tokens"]?.count
    }
}
