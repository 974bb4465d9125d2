import Assistant
import ChatCore

/// The messages of a request in one of OpenAI's forms: a question with its history, or a prompt of the program itself.
struct OpenAITalk {
    private enum Kind {
        case question(String, history: [Exchange])
        case task(ClientPrompt)
    }

    private let kind: Kind

    /// Whether it is a prompt of the program itself.
    var isTask: Bool { if case .task = kind { true } else { false } }

    /// Reads what messages mean.
    ///
    /// - Parameters:
    ///   - messages: The messages, with their roles.
    ///   - field: The field that contains them, for errors.
    ///   - search: False for a task, true for a question, missing to find out.
    /// - Throws: ``FieldError`` for a question that is missing or too long.
    init(_ messages: [PromptMessage], of field: JSONField, search: JSONField) throws {
        switch try search.optionalFlag() {
        case false?:
            guard messages.last?.content.isEmpty == false else { throw field.error("must have a message with a text") }
            kind = .task(ClientPrompt(ofTask: messages))
        case nil:
            if let prompt = ClientPrompt(messages) { kind = .task(prompt) } else { fallthrough }
        case true?:
            let (question, history) = try Self.conversation(messages, of: field)
            kind = .question(question, history: history)
        }
    }

    /// Returns the task; nil for a question.
    func task(of asker: UserID, schema: JSONField) -> ClientTask? {
        guard case .task(let prompt) = kind else { return nil }
        let wanted = schema["schema"].value
        let name = (try? schema["name"].optionalString()) ?? "reply"
        return ClientTask(
            asker: asker, messages: prompt.messages, replySchema: wanted.map { ReplySchema(name: name, schema: $0) },
            fallback: prompt.fallback(schema: wanted))
    }

    /// Returns the question with the conditions that a body names.
    func question(
        _ body: JSONField, asker: UserID, askedAt moment: Timestamp, streams: Bool
    ) throws(FieldError) -> AskRequest {
        guard case .question(let question, let history) = kind, case .object(var fields) = body.value else {
            throw body.missing
        }
        fields["question"] = .string(question)
        fields["conversationHistory"] = nil
        var request = try AskFields(JSONField(.object(fields))).question(
            asker: asker, askedAt: moment, streams: streams)
        request.textIsFinal = streams
        request.history = history.suffix(AskRequest.historyLimit)
        return request
    }

    private static func conversation(
        _ messages: [PromptMessage], of field: JSONField
    ) throws -> (question: String, history: [Exchange]) {
        var question: String?
        var history: [Exchange] = []
        for message in messages {
            switch message.role {
            case .system: break
            case .user: question = message.content
            case .assistant:
                // Clients send back the list of sources with the text.
                let answer = SourceList.removed(from: message.content)
                if let question, answer.contains(where: { !$0.isWhitespace }) {
                    history.append(Exchange(question: question, answer: answer))
                }
                question = nil
            }
        }
        guard let question, question.contains(where: { !$0.isWhitespace }) else {
            throw field.error("must end with a message of the role user that is not empty")
        }
        if let fault = TextLimit.question.fault(of: question) {
            throw field.error("must end with a message whose text is shorter: it " + fault)
        }
        return (question, history)
    }

    /// Reads a role; `developer` means the same as `system`.
    static func role(_ field: JSONField) throws -> PromptRole {
        switch try field.string() {
        case "system", "developer": .system
        case "user": .user
        case "assistant": .assistant
        default: throw field.error("must be system, developer, user or assistant")
        }
    }

    /// Reads a content: a string, or parts of some types.
    static func text(_ content: JSONField, types: Set<String>) throws -> String {
        guard case .array = content.value else { return try content.optionalString() ?? "" }
        return try (content.optionalArray() ?? []).map { part in
            let type = try part["type"].string()
            guard types.contains(type) else {
                let words = types.sorted().joined(separator: " or ")
                throw Failure.unsupported(field: part["type"].path.description, "must be \(words)")
            }
            return try part[type == "refusal" ? type : "text"].string()
        }.joined(separator: "\n")
    }
}
