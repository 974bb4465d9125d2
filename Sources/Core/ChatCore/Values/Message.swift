/// The key of a message; message ids are unique only within a conversation.
package struct MessageKey: Hashable, Sendable, Codable, Comparable {
    /// The conversation.
    package let conversationID: ConversationID
    /// The message's id within the conversation.
    package let messageID: MessageID

    package init(conversationID: ConversationID, messageID: MessageID) {
        self.conversationID = conversationID
        self.messageID = messageID
    }

    /// Orders by conversation, then by message id.
    package static func < (left: MessageKey, right: MessageKey) -> Bool {
        (left.conversationID, left.messageID) < (right.conversationID, right.messageID)
    }
}

/// A message as received.
package struct Message: Hashable, Sendable {
    /// The longest text that is accepted, in UTF-8 bytes.
    package static let textByteLimit = 256 * 1024

    /// The kind of sender.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A person.
        case text
        /// The chat application itself ("Ada joined"): stored, never embedded.
        case system
        /// A program.
        case bot
        /// The assistant itself: stored, never embedded or found, so that no answer is based on another answer.
        case assistant

        /// Whether a person or a program wrote it.
        package var isTalk: Bool { self == .text || self == .bot }
    }

    /// A file that was sent with a message; the bytes are stored if it has an ``id``.
    package struct Attachment: Hashable, Sendable, Codable {
        /// The stored file; nil when only its name is known, as in imported histories.
        package var id: FileID?
        /// The file's name.
        package var name: String
        /// Its media type, when known.
        package var type: String?
        /// A description; it is searched like text.
        package var caption: String?
        /// The number of its bytes; nil when it is not stored.
        package var byteCount: Int?
        /// The words of a stored text file: they are searched, but are not part of what is shown as the message.
        package var content: String?

        package init(name: String, type: String? = nil, caption: String? = nil) {
            self.name = name
            self.type = type
            self.caption = caption
        }

        /// Names a stored file; storing the message fills in the rest.
        package init(file id: FileID) {
            self.init(name: "")
            self.id = id
        }

        /// Describes a stored file.
        package init(_ file: StoredFile, content: String?) {
            self.init(name: file.name, type: file.mediaType.rawValue)
            id = file.id
            byteCount = file.byteCount
            self.content = content
        }
    }

    /// An emoji with which people reacted.
    package struct Reaction: Hashable, Sendable, Codable {
        /// The emoji, or its short name.
        package var emoji: String
        /// The users who reacted.
        package var userIDs: [UserID]

        private enum CodingKeys: String, CodingKey {
            case emoji
            case userIDs = "userIds"
        }

        package init(emoji: String, userIDs: [UserID]) {
            self.emoji = emoji
            self.userIDs = userIDs
        }
    }

    /// The key.
    package let key: MessageKey
    /// The sender's id.
    package var senderID: UserID
    /// The sender's name when the message was written.
    package var senderName: String
    /// The text; empty once deleted.
    package var text: String
    /// The kind of sender.
    package var kind: Kind
    /// When it was written, by the chat application's clock.
    package var timestamp: Timestamp
    /// When its text was last changed.
    package var editedAt: Timestamp?
    /// When it was deleted; a deleted message keeps this mark only.
    package var deletedAt: Timestamp?
    /// The message that it replies to.
    package var replyToID: MessageID?
    /// The first message of its thread.
    package var threadRootID: MessageID?
    /// Files that were sent with it.
    package var attachments: [Attachment]
    /// Emojis with which people reacted, in their fully qualified forms: one entry for each emoji, each person once in it.
    package var reactions: [Reaction] {
        didSet { reactions = Reaction.merged(reactions) }
    }
    /// Further fields of the chat application: one JSON object, as text; not searched.
    package var extra: String?
    /// The id that the sending client chose before the server knew the message; the same id means the same message.
    package var localID: String?
    /// A link to it in the application that it comes from; see ``MessageLink``.
    package var url: String?

    package init(
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
    package var searchableText: String { Self.searchableText(text, attachments: attachments) }

    /// The text with the captions of its attachments and the names of stored files.
    package var shownText: String { Self.shownText(text, attachments: attachments) }

    /// The ids of its stored files.
    package var fileIDs: [FileID] { attachments.compactMap(\.id) }

    /// Returns the searchable text for this text and these attachments: what is shown, then the words of text files.
    package static func searchableText(_ text: String, attachments: [Attachment]) -> String {
        guard !attachments.isEmpty else { return text }
        let contents = attachments.compactMap(\.content).filter { !$0.isEmpty }
        return ([shownText(text, attachments: attachments)] + contents).joined(separator: "\n")
    }

    private static func shownText(_ text: String, attachments: [Attachment]) -> String {
        let notes = attachments.flatMap { [$0.id == nil ? nil : $0.name, $0.caption] }.compactMap { $0 }
            .filter { !$0.isEmpty }
        return notes.isEmpty ? text : ([text] + notes.map { "[\($0)]" }).joined(separator: " ")
    }
}
