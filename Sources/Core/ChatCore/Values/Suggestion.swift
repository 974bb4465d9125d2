/// A prompt that people are offered in a conversation.
public struct Suggestion: Hashable, Sendable, Codable {
    /// The subject of the prompt.
    public enum ID: String, Hashable, Sendable, Codable, CaseIterable {
        /// Summaries.
        case summary
        /// Tasks.
        case actionItems = "action-items"
        /// Decisions.
        case decisions
        /// Due dates.
        case deadlines
    }

    /// The subject of the prompt.
    public let id: ID
    /// The text on the button.
    public let title: String
    /// The question that is sent.
    public let text: String

    public init(id: ID, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}
