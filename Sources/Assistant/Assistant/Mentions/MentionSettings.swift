package import ChatCore

/// How the assistant answers in conversations.
package struct MentionSettings: Sendable {
    /// The messages that an answer may be based on.
    package enum Reach: String, Sendable, CaseIterable {
        /// Messages that every reader of the conversation may see.
        case audience
        /// Messages of the conversation only.
        case thisConversation = "this-conversation"
    }

    /// The messages that an answer may be based on.
    package var reach: Reach
    /// The names that it reacts to, without `@`.
    package var names: [String]
    /// The most answers per conversation and minute.
    package var answersPerMinute: Int
    /// Whether each answer is delivered to another system.
    package var isDelivered: Bool
    /// Older questions are not answered: an import may contain them, or the server may have been stopped for a while.
    package var oldestAge: Duration = .seconds(3_600)
    /// How often an answer is attempted.
    package var attemptLimit = 4
    /// How many answers are made at the same time.
    package var concurrency = 4

    package init(
        reach: Reach = .audience, names: [String] = ["ai", "nexus"], answersPerMinute: Int = 6,
        isDelivered: Bool = false
    ) {
        self.reach = reach
        self.names = names
        self.answersPerMinute = answersPerMinute
        self.isDelivered = isDelivered
    }

    /// The sender of the answers.
    package static let assistantID = UserID(rawValue: "nexus")
    /// The sender's name of the answers.
    package static let assistantName = "Nexus"

    /// Whether a text can be a name that it reacts to.
    package static func isName(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(isPartOfName) }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }

    /// Returns the question in a text that begins with `@` and one of the names; nil for any other text, for a longer
    /// name (`@ai.bot`), and for one without a question.
    package func question(in text: String) -> String? {
        let text = text.trimmingWhitespace()
        guard text.first == "@" else { return nil }
        let name = text.dropFirst().prefix(while: Self.isPartOfName)
        guard names.contains(where: { $0.lowercased() == name.lowercased() }),
            !MemberMentionReader.continues(text[name.endIndex...].unicodeScalars)
        else { return nil }
        let question = String(text[name.endIndex...]).drop { ",:;–—-".contains($0) || $0.isWhitespace }
        return question.contains { $0.isLetter || $0.isNumber } ? String(question).trimmingWhitespace() : nil
    }
}
