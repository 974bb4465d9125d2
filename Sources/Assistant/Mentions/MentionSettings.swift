public import ChatCore

/// How the assistant answers in conversations.
public struct MentionSettings: Sendable {
    /// What an answer may stand on.
    public enum Reach: String, Sendable, CaseIterable {
        /// What every reader of the conversation may see.
        case audience
        /// The conversation alone.
        case thisConversation = "this-conversation"
    }

    /// What an answer may stand on.
    public var reach: Reach
    /// The names that it listens to, without `@`.
    public var names: [String]
    /// The most answers in one conversation in a minute.
    public var answersPerMinute: Int
    /// Whether another system is told of each answer.
    public var isDelivered: Bool
    /// Questions that are older are not answered any more: a history may be read, or the server have stood still.
    public var oldestAge: Duration = .seconds(3_600)
    /// How often an answer is tried.
    public var attemptLimit = 4
    /// How many answers are made at a time.
    public var concurrency = 4

    public init(
        reach: Reach = .audience, names: [String] = ["ai", "nexus"], answersPerMinute: Int = 6,
        isDelivered: Bool = false
    ) {
        self.reach = reach
        self.names = names
        self.answersPerMinute = answersPerMinute
        self.isDelivered = isDelivered
    }

    /// Who writes the answers.
    public static let assistantID = UserID(rawValue: "nexus")
    /// The name that the answers bear.
    public static let assistantName = "Nexus"

    /// Whether a text may be a name that it listens to.
    public static func isName(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(isPartOfName) }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }

    /// Returns what a text that begins with `@` and one of the names asks; nil for any other text, and for one that asks
    /// nothing.
    package func question(in text: String) -> String? {
        let text = text.trimmingWhitespace()
        guard text.first == "@" else { return nil }
        let name = text.dropFirst().prefix(while: Self.isPartOfName)
        guard names.contains(where: { $0.lowercased() == name.lowercased() }) else { return nil }
        let question = String(text[name.endIndex...]).drop { ",:;–—-".contains($0) || $0.isWhitespace }
        return question.contains { $0.isLetter || $0.isNumber } ? String(question).trimmingWhitespace() : nil
    }
}
