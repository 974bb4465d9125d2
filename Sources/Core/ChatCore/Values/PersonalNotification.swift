/// A notification of a person: a row that exists until the person has read or dismissed it, may no longer see it, or
/// its message is erased.
public struct PersonalNotification: Hashable, Sendable {
    /// The reason for the notification.
    public enum Kind: String, Codable, Sendable, CaseIterable {
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
        /// A message of which the person wanted to be reminded.
        case reminder
    }

    /// Its number: grows with each new one, and is never used again.
    public let number: Int64
    /// The person who is notified.
    public let userID: UserID
    /// What it tells of.
    public let kind: Kind
    /// The message that it leads to.
    public let message: MessageKey
    /// The position of the message; nil for history.
    public let seq: Int64?
    /// The author of the message.
    public let senderID: UserID
    /// The author's name as readers see it.
    public let senderName: String
    /// The present text of the message, shortened; for an item, its title.
    public let text: String
    /// When it came.
    public let createdAt: Timestamp

    public init(
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
