import Assistant
import ChatCore
import UseCases

/// The body of `POST /v1/chat/completions`.
///
/// The last message is the question; pairs of a user's and an assistant's message before it are its history. Messages
/// of the roles `system` and `developer` are ignored, because the assistant's instructions are in `prompts/`. Settings
/// of the sampling (`temperature`, `max_tokens`, …) are ignored too. Fields that would change the answer's form are
/// refused. The fields of `POST /v1/ask` that filter the search are accepted too. With `search` false, and for prompts
/// that programs send by themselves, the messages are passed on as they are; see ``ClientPrompt``.
struct ChatFields {
    /// The one model.
    static let model = "nexus"

    /// Whether a stream ends with a chunk with the usage.
    let includesUsage: Bool
    let streams: Bool
    private let body: JSONField
    private let talk: OpenAITalk

    init(_ body: JSONField) throws {
        guard try body.object()["model"].string() == Self.model else { throw Failure.noSuchModel }
        self.body = body
        try Self.refuseWhatIsNotSupported(in: body)
        talk = try OpenAITalk(try Self.messages(body["messages"]), of: body["messages"], search: body["search"])
        if !talk.isTask, try body["response_format"]["type"].optionalString() ?? "text" != "text" {
            throw Failure.unsupported(field: "response_format", "must be text")
        }
        streams = try body["stream"].optionalFlag() ?? false
        includesUsage = try body["stream_options"]["include_usage"].optionalFlag() ?? false
    }

    /// Returns what the assistant is asked.
    func request(asker: UserID, askedAt moment: Timestamp) throws(FieldError) -> AnswerRequest {
        let schema = body["response_format"]["json_schema"]
        if let task = talk.task(of: asker, schema: schema) { return .task(task) }
        return .question(try talk.question(body, asker: asker, askedAt: moment, streams: streams))
    }

    private static func refuseWhatIsNotSupported(in body: JSONField) throws {
        for name in ["tools", "functions"] where try body[name].optionalArray()?.isEmpty == false {
            throw Failure.unsupported(field: name, "is not supported")
        }
        guard try body["n"].optionalInteger(in: 1...128) ?? 1 == 1 else {
            throw Failure.unsupported(field: "n", "must be 1")
        }
        guard try body["logprobs"].optionalFlag() != true else {
            throw Failure.unsupported(field: "logprobs", "is not supported")
        }
        for item in try body["modalities"].optionalArray() ?? [] where try item.string() != "text" {
            throw Failure.unsupported(field: "modalities", "must be text")
        }
    }

    private static func messages(_ field: JSONField) throws -> [PromptMessage] {
        guard let items = try field.optionalArray() else { throw field.missing }
        return try items.map { item in
            let role = try OpenAITalk.role(item["role"])
            return PromptMessage(role: role, content: try OpenAITalk.text(item["content"], types: ["text"]))
        }
    }
}
