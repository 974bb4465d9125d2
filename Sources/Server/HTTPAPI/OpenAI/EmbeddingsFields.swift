import ChatCore

/// The body of `POST /v1/embeddings`.
struct EmbeddingsFields {
    /// The format of vectors.
    enum Format: String, CaseIterable {
        case float
        /// Float32, little-endian.
        case base64
    }

    /// The most texts of one request.
    static let inputLimit = 2_048

    let model: String
    let texts: [String]
    let format: Format
    let dimensions: Int?
    /// An extension, `input_type`: many models embed questions and passages differently.
    let purpose: EmbeddingPurpose

    init(_ body: JSONField) throws(FieldError) {
        let body = try body.object()
        model = try body["model"].string()
        texts = try Self.texts(body["input"])
        format = try body["encoding_format"].optionalWord() ?? .float
        dimensions = try body["dimensions"].optionalInteger(in: 1...65_536)
        switch try body["input_type"].optionalString() {
        case nil, "passage": purpose = .passage
        case "query": purpose = .query
        default: throw body["input_type"].error("must be one of query, passage")
        }
    }

    private static func texts(_ input: JSONField) throws(FieldError) -> [String] {
        guard case .array = input.value else { return [try text(input)] }
        let items = try input.optionalArray(atMost: inputLimit) ?? []
        guard !items.isEmpty else { throw input.error("must have one item or more") }
        var texts: [String] = []
        for item in items { texts.append(try text(item)) }
        return texts
    }

    private static func text(_ field: JSONField) throws(FieldError) -> String {
        switch field.value {
        case .integer, .double, .array:
            throw field.error(
                "must be a string: token numbers belong to another model's tokenizer; send texts, with LangChain's "
                    + "OpenAIEmbeddings set check_embedding_ctx_length=False")
        default: break
        }
        let text = try field.string()
        guard text.contains(where: { !$0.isWhitespace }) else { throw field.error("must not be empty") }
        return text
    }
}
