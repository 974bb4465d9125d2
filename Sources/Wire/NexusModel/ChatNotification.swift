public import Foundation

/// A notification of a person.
public struct ChatNotification: Hashable, Sendable, Codable, Identifiable {
    /// Its number among those of the person.
    public var id: Int64
    /// Why the person gets it: `direct`, `mention`, `reply`, `message`, or another word.
    public var kind: Kind
    /// The conversation.
    public var conversationId: String
    /// The message.
    public var messageId: String
    /// The message's position among the live messages.
    public var seq: Int64?
    /// The writer.
    public var senderId: String
    /// The writer's name.
    public var senderName: String
    /// The present text of the message, shortened; of a task, its title.
    public var text: String
    /// When it was made.
    public var createdAt: Date
    /// Whether it came in the quiet hours: it is shown without sound.
    public var quiet: Bool

    public init(
        id: Int64, kind: Kind, conversationId: String, messageId: String, seq: Int64? = nil, senderId: String,
        senderName: String, text: String, createdAt: Date, quiet: Bool
    ) {
        self.id = id
        self.kind = kind
        self.conversationId = conversationId
        self.messageId = messageId
        self.seq = seq
        self.senderId = senderId
        self.senderName = senderName
        self.text = text
        self.createdAt = createdAt
        self.quiet = quiet
    }
}

/// The newest notifications of a person.
public struct ChatNotificationList: Hashable, Sendable, Codable {
    /// Unread and not dismissed, newest first.
    public var notifications: [ChatNotification]

    public init(notifications: [ChatNotification]) {
        self.notifications = notifications
    }
}

extension ChatNotification {
    /// Why a person is notified.
    public enum Kind: OpenWord {
        /// A message of a direct conversation.
        case direct
        /// A message that mentions the person.
        case mention
        /// A reply to a message of the person.
        case reply
        /// Any other message.
        case message
        /// A task of the person.
        case item
        /// An answer of the assistant.
        case answer
        /// A message of which the person wanted to be reminded.
        case reminder
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Kind] = [.direct, .mention, .reply, .message, .item, .answer, .reminder]

        /// The word.
        public var rawValue: String {
            switch self {
            case .direct: "direct"
            case .mention: "mention"
            case .reply: "reply"
            case .message: "message"
            case .item: "item"
            case .answer: "answer"
            case .reminder: "reminder"
            case .unknown(let word): word
            }
        }
    }
}
