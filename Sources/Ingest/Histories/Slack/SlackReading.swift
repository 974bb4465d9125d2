package import ChatCore

/// Reads messages in the shape of Slack's Web API and events, in the same way as those of an export.
package struct SlackReading: Sendable {
    /// What a message is.
    package enum Content: Sendable {
        /// A message with all that it says; the author has no kind.
        case message(Message, author: Identity)
        /// It was deleted, but there are replies to it.
        case deleted
        /// Slack wrote it, such as that somebody joined.
        case notice
        /// It has neither text nor files.
        case empty
        /// It has no author or no time.
        case unreadable
    }

    private let naming: HistoryNaming
    private var directory = SlackDirectory()

    /// - Parameter naming: Makes our ids, and links if it has the address of the workspace.
    package init(naming: HistoryNaming) { self.naming = naming }

    /// Takes somebody, whose name is then used in texts.
    package mutating func add(_ person: SlackPerson) { directory.add(person) }

    /// Takes the name of a channel, which is then used in texts.
    package mutating func nameChannel(_ id: String, _ name: String) { directory.nameChannel(id, name) }

    /// Returns somebody; nil if nothing is known.
    package func person(_ id: String) -> SlackPerson? { directory.people[id] }

    /// Reads a message.
    package func read(_ fields: JSONFields, in conversation: ConversationID) -> Content {
        let message = SlackMessage(directory: directory, naming: naming, unknown: UnknownContent())
        guard let content = try? message.read(fields, in: conversation) else { return .unreadable }
        switch content {
        case .message(_, _, deletedAt: .some): return .deleted
        case .message(let message, let author, deletedAt: nil): return .message(message, author: author)
        case .departure, .skipped(.notice), .skipped(.change): return .notice
        case .skipped: return .empty
        }
    }

    /// The time of a message's `ts`, such as `1452837318.000002`; nil if it is none.
    package static func moment(_ text: String) -> Timestamp? { SlackMessage.moment(text) }

    /// The `ts` of a time.
    package static func text(_ moment: Timestamp) -> String {
        let microseconds = max(0, moment.microseconds)
        let (seconds, rest) = (String(microseconds / 1_000_000), String(microseconds % 1_000_000))
        return String(repeating: "0", count: max(0, 10 - seconds.count)) + seconds + "."
            + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
