/// A prompt that people are offered in a conversation.
package struct Suggestion: Hashable, Sendable, Codable {
    /// The subject of the prompt.
    package enum ID: String, Hashable, Sendable, Codable, CaseIterable {
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
    package let id: ID
    /// The text on the button.
    package let title: String
    /// The question that is sent.
    package let text: String

    package init(id: ID, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}
