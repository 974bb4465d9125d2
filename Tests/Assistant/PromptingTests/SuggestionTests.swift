import ChatCore
import Foundation
import Prompting
import Testing

@Suite("Suggestion")
struct SuggestionTests {
    @Test("Four prompts are offered, with their titles and whole texts")
    func offersFour() throws {
        let suggestions = try PromptLibrary(overrides: nil).suggestions

        #expect(suggestions.map(\.id) == [.summary, .actionItems, .decisions, .deadlines])
        #expect(
            suggestions.map(\.title) == [
                "Summarize thread", "Extract action items", "What decisions were made?", "Any deadlines?",
            ])
        #expect(suggestions[0].text.hasPrefix("Summarize this conversation from its beginning to its end"))
        #expect(suggestions.allSatisfy { $0.text.count > 100 && !$0.text.contains($0.title) })
    }

    @Test("An operator's text takes the place of one, lines and all")
    func isOverridable() throws {
        let text =
            "---\nname: suggestion-decisions\nversion: 3\nvariables:\n---\n Beschlüsse? \n\n\nWas gilt?\nSeit wann?\n"

        let suggestions = try withFolder(["suggestion-decisions.md": Data(text.utf8)]) {
            try PromptLibrary(overrides: $0).suggestions
        }

        #expect(suggestions.map(\.id) == Suggestion.ID.allCases)
        #expect(suggestions[2].title == "Beschlüsse?")
        #expect(suggestions[2].text == "Was gilt?\nSeit wann?")
        #expect(suggestions[3].title == "Any deadlines?")
    }
}
