import Assistant
import ChatCore
import UseCases

/// The body of `POST /v1/responses`.
///
/// `input` is a text, or a list of messages of which the last one is the question. `instructions` and messages of the
/// roles `system` and `developer` are ignored, as settings of the sampling and of reasoning are; see ``ChatFields``.
/// Tools, files, images, other forms of the text and answers in the background are refused.
struct ResponseFields {
    let streams: Bool
    /// Whether the turn is stored, so that another response can follow it.
    let isKept: Bool
    /// The turn of the response that this one follows.
    let previousTurnID: TurnID?
    /// The asker's thread to which the question belongs.
    let threadID: ThreadID?
    let echo: ResponseEcho
    private let body: JSONField
    private let talk: OpenAITalk

    init(_ body: JSONField) throws {
        guard try body.object()["model"].string() == ChatFields.model else { throw Failure.noSuchModel }
        self.body = body
        try Self.refuseWhatIsNotSupported(in: body)
        let instructions = try body["instructions"].optionalString()
        let system = instructions.map { [PromptMessage(role: .system, content: $0)] } ?? []
        talk = try OpenAITalk(system + Self.messages(body["input"]), of: body["input"], search: body["search"])
        if !talk.isTask, try body["text"]["format"]["type"].optionalString() ?? "text" != "text" {
            throw Failure.unsupported(field: "text.format", "must be text")
        }
        streams = try body["stream"].optionalFlag() ?? false
        isKept = try body["store"].optionalFlag() ?? true
        let previous = try body["previous_response_id"].optionalString()
        previousTurnID = try previous.map { id in
            guard let turn = ResponseWire.turnID(of: id) else { throw Failure.noSuchPreviousResponse }
            return turn
        }
        let conversation = body["conversation"]
        if case .object = conversation.value {
            threadID = try conversation["id"].identifier()
        } else {
            threadID = try conversation.optionalIdentifier()
        }
        guard previous == nil || threadID == nil else {
            throw conversation.error("cannot be given together with previous_response_id")
        }
        echo = ResponseEcho(
            instructions: instructions, previous: previous, conversation: threadID, isStored: isKept && !talk.isTask,
            metadata: try Self.metadata(body["metadata"]))
    }

    /// Whether it is a prompt of the program itself, which has no turn.
    var isTask: Bool { talk.isTask }

    /// Returns what the assistant is asked, in a thread or in none.
    func request(
        asker: UserID, askedAt moment: Timestamp, turnID: TurnID, in thread: ThreadID?
    ) throws(FieldError) -> AnswerRequest {
        if let task = talk.task(of: asker, schema: body["text"]["format"]) { return .task(task) }
        var question = try talk.question(body, asker: asker, askedAt: moment, streams: streams)
        (question.turnID, question.isKept, question.previousTurnID) = (turnID, isKept, previousTurnID)
        if let thread { question.threadID = thread }
        return .question(question)
    }

    private static func metadata(_ field: JSONField) throws -> JSONValue {
        guard let value = field.value else { return .object([:]) }
        return try field.object().value ?? value
    }

    private static func refuseWhatIsNotSupported(in body: JSONField) throws {
        guard try body["tools"].optionalArray()?.isEmpty != false else {
            throw Failure.unsupported(field: "tools", "is not supported; leave it out")
        }
        guard try body["background"].optionalFlag() != true else {
            throw Failure.unsupported(field: "background", "is not supported; the answer comes with the request")
        }
        guard !body["prompt"].isPresent else {
            throw Failure.unsupported(field: "prompt", "is not supported; send instructions and input")
        }
        guard try body["top_logprobs"].optionalInteger(in: 0...20) ?? 0 == 0 else {
            throw Failure.unsupported(field: "top_logprobs", "is not supported")
        }
        for item in try body["modalities"].optionalArray() ?? [] where try item.string() != "text" {
            throw Failure.unsupported(field: "modalities", "must be text")
        }
    }

    private static func messages(_ input: JSONField) throws -> [PromptMessage] {
        if case .string(let text) = input.value { return [PromptMessage(role: .user, content: text)] }
        guard let items = try input.optionalArray() else { throw input.missing }
        return try items.compactMap { item in
            switch try item.object()["type"].optionalString() ?? "message" {
            case "message":
                let types: Set = ["input_text", "output_text", "text", "refusal"]
                return PromptMessage(
                    role: try OpenAITalk.role(item["role"]), content: try OpenAITalk.text(item["content"], types: types)
                )
            // The thoughts of another model.
            case "reasoning": return nil
            case "item_reference":
                throw Failure.unsupported(
                    field: item["type"].path.description,
                    "is not supported: items are not stored; send the message, or previous_response_id")
            default:
                throw Failure.unsupported(
                    field: item["type"].path.description, "must be message: tools are not supported")
            }
        }
    }
}

extension Failure {
    static let noSuchResponse = Failure(
        404, "response_not_found", "this user has no such response that was stored", .notFound)
    static let noSuchPreviousResponse = Failure(
        400, "previous_response_not_found", "this user has no such response that was stored", .invalidArgument,
        field: "previous_response_id")
}
