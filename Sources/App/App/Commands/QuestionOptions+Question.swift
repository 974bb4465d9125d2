import ArgumentParser
import Assistant
import ChatCore
import Prompting
import Retrieval
import TextAnalysis

extension QuestionOptions {
    /// The fields that searches and questions share.
    ///
    /// - Parameters:
    ///   - text: The question, which is only checked.
    ///   - settings: The settings, for the default user.
    /// - Returns: The asker, and the fields of the request's body.
    /// - Throws: `ValidationError` for an invalid value.
    func fields(
        of text: String, settings: NexusSettings
    ) throws -> (asker: UserID, body: [String: JSONValue?]) {
        guard let name = user ?? settings.defaultUser else {
            throw ValidationError("the user is missing: give --user, or set http.default-user")
        }
        try check(text)
        let (start, end) = (try Self.moment(from, option: "--from"), try Self.moment(to, option: "--to"))
        if let start, let end, end <= start { throw ValidationError("--to must be later than --from") }
        if let asOf, AsOf(day: asOf, zone: "UTC") == nil, Timestamp(iso8601: asOf) == nil {
            throw ValidationError("--as-of must be a day such as 2026-10-01, or a time such as 2026-10-01T10:30:00Z")
        }
        let conversations: [ConversationID] = try conversation.map {
            try Self.identifier($0, option: "--conversation")
        }
        let senders: [UserID] = try sender.map { try Self.identifier($0, option: "--sender") }
        let kinds = try kind.map { try Self.kind($0) }
        let body: [String: JSONValue?] = [
            "topK": .integer(Int64(topK)), "from": from.map { .string($0) }, "to": to.map { .string($0) },
            "asOf": asOf.map { .string($0) }, "timeZone": timeZone.map { .string($0) },
            "conversationIds": conversations.isEmpty ? nil : .array(conversations.map { .string($0.rawValue) }),
            "senderIds": senders.isEmpty ? nil : .array(senders.map { .string($0.rawValue) }),
            "kinds": kinds.isEmpty ? nil : .array(kinds.map { .string($0.rawValue) }),
        ]
        return (try Self.identifier(name, option: "--user"), body)
    }

    private func check(_ text: String) throws {
        let limits = SearchRequest.limitRange
        guard limits.contains(topK) else {
            throw ValidationError("--top-k must be \(limits.lowerBound) to \(limits.upperBound)")
        }
        try Self.check(text)
        if let timeZone, !PromptDate.isTimeZone(timeZone) {
            throw ValidationError("--time-zone must be the IANA name of a time zone, such as Europe/Berlin")
        }
    }

    /// Checks the text of a question.
    static func check(_ text: String) throws {
        guard text.contains(where: { !$0.isWhitespace }) else { throw ValidationError("the text must not be empty") }
        guard text.count <= AskRequest.questionLimit else {
            throw ValidationError("the text must have at most \(AskRequest.questionLimit) characters")
        }
    }

    private static func kind(_ text: String) throws -> ContentKind {
        guard let kind = ContentKind(rawValue: text) else {
            throw ValidationError(
                "--kind must be one of " + ContentKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
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
            throw ValidationError("\(option) must be a time such as 2025-10-23T10:30:00Z")
        }
        return moment.microseconds
    }
}
