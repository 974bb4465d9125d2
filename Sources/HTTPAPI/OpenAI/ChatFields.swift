import Assistant
import ChatCore

/// The body of `POST /v1/chat/completions`.
///
/// The last message is the question; pairs of a user's and an assistant's message before it are its history. Messages
/// of the roles `system` and `developer` are ignored, because the assistant's instructions are in `prompts/`. Settings
/// of the sampling (`temperature`, `max_tokens`, …) are ignored too. Fields that would change the answer's form are
/// refused. The fields of `POST /v1/ask` that filter the search are accepted too.
struct ChatFields {
    /// The one model.
    static let model = "nexus"

    /// Whether a stream ends with a chunk with the usage.
    let includesUsage: Bool
    private let body: [String: JSONValue]
    private let question: String
    private let history: [Exchange]
    private let streams: Bool

    init(_ body: JSONField) throws {
        guard case .object(var fields) = try body.object().value else { throw body.missing }
        guard try body["model"].string() == Self.model else { throw Failure.noSuchModel }
        try Self.refuseWhatIsNotSupported(in: body)
        (question, history) = try Self.conversation(body["messages"])
        streams = try body["stream"].optionalFlag() ?? false
        includesUsage = try body["stream_options"]["include_usage"].optionalFlag() ?? false
        fields["question"] = .string(question)
        fields["conversationHistory"] = nil
        self.body = fields
    }

    /// Returns the question for the assistant.
    func request(asker: UserID, askedAt moment: Timestamp) throws(FieldError) -> AskRequest {
        var request = try AskFields(JSONField(.object(body))).question(
            asker: asker, askedAt: moment, streams: streams)
        request.history = history.suffix(AskRequest.historyLimit)
        return request
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
        guard try body["response_format"]["type"].optionalString() ?? "text" == "text" else {
            throw Failure.unsupported(field: "response_format", "must be text")
        }
        for item in try body["modalities"].optionalArray() ?? [] where try item.string() != "text" {
            throw Failure.unsupported(field: "modalities", "must be text")
        }
    }

    private static func conversation(_ messages: JSONField) throws -> (question: String, history: [Exchange]) {
        guard let items = try messages.optionalArray() else { throw messages.missing }
        var question: String?
        var history: [Exchange] = []
        for item in items {
            switch try item["role"].string() {
            case "system", "developer": break
            case "user": question = try text(item["content"])
            case "assistant":
                // Clients send back the list of sources with the text.
                let answer = SourceList.removed(from: try text(item["content"]))
                if let question, answer.contains(where: { !$0.isWhitespace }) {
                    history.append(Exchange(question: question, answer: answer))
                }
                question = nil
            default: throw item["role"].error("must be system, developer, user or assistant")
            }
        }
        guard let question, question.contains(where: { !$0.isWhitespace }) else {
            throw messages.error("must end with a message of the role user that is not empty")
        }
        if let fault = TextLimit.question.fault(of: question) {
            throw messages.error("must end with a message whose text is shorter: it " + fault)
        }
        return (question, history)
    }

    /// Reads a content: a string, or parts of the type `text`.
    private static func text(_ content: JSONField) throws -> String {
        guard case .array = content.value else { return try content.optionalString() ?? "" }
        return try (content.optionalArray() ?? []).map { part in
            guard try part["type"].string() == "text" else {
                throw Failure.unsupported(field: part["type"].path.description, "must be text")
            }
            return try part["text"].string()
        }.joined(separator: "\n")
    }
}
