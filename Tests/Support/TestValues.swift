package import ChatCore
package import Logging
import Synchronization

/// A present time that moves only when told to.
package final class ManualNow: Sendable {
    private let moment: Mutex<Timestamp>

    /// Starts at a moment.
    package init(_ start: Timestamp = Timestamp(microseconds: 1_760_000_000_000_000)) {
        moment = Mutex(start)
    }

    /// The present time, as the parts take it.
    package var now: @Sendable () -> Timestamp {
        { self.moment.withLock { $0 } }
    }

    /// Lets time pass.
    package func advance(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}

extension Logger {
    /// A logger that keeps nothing.
    package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension Message {
    /// A message whose sender is named by the id in capitals, written so many seconds after an arbitrary start.
    package static func sample(
        _ conversation: ConversationID, _ id: MessageID, by sender: UserID, _ text: String, at second: Int = 0
    ) -> Message {
        Message(
            key: MessageKey(conversationID: conversation, messageID: id), senderID: sender,
            senderName: sender.rawValue.uppercased(), text: text,
            timestamp: Timestamp(microseconds: 1_750_000_000_000_000 + Int64(second) * 1_000_000))
    }
}

extension ConversationRoster {
    /// A conversation whose members have been there from the start.
    package static func sample(
        _ id: ConversationID, members: [UserID], visibility: Conversation.Visibility = .members
    ) -> ConversationRoster {
        let start = Timestamp(microseconds: 0)
        return ConversationRoster(
            conversation: Conversation(
                id: id, visibility: visibility, name: "name of \(id)", createdAt: start, updatedAt: start),
            members: members.sorted().map {
                Member(userID: $0, displayName: $0.rawValue.uppercased(), joinedAt: start)
            })
    }
}
