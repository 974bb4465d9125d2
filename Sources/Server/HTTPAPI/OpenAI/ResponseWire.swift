import Assistant
import ChatCore
import NexusModel

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
    var sources: [ChatAnswer.Source]?
    var citations: [ChatAnswer.Citation]?

    /// Begins the id of a response; the id of its turn follows.
    static let idPrefix = "resp_"

    /// Makes a response that has begun.
    init(_ turn: TurnID, askedAt moment: Timestamp, echo: ResponseEcho) {
        id = Self.id(of: turn)
        createdAt = moment.milliseconds / 1_000
        instructions = OrNull(echo.instructions)
        metadata = echo.metadata
        previousResponseID = OrNull(echo.previous)
        store = echo.isStored
        conversation = OrNull(echo.conversation.map { Conversation(id: $0) })
    }

    /// Makes the response of a kept turn, as its asker may see it now.
    ///
    /// What was not kept is missing: instructions and metadata, and the numbers of tokens.
    init(_ readable: ReadableTurn, listing: OpenAIListing) {
        let turn = readable.turn
        self.init(
            turn.id, askedAt: turn.askedAt,
            echo: ResponseEcho(
                instructions: nil, previous: turn.historyIDs.last.map(Self.id), conversation: turn.threadID,
                isStored: true, metadata: .object([:])))
        let answer = OpenAIAnswer(readable, links: listing.links)
        end(answer, as: ResponseMessage(answer, of: turn.id, listing: listing))
        usage = OrNull(nil)
    }

    static func id(of turn: TurnID) -> String { idPrefix + turn.rawValue }

    /// Returns the turn of a response; nil for an id that no response has.
    static func turnID(of id: String) -> TurnID? {
        guard id.hasPrefix(idPrefix) else { return nil }
        return TurnID(validating: String(id.dropFirst(idPrefix.count)))
    }

    /// Ends the response with an answer and the message that has its text.
    mutating func end(_ answer: OpenAIAnswer, as message: ResponseMessage) {
        status = message.status
        output = [message]
        usage = OrNull(ResponseUsage(answer.usage))
        incompleteDetails = OrNull(answer.incompleteReason.map { Incompleteness(reason: $0) })
        (sources, citations) = (answer.sources, answer.citations)
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
    init(of turn: TurnID) { id = "msg_" + turn.rawValue }

    /// Makes the message of an answer.
    init(_ answer: OpenAIAnswer, of turn: TurnID, listing: OpenAIListing) {
        self.init(of: turn)
        status = answer.incompleteReason == nil ? .completed : .incomplete
        content = [
            Part(
                text: answer.text + listing.list(of: answer),
                annotations: answer.links.map { ResponseAnnotation(link: $0) })
        ]
    }
}

/// A citation in the format of responses, which differs from that of chat completions.
struct ResponseAnnotation: Encodable {
    private enum CodingKeys: String, CodingKey { case type }

    let link: CitedLink

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode("url_citation", forKey: .type)
        try link.encode(to: encoder)
    }
}

/// The question of a kept response, as an item of its input.
struct ResponseInput: Encodable {
    struct Part: Encodable {
        let type = "input_text"
        let text: String
    }

    let id: String
    let type = "message"
    let role = "user"
    let status = ResponseWire.Status.completed
    let content: [Part]

    init(_ turn: Turn) {
        id = "msg_in_" + turn.id.rawValue
        content = [Part(text: turn.question)]
    }
}

/// The input of a kept response.
struct ResponseInputList: Encodable {
    private enum CodingKeys: String, CodingKey {
        case object, data
        case firstID = "first_id"
        case lastID = "last_id"
        case hasMore = "has_more"
    }

    let object = "list"
    let data: [ResponseInput]
    let firstID: OrNull<String>
    let lastID: OrNull<String>
    let hasMore = false

    init(_ items: [ResponseInput]) {
        data = items
        firstID = OrNull(items.first?.id)
        lastID = OrNull(items.last?.id)
    }
}

/// A response that was deleted.
struct DeletedResponse: Encodable {
    let id: String
    let object = "response"
    let deleted = true
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
