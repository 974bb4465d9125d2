import ArgumentParser
import Assistant
import ChatCore
import Prompting
import Retrieval

extension QuestionOptions {
    /// Joins a text with the options.
    ///
    /// - Parameters:
    ///   - text: The question.
    ///   - settings: Know the default user.
    /// - Returns: The question as a server takes it.
    /// - Throws: `ValidationError` for a value that cannot be.
    func question(_ text: String, settings: NexusSettings) throws -> OperatorCommand.Question {
        guard let name = user ?? settings.defaultUser else {
            throw ValidationError("who asks? Give --user, or set http.default-user")
        }
        try check(text)
        let (start, end) = (try Self.moment(from, option: "--from"), try Self.moment(to, option: "--to"))
        if let start, let end, end <= start { throw ValidationError("--to must be later than --from") }
        return OperatorCommand.Question(
            text: text, asker: try Self.identifier(name, option: "--user"),
            conversationIDs: conversation.isEmpty
                ? nil : try conversation.map { try Self.identifier($0, option: "--conversation") },
            senderIDs: sender.isEmpty ? nil : try sender.map { try Self.identifier($0, option: "--sender") },
            from: start, to: end, limit: topK, timeZone: timeZone)
    }

    private func check(_ text: String) throws {
        let limits = SearchRequest.limitRange
        guard limits.contains(topK) else {
            throw ValidationError("--top-k: \(limits.lowerBound) to \(limits.upperBound)")
        }
        try Self.check(text)
        if let timeZone, !PromptDate.isTimeZone(timeZone) {
            throw ValidationError("--time-zone: not the IANA name of a zone, as Europe/Berlin")
        }
    }

    /// Checks what is asked.
    static func check(_ text: String) throws {
        guard text.contains(where: { !$0.isWhitespace }) else { throw ValidationError("the text must not be empty") }
        guard text.count <= AskRequest.questionLimit else {
            throw ValidationError("the text must have at most \(AskRequest.questionLimit) characters")
        }
    }

    static func identifier<Subject>(_ text: String, option: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(validating: text) else {
            throw ValidationError(
                "\(option): an id has 1 to \(Identifier<Subject>.byteLimit) bytes and no control characters")
        }
        return id
    }

    static func moment(_ text: String?, option: String) throws -> Int64? {
        guard let text else { return nil }
        guard let moment = Timestamp(iso8601: text) else {
            throw ValidationError("\(option): not a time such as 2025-10-23T10:30:00Z")
        }
        return moment.microseconds
    }
}
