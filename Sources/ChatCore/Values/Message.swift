/// Where a message is: ids of messages are unique within a conversation only.
public struct MessageKey: Hashable, Sendable, Codable, Comparable {
    /// The conversation that holds it.
    public let conversationID: ConversationID
    /// Its id there.
    public let messageID: MessageID

    public init(conversationID: ConversationID, messageID: MessageID) {
        self.conversationID = conversationID
        self.messageID = messageID
    }

    /// Orders by conversation, then by message id.
    public static func < (left: MessageKey, right: MessageKey) -> Bool {
        (left.conversationID, left.messageID) < (right.conversationID, right.messageID)
    }
}

/// A message as received.
public struct Message: Hashable, Sendable {
    /// The longest text that is accepted, in UTF-8 bytes.
    public static let textByteLimit = 256 * 1024

    /// Who or what wrote it.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A person.
        case text
        /// The chat application itself ("Ada joined"): kept, never embedded.
        case system
        /// A program.
        case bot
        /// The assistant itself: kept, never embedded nor found, so that no answer stands on another answer.
        case assistant

        /// Whether it is part of what people and programs talk about.
        public var isTalk: Bool { self == .text || self == .bot }
    }

    /// Something that came with a message; its bytes are not kept.
    public struct Attachment: Hashable, Sendable, Codable {
        /// The file's name.
        public var name: String
        /// Its media type, when known.
        public var type: String?
        /// Words that describe it; they are found like text.
        public var caption: String?

        public init(name: String, type: String? = nil, caption: String? = nil) {
            self.name = name
            self.type = type
            self.caption = caption
        }
    }

    /// An emoji that people answered with.
    public struct Reaction: Hashable, Sendable, Codable {
        /// The emoji, or its short name.
        public var emoji: String
        /// Who reacted.
        public var userIDs: [UserID]

        private enum CodingKeys: String, CodingKey {
            case emoji
            case userIDs = "userIds"
        }

        public init(emoji: String, userIDs: [UserID]) {
            self.emoji = emoji
            self.userIDs = userIDs
        }
    }

    /// Where it is.
    public let key: MessageKey
    /// Who wrote it.
    public var senderID: UserID
    /// The writer's name when it was written.
    public var senderName: String
    /// What was written; empty once deleted.
    public var text: String
    /// Who or what wrote it.
    public var kind: Kind
    /// When it was written, by the chat application's clock.
    public var timestamp: Timestamp
    /// When its text was last changed.
    public var editedAt: Timestamp?
    /// When it was deleted; what remains then is this mark.
    public var deletedAt: Timestamp?
    /// The message that it answers.
    public var replyToID: MessageID?
    /// The first message of its thread.
    public var threadRootID: MessageID?
    /// What came with it.
    public var attachments: [Attachment]
    /// What people answered with.
    public var reactions: [Reaction]
    /// Further fields of the chat application: one JSON object, as text; not searched.
    public var extra: String?
    /// The id that the sending client gave before the server knew the message: the same one again is the same message.
    public var localID: String?
    /// A link to it in the application that it came from; see ``MessageLink``.
    public var url: String?

    public init(
        key: MessageKey, senderID: UserID, senderName: String, text: String, kind: Kind = .text, timestamp: Timestamp,
        editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, replyToID: MessageID? = nil,
        threadRootID: MessageID? = nil, attachments: [Attachment] = [], reactions: [Reaction] = [],
        extra: String? = nil, localID: String? = nil, url: String? = nil
    ) {
        self.key = key
        self.senderID = senderID
        self.senderName = senderName
        self.text = text
        self.kind = kind
        self.timestamp = timestamp
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.replyToID = replyToID
        self.threadRootID = threadRootID
        self.attachments = attachments
        self.reactions = reactions
        self.extra = extra
        self.localID = localID
        self.url = url
    }

    /// The text with the captions of what came with it: what is embedded and what the prompt shows.
    public var searchableText: String { Self.searchableText(text, attachments: attachments) }

    /// Returns what is embedded of a message with this text and these attachments.
    public static func searchableText(_ text: String, attachments: [Attachment]) -> String {
        let captions = attachments.compactMap(\.caption).filter { !$0.isEmpty }
        return captions.isEmpty ? text : ([text] + captions.map { "[\($0)]" }).joined(separator: " ")
    }
}
