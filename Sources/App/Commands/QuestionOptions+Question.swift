import ArgumentParser
import ChatCore

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
        return OperatorCommand.Question(
            text: text, asker: try Self.identifier(name, option: "--user"),
            conversationIDs: conversation.isEmpty
                ? nil : try conversation.map { try Self.identifier($0, option: "--conversation") },
            senderIDs: sender.isEmpty ? nil : try sender.map { try Self.identifier($0, option: "--sender") },
            from: try Self.moment(from, option: "--from"), to: try Self.moment(to, option: "--to"), limit: topK,
            timeZone: timeZone)
    }

    private static func identifier<Subject>(_ text: String, option: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(validating: text) else {
            throw ValidationError(
                "\(option): an id has 1 to \(Identifier<Subject>.byteLimit) bytes and no control characters")
        }
        return id
    }

    private static func moment(_ text: String?, option: String) throws -> Int64? {
        guard let text else { return nil }
        guard let moment = Timestamp(iso8601: text) else {
            throw ValidationError("\(option): not a time such as 2025-10-23T10:30:00Z")
        }
        return moment.microseconds
    }
}
