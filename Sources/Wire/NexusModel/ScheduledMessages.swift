public import Foundation

/// A message that the person wrote to be sent later.
public struct ScheduledChatMessage: Hashable, Sendable, Codable, Identifiable {
    /// Its id, which the message keeps.
    public var id: String
    /// The conversation.
    public var conversationId: String
    /// The text.
    public var text: String
    /// The message to which it replies; nil if there is none.
    public var replyTo: String?
    /// The first message of its thread; nil outside of threads.
    public var threadRoot: String?
    /// When it is to be sent.
    public var sendAt: Date
    /// Why it was not sent: `conversation_left`, `account_disabled`, `reply_gone`, `missed`, `not_accepted`; nil while it
    /// waits.
    public var refusedReason: Refusal?
    /// When it was scheduled.
    public var createdAt: Date

    public init(
        id: String, conversationId: String, text: String, replyTo: String? = nil, threadRoot: String? = nil,
        sendAt: Date, refusedReason: Refusal? = nil, createdAt: Date
    ) {
        self.id = id
        self.conversationId = conversationId
        self.text = text
        self.replyTo = replyTo
        self.threadRoot = threadRoot
        self.sendAt = sendAt
        self.refusedReason = refusedReason
        self.createdAt = createdAt
    }
}

/// The scheduled messages of a person, or a page of them, the next one first.
public struct ScheduledMessageList: Hashable, Sendable, Codable {
    /// The messages.
    public var messages: [ScheduledChatMessage]
    /// The most scheduled messages of a person.
    public var limit: Int

    /// The value of `after` for the next page; nil for the last one.
    public var next: String?

    public init(messages: [ScheduledChatMessage], limit: Int, next: String? = nil) {
        (self.messages, self.limit, self.next) = (messages, limit, next)
    }
}

extension ScheduledChatMessage {
    /// Why a scheduled message was not sent.
    public enum Refusal: OpenWord {
        /// The person does not see the conversation any more.
        case conversationLeft
        /// The account of the person is disabled.
        case accountDisabled
        /// The message to which it replies is gone.
        case replyGone
        /// The server was down for too long.
        case missed
        /// It breaks another rule for messages.
        case notAccepted
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Refusal] = [
            .conversationLeft, .accountDisabled, .replyGone, .missed, .notAccepted,
        ]

        /// The word.
        public var rawValue: String {
            switch self {
            case .conversationLeft: "conversation_left"
            case .accountDisabled: "account_disabled"
            case .replyGone: "reply_gone"
            case .missed: "missed"
            case .notAccepted: "not_accepted"
            case .unknown(let word): word
            }
        }
    }
}
