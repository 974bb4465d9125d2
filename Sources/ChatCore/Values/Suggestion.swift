/// A prompt that people are offered in a conversation.
public struct Suggestion: Hashable, Sendable, Codable {
    /// What it asks for.
    public enum ID: String, Hashable, Sendable, Codable, CaseIterable {
        /// A summary.
        case summary
        /// What is to be done.
        case actionItems = "action-items"
        /// What was decided.
        case decisions
        /// What is due.
        case deadlines
    }

    /// What it asks for.
    public let id: ID
    /// What is shown of it.
    public let title: String
    /// What is sent when it is chosen.
    public let text: String

    public init(id: ID, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}
