/// A notification of a person: a row that exists until the person has read or dismissed it, may no longer see it, or
/// its message is erased.
package struct PersonalNotification: Hashable, Sendable {
    /// The reason for the notification.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A message in a direct conversation.
        case direct
        /// A message that mentions the person.
        case mention
        /// A reply to a message of the person, or in a thread that the person began.
        case reply
        /// Any other message of a conversation of which the person wants all.
        case message
        /// A task that was assigned to the person.
        case item
        /// An answer of the assistant to the person.
        case answer
    }

    /// Its number: grows with each new one, and is never used again.
    package let number: Int64
    /// The person who is notified.
    package let userID: UserID
    package let kind: Kind
    /// The message that it leads to.
    package let message: MessageKey
    /// The position of the message; nil for history.
    package let seq: Int64?
    /// The author of the message.
    package let senderID: UserID
    /// The author's name as readers see it.
    package let senderName: String
    /// The present text of the message, shortened; for an item, its title.
    package let text: String
    /// When it came.
    package let createdAt: Timestamp

    package init(
        number: Int64, userID: UserID, kind: Kind, message: MessageKey, seq: Int64?, senderID: UserID,
        senderName: String, text: String, createdAt: Timestamp
    ) {
        self.number = number
        self.userID = userID
        self.kind = kind
        self.message = message
        self.seq = seq
        self.senderID = senderID
        self.senderName = senderName
        self.text = text
        self.createdAt = createdAt
    }
}
