public import ChatCore

extension Suggestion {
    /// Reads one from the text of a template: the first line is the title; nil where there is nothing below it.
    init?(_ id: ID, in text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1).map { String($0).trimmingWhitespace() }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(id: id, title: parts[0], text: parts[1])
    }
}

extension Suggestion.ID {
    /// The template that holds it.
    var template: PromptName {
        switch self {
        case .summary: .suggestionSummary
        case .actionItems: .suggestionActionItems
        case .decisions: .suggestionDecisions
        case .deadlines: .suggestionDeadlines
        }
    }
}

extension PromptBuilder {
    /// The prompts that people are offered in a conversation; see ``PromptLibrary/suggestions``.
    public var suggestions: [Suggestion] { library.suggestions }
}
