/// The key of a message; message ids are unique only within a conversation.
public struct MessageKey: Hashable, Sendable, Codable, Comparable {
    /// The conversation.
    public let conversationID: ConversationID
    /// The message's id within the conversation.
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

    /// The kind of sender.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A person.
        case text
        /// The chat application itself ("Ada joined"): stored, never embedded.
        case system
        /// A program.
        case bot
        /// The assistant itself: stored, never embedded or found, so that no answer is based on another answer.
        case assistant

        /// Whether a person or a program wrote it.
        public var isTalk: Bool { self == .text || self == .bot }
    }

    /// A file that was sent with a message; the bytes are stored if it has an ``id``.
    ///
    /// A file of a message that a connector read has a ``remoteID``, and gets its ``id`` when its bytes have come.
    public struct Attachment: Hashable, Sendable, Codable {
        /// The stored file; nil when only its name is known, as in imported histories.
        public var id: FileID?
        /// The file's id on the server from which a connector fetches it; nil for other files.
        public var remoteID: String?
        /// The file's name.
        public var name: String
        /// Its media type, when known.
        public var type: String?
        /// A description; it is searched like text.
        public var caption: String?
        /// The number of its bytes; of a file that is not stored as its source says, or nil.
        public var byteCount: Int?
        /// The words of a stored file: they are searched, but are not part of what is shown as the message.
        public var content: String?
        /// What is known of the words; nil for files without words and for plain text, which is read when it arrives.
        public var reading: FileReading?

        /// What tells it from another file, although its words may be read later.
        fileprivate var sameness: String? {
            if let remoteID { return remoteID }
            let mayBeDocument =
                reading != nil || type.flatMap(MediaType.init).map(FileLimits.documentTypes.contains) ?? false
            return mayBeDocument ? id?.rawValue : content
        }

        /// Whether its name is searched with its message.
        fileprivate var isNamed: Bool { id != nil || remoteID != nil }

        public init(name: String, type: String? = nil, caption: String? = nil) {
            self.name = name
            self.type = type
            self.caption = caption
        }

        /// Names a stored file; storing the message fills in the rest.
        public init(file id: FileID) {
            self.init(name: "")
            self.id = id
        }

        /// Describes a stored file.
        ///
        /// - Parameters:
        ///   - file: The file.
        ///   - content: The words of a text file.
        ///   - isWaiting: Whether its words are read later.
        public init(_ file: StoredFile, content: String?, isWaiting: Bool = false) {
            self.init(name: file.name, type: file.mediaType.rawValue)
            id = file.id
            byteCount = file.byteCount
            self.content = content
            if isWaiting { reading = FileReading(.waiting) }
        }
    }

    /// An emoji with which people reacted.
    public struct Reaction: Hashable, Sendable, Codable {
        /// The emoji, or its short name.
        public var emoji: String
        /// The users who reacted.
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

    /// The key.
    public let key: MessageKey
    /// The sender's id.
    public var senderID: UserID
    /// The sender's name when the message was written.
    public var senderName: String
    /// The text; empty once deleted.
    public var text: String
    /// The kind of sender.
    public var kind: Kind
    /// When it was written, by the chat application's clock.
    public var timestamp: Timestamp
    /// When its text was last changed.
    public var editedAt: Timestamp?
    /// When it was deleted; a deleted message keeps this mark only.
    public var deletedAt: Timestamp?
    /// The message that it replies to.
    public var replyToID: MessageID?
    /// The first message of its thread.
    public var threadRootID: MessageID?
    /// Files that were sent with it.
    public var attachments: [Attachment]
    /// Emojis with which people reacted, in their fully qualified forms: one entry for each emoji, each person once in it.
    public var reactions: [Reaction] {
        didSet { reactions = Reaction.merged(reactions) }
    }
    /// Further fields of the chat application: one JSON object, as text; not searched.
    public var extra: String?
    /// The id that the sending client chose before the server knew the message; the same id means the same message.
    public var localID: String?
    /// A link to it in the application that it comes from; see ``MessageLink``.
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
        self.reactions = Reaction.merged(reactions)
        self.extra = extra
        self.localID = localID
        self.url = url
    }

    /// The text with its attachments: it is embedded, and shown in prompts.
    ///
    /// It begins with ``shownText``.
    public var searchableText: String { Self.searchableText(text, attachments: attachments) }

    /// The text with the captions of its attachments and the names of files that are stored, or fetched later.
    public var shownText: String { Self.shownText(text, attachments: attachments) }

    /// Whether it says something else than an earlier form of it; words that were read out of a file since then were
    /// in it before.
    public func differs(from earlier: Message) -> Bool {
        func said(_ message: Message) -> [String] {
            message.attachments.compactMap(\.sameness)
        }
        return shownText != earlier.shownText || said(self) != said(earlier)
    }

    /// The ids of its stored files.
    public var fileIDs: [FileID] { attachments.compactMap(\.id) }

    /// Returns the searchable text for this text and these attachments: what is shown, then the words of text files.
    public static func searchableText(_ text: String, attachments: [Attachment]) -> String {
        guard !attachments.isEmpty else { return text }
        let contents = attachments.compactMap(\.content).filter { !$0.isEmpty }
        return ([shownText(text, attachments: attachments)] + contents).joined(separator: "\n")
    }

    private static func shownText(_ text: String, attachments: [Attachment]) -> String {
        let notes = attachments.flatMap { [$0.isNamed ? $0.name : nil, $0.caption] }.compactMap { $0 }
            .filter { !$0.isEmpty }
        return notes.isEmpty ? text : ([text] + notes.map { "[\($0)]" }).joined(separator: " ")
    }
}
