import Assistant
package import ChatCore
import Retrieval

/// The JSON form of a thread.
package struct ThreadWire: Codable, Hashable, Sendable {
    /// Its id.
    package let id: ThreadID
    /// The title; empty before the first question if none was given.
    package let title: String
    /// The conversation whose assistant it belongs to; nil for a thread across conversations.
    package let conversationId: ConversationID?
    /// The number of turns.
    package let turnCount: Int
    /// The time of its creation.
    package let createdAt: WireTime
    /// The time of its last question.
    package let updatedAt: WireTime

    package init(_ thread: AssistantThread) {
        id = thread.id
        title = thread.title
        conversationId = thread.conversationID
        turnCount = thread.turnCount
        createdAt = WireTime(thread.createdAt)
        updatedAt = WireTime(thread.updatedAt)
    }
}

/// A page of threads; `next` is the `after` of the next page, and missing on the last page.
struct ThreadPage: Encodable {
    let threads: [ThreadWire]
    let next: String?

    /// Shows the first `limit` threads.
    init(_ found: [AssistantThread], limit: Int) {
        let shown = found.prefix(limit)
        threads = shown.map { ThreadWire($0) }
        next = found.count > limit ? shown.last.map { "\($0.place.updatedAt.microseconds).\($0.id)" } : nil
    }

    /// Reads the `next` of a page, which stays valid if its thread is used again or deleted.
    static func place(of text: String) throws(FieldError) -> AssistantThread.Place {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let moment = Int64(parts[0]), let id = ThreadID(validating: String(parts[1])) else {
            throw FieldError(FieldPath("after"), "must be next of an earlier page")
        }
        return AssistantThread.Place(updatedAt: Timestamp(microseconds: moment), id: id)
    }
}

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
