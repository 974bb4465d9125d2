import Assistant
import ChatCore
import Retrieval

/// Requests and responses of the routes for OpenAI clients.
extension JSONSchema {
    static let openAIProblem = closed(
        .always(
            "error",
            closed(
                .always("message", string), .always("type", string), .always("param", anyOf(string, null)),
                .always("code", string)))
    ).named("OpenAIError").described("An error in OpenAI's format.")

    static let model = closed(
        .always("id", string), .always("object", word(["model"])), .always("created", integer),
        .always("owned_by", string)
    ).named("Model")

    static let models = closed(.always("object", word(["list"])), .always("data", array(of: model))).named("Models")

    private static let contentPart = open(.always("type", word(["text"])), .always("text", string))

    private static let chatMessage = open(
        .always("role", word(["system", "developer", "user", "assistant"])),
        .maybe("content", anyOf(string, array(of: contentPart), null))
    ).named("ChatCompletionMessage")

    static let newChatCompletion = open(
        .always("model", word([ChatFields.model])),
        .always("messages", array(of: chatMessage).described("The last one is the question, of the role user.")),
        .maybe("stream", flag), .maybe("stream_options", open(.maybe("include_usage", flag))), .maybe("user", string),
        .maybe("search", searchChoice), .maybe("userId", string),
        .maybe("response_format", any.described("Of a prompt of the program itself: its form.")),
        .maybe("tools", unsupportedList), .maybe("functions", unsupportedList), .maybe("n", integer(1...1)),
        .maybe("logprobs", flag), .maybe("modalities", array(of: word(["text"])))
    ).adding(filters).named("NewChatCompletion")

    /// A list that must be empty.
    static let unsupportedList = array(of: any, atMost: 0)

    static let searchChoice = flag.described(
        "False for a prompt of the program itself, as for a title: nothing is searched or stored. True for a question of a "
            + "person. Without it, the server recognises such prompts.")

    private static let annotation = closed(
        .always("type", word(["url_citation"])),
        .always(
            "url_citation",
            closed(
                .always("url", string.described("nexus://… if the message has no link.")), .always("title", string),
                .always("start_index", integer(atLeast: 0)), .always("end_index", integer(atLeast: 0)),
                .maybe("support", support), .maybe("score", number)))
    ).named("ChatAnnotation")

    static func chatCompletion(sources: JSONSchema, citations: JSONSchema) -> JSONSchema {
        let message = closed(
            .always("role", word(["assistant"])), .always("content", string), .always("sources", sources),
            .always("citations", citations), .always("annotations", array(of: annotation))
        ).named("ChatCompletionReply")
        let choice = closed(
            .always("index", integer), .always("message", message), .always("logprobs", anyOf(map(of: any), null)),
            .always("finish_reason", word(["stop", "length", "content_filter"])))
        return closed(
            .always("id", string), .always("object", word(["chat.completion"])), .always("created", integer),
            .always("model", string), .always("choices", array(of: choice)), .always("usage", chatUsage)
        ).named("ChatCompletion")
    }

    /// A chunk of a streamed answer.
    static let chatChunk: JSONSchema = {
        let delta = closed(
            .maybe("role", word(["assistant"])), .maybe("content", string), .maybe("sources", array(of: source)),
            .maybe("citations", array(of: citation)), .maybe("annotations", array(of: annotation)))
        let choice = closed(
            .always("index", integer), .always("delta", delta), .always("logprobs", anyOf(map(of: any), null)),
            .always("finish_reason", anyOf(word(["stop", "length", "content_filter"]), null)))
        return closed(
            .always("id", string), .always("object", word(["chat.completion.chunk"])), .always("created", integer),
            .always("model", string), .always("choices", array(of: choice)), .maybe("usage", anyOf(chatUsage, null))
        ).named("ChatCompletionChunk")
    }()

    private static let chatUsage = closed(
        .always("prompt_tokens", integer), .always("completion_tokens", integer), .always("total_tokens", integer)
    ).named("ChatUsage")

    private static let embeddingInput = text(1...Message.textByteLimit)

    static let newEmbeddings = open(
        .always("model", string),
        .always("input", anyOf(embeddingInput, array(of: embeddingInput, atMost: EmbeddingsFields.inputLimit))),
        .maybe("encoding_format", word(EmbeddingsFields.Format.self)), .maybe("dimensions", integer(1...65_536)),
        .maybe("input_type", word(["query", "passage"])), .maybe("user", string), .maybe("userId", string)
    ).named("NewEmbeddings")

    static let embeddings = closed(
        .always("object", word(["list"])),
        .always(
            "data",
            array(
                of: closed(
                    .always("object", word(["embedding"])), .always("index", integer),
                    .always("embedding", anyOf(array(of: number), string))))),
        .always("model", string),
        .always("usage", closed(.always("prompt_tokens", integer), .always("total_tokens", integer)))
    ).named("Embeddings")
}
