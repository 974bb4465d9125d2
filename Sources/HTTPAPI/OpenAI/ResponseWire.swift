import Assistant
import ChatCore

/// The parts of a request that its response repeats.
struct ResponseEcho: Sendable {
    let instructions: String?
    let previous: String?
    var conversation: ThreadID?
    let isStored: Bool
    let metadata: JSONValue
}

/// A response in OpenAI's format; `sources` and `citations` are an extension, written as in the answer of `POST /v1/ask`.
///
/// The fields that say nothing here are those without which some clients fail.
struct ResponseWire: Encodable {
    /// The state of a response or of its message.
    enum Status: String, Encodable {
        case inProgress = "in_progress"
        case completed
        case incomplete
        case failed
    }

    /// An error that ended a response.
    struct Fault: Encodable {
        let code: String
        let message: String
    }

    struct Incompleteness: Encodable { let reason: String }

    struct Conversation: Encodable { let id: ThreadID }

    struct Text: Encodable {
        struct Format: Encodable { let type = "text" }

        let format = Format()
    }

    private enum CodingKeys: String, CodingKey {
        case id, object, status, model, output, tools, error, instructions, metadata, temperature, text, truncation,
            usage
        case store, conversation, sources, citations
        case createdAt = "created_at"
        case parallelToolCalls = "parallel_tool_calls"
        case toolChoice = "tool_choice"
        case incompleteDetails = "incomplete_details"
        case previousResponseID = "previous_response_id"
        case topP = "top_p"
    }

    let id: String
    let object = "response"
    /// Seconds since 1970.
    let createdAt: Int64
    var status = Status.inProgress
    let model = ChatFields.model
    var output: [ResponseMessage] = []
    let parallelToolCalls = true
    let toolChoice = "auto"
    let tools: [String] = []
    var error = OrNull<Fault>(nil)
    var incompleteDetails = OrNull<Incompleteness>(nil)
    let instructions: OrNull<String>
    let metadata: JSONValue
    let temperature = 1.0
    let topP = 1.0
    let previousResponseID: OrNull<String>
    let store: Bool
    let conversation: OrNull<Conversation>
    let text = Text()
    let truncation = "disabled"
    var usage = OrNull<ResponseUsage>(nil)
    var sources: [AnswerWire.Source]?
    var citations: [AnswerWire.Citation]?

    /// Makes a response that has begun.
    init(id: String, askedAt moment: Timestamp, echo: ResponseEcho) {
        self.id = id
        createdAt = moment.milliseconds / 1_000
        instructions = OrNull(echo.instructions)
        metadata = echo.metadata
        previousResponseID = OrNull(echo.previous)
        store = echo.isStored
        conversation = OrNull(echo.conversation.map { Conversation(id: $0) })
    }

    /// Ends the response with an answer and the message that has its text.
    mutating func end(_ answer: Answer, as message: ResponseMessage, links: MessageLinkTemplate?) {
        status = message.status
        output = [message]
        usage = OrNull(ResponseUsage(answer.usage))
        incompleteDetails = OrNull(answer.incompleteReason.map { Incompleteness(reason: $0) })
        sources = answer.sources.map { AnswerWire.Source($0, links: links) }
        citations = answer.citations.map { AnswerWire.Citation($0) }
    }

    /// Ends the response without an answer.
    mutating func fail(_ failure: Failure) {
        status = .failed
        let body = OpenAIErrorBody(failure)
        error = OrNull(
            Fault(code: failure.status == 429 ? "rate_limit_exceeded" : "server_error", message: body.error.message))
    }
}

/// The message of a response.
struct ResponseMessage: Encodable {
    /// Its text.
    struct Part: Encodable {
        let type = "output_text"
        var text = ""
        var annotations: [ResponseAnnotation] = []
        let logprobs: [String] = []
    }

    let id: String
    let type = "message"
    var status = ResponseWire.Status.inProgress
    let role = "assistant"
    var content: [Part] = []

    /// Makes a message without a text yet.
    init(id: String) { self.id = id }

    /// Makes the message of an answer, with the list of sources below its text if `listsSources` is true.
    init(_ answer: Answer, id: String, listsSources: Bool, links: MessageLinkTemplate?) {
        self.init(id: id)
        let list = listsSources ? SourceList(of: answer, links: links).text : ""
        status = answer.incompleteReason == nil ? .completed : .incomplete
        content = [Part(text: answer.text + list, annotations: ResponseAnnotation.all(of: answer, links: links))]
    }
}

/// A citation in the format of responses, which differs from that of chat completions.
struct ResponseAnnotation: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type, url, title
        case startIndex = "start_index"
        case endIndex = "end_index"
    }

    let type = "url_citation"
    let url: String
    let title: String
    let startIndex: Int
    let endIndex: Int

    static func all(of answer: Answer, links: MessageLinkTemplate?) -> [ResponseAnnotation] {
        ChatAnnotation.all(of: answer, links: links).map { annotation in
            ResponseAnnotation(
                url: annotation.link.url, title: annotation.link.title, startIndex: annotation.link.startIndex,
                endIndex: annotation.link.endIndex)
        }
    }
}

/// The tokens of a response; zeros if no service counted them.
struct ResponseUsage: Encodable {
    struct InputDetails: Encodable {
        private enum CodingKeys: String, CodingKey { case cachedTokens = "cached_tokens" }

        let cachedTokens = 0
    }

    struct OutputDetails: Encodable {
        private enum CodingKeys: String, CodingKey { case reasoningTokens = "reasoning_tokens" }

        let reasoningTokens = 0
    }

    private enum CodingKeys: String, CodingKey {
        case inputTokens = "input_tokens"
        case inputDetails = "input_tokens_details"
        case outputTokens = "output_tokens"
        case outputDetails = "output_tokens_details"
        case totalTokens = "total_tokens"
    }

    let inputTokens: Int
    let inputDetails = InputDetails()
    let outputTokens: Int
    let outputDetails = OutputDetails()
    let totalTokens: Int

    init(_ usage: TokenUsage?) {
        inputTokens = usage?.promptTokens ?? 0
        outputTokens = usage?.completionTokens ?? 0
        totalTokens = inputTokens.addingClamped(outputTokens)
    }
}

extension Answer {
    /// Why it is cut off, in OpenAI's words; nil if it is whole.
    var incompleteReason: String? {
        if notices.contains(.truncated) { return "max_output_tokens" }
        return notices.contains(.filtered) ? "content_filter" : nil
    }
}
