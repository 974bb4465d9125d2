import Assistant
package import ChatCore
import Retrieval

/// A thread as a Markdown document: title, then each question with its answer and sources.
///
/// Questions are quoted; answers are unchanged. A note replaces an answer that may not be shown.
package struct ThreadMarkdown: Sendable {
    /// The document; ends with a line end.
    package let text: String

    /// Writes a thread.
    ///
    /// - Parameters:
    ///   - thread: The thread.
    ///   - turns: Its turns, oldest first.
    ///   - links: Makes links to messages that came without one.
    package init(_ thread: AssistantThread, turns: [ReadableTurn], links: MessageLinkTemplate?) {
        let title = thread.title.isEmpty ? "Untitled" : thread.title
        let parts = ["# \(Self.line(title))"] + turns.map { Self.part($0, links: links) }
        text = parts.joined(separator: "\n\n") + "\n"
    }

    private static func part(_ readable: ReadableTurn, links: MessageLinkTemplate?) -> String {
        let turn = readable.turn
        var parts = ["## \(turn.askedAt.iso8601)"]
        if !turn.question.isEmpty {
            parts.append(
                turn.question.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
                    .joined(separator: "\n"))
        }
        parts.append(readable.withholding.map { "*\($0.explanation)*" } ?? turn.answer)
        let numbers = Set(readable.citations.map(\.number))
        let lines = readable.sources.compactMap { source in
            source.number.flatMap { number in
                numbers.contains(number) ? (number, source) : nil
            }
        }.sorted { $0.0 < $1.0 }.map { number, source in
            let message = source.message
            let text = SourceLine(
                number: number, message: message, conversationName: source.conversationName, url: message.link(links)
            ).text
            return "- \(text): \(line(Excerpt(of: message, at: source.place).text))"
        }
        if !lines.isEmpty { parts.append("Sources:\n\n" + lines.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension ReadableTurn.Withholding {
    /// The text that its asker sees instead of the answer.
    package var explanation: String {
        switch self {
        case .sourceDeleted: "Removed: a message that the answer was based on was deleted."
        case .sourceEdited: "Removed: a message that the answer was based on was edited. Ask again for a new answer."
        case .notPermitted: "Not shown: it was based on messages that you cannot see now."
        }
    }
}
