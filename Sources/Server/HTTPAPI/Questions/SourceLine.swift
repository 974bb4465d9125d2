import Assistant
import ChatCore
import NexusModel
import Retrieval

/// A cited source in one line: `[1] Ada Lovelace, 2026-05-14, general <https://…>`.
struct SourceLine {
    let number: Int
    let message: Message
    let conversationName: String
    let url: String?

    /// The writer, the day and the conversation.
    var title: String {
        let day = message.timestamp.iso8601.prefix { $0 != "T" }
        return Self.line("\(message.senderName), \(day), \(conversationName)")
    }

    var text: String { "[\(number)] \(title)" + (url.map { " <\($0)>" } ?? "") }

    private static func line(_ text: String) -> String {
        text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    }
}

/// The sources of an answer below its text, for clients that show the text alone.
struct SourceList {
    private static let bullet = "- ["

    let lines: [SourceLine]

    /// The sources that an answer cites, by number.
    init(of answer: Answer, links: MessageLinkTemplate?) {
        lines = answer.sources.compactMap { source in
            source.number.map { number in
                SourceLine(
                    number: number, message: source.hit.message, conversationName: source.hit.conversation.displayName,
                    url: source.hit.message.link(links))
            }
        }.sorted { $0.number < $1.number }
    }

    /// The sources that a kept answer cites, by number.
    init(of turn: ReadableTurn, citing citations: [ChatAnswer.Citation], links: MessageLinkTemplate?) {
        let numbers = Set(citations.map(\.number))
        lines = turn.sources.compactMap { source in
            source.number.flatMap { number in
                guard numbers.contains(number) else { return nil }
                return SourceLine(
                    number: number, message: source.message, conversationName: source.conversationName,
                    url: source.message.link(links))
            }
        }.sorted { $0.number < $1.number }
    }

    /// The list as text; empty if nothing is cited.
    var text: String { lines.isEmpty ? "" : "\n\n" + lines.map { "- " + $0.text }.joined(separator: "\n") }

    /// Returns a text without the list at its end: an empty line, then one line for each number from 1 on.
    static func removed(from text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        let count = lines.reversed().prefix { $0.hasPrefix(bullet) }.count
        let list = lines.suffix(count)
        guard count > 0, let before = lines.dropLast(count).last, before.allSatisfy(\.isWhitespace),
            zip(list, 1...).allSatisfy({ $0.hasPrefix("\(bullet)\($1)] ") })
        else { return text }
        return lines.dropLast(count + 1).joined(separator: "\n")
    }
}
