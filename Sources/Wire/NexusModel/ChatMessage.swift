/// A message of a conversation.
public struct ChatMessage: Hashable, Sendable, Codable, Identifiable {
    /// An emoji with which people reacted.
    public struct Reaction: Hashable, Sendable, Codable {
        /// The emoji, or its short name.
        public var emoji: String
        /// The users who reacted; the first ones, if they are many.
        public var userIds: [String]
        /// The number of all users, if not all are listed.
        public var count: Int?

        public init(emoji: String, userIds: [String], count: Int? = nil) {
            self.emoji = emoji
            self.userIds = userIds
            self.count = count
        }

        /// Whether it is a reaction with this emoji, in whichever form it is written.
        public func isOf(_ emoji: String) -> Bool { Self.isSame(self.emoji, emoji) }

        /// Whether two texts are forms of one emoji, which differ in variation selectors only.
        public static func isSame(_ emoji: String, _ other: String) -> Bool { plain(emoji) == plain(other) }

        private static func plain(_ emoji: String) -> String {
            String(emoji.unicodeScalars.filter { $0 != "\u{FE0E}" && $0 != "\u{FE0F}" })
        }

        /// Returns one entry for each emoji, each person once in it; an earlier server kept the forms of one apart.
        static func merged(_ reactions: [Reaction]) -> [Reaction] {
            var merged: [Reaction] = []
            for reaction in reactions {
                guard let place = merged.firstIndex(where: { $0.isOf(reaction.emoji) }) else {
                    merged.append(reaction)
                    continue
                }
                let (known, other) = (merged[place], reaction)
                let new = other.userIds.filter { !known.userIds.contains($0) }
                merged[place].userIds += new
                guard known.count != nil || other.count != nil else { continue }
                // Who is not listed may have used both forms.
                merged[place].count = max(
                    merged[place].userIds.count, known.count ?? known.userIds.count, other.count ?? other.userIds.count)
            }
            return merged
        }
    }

    /// A file that belongs to the message.
    public struct Attachment: Hashable, Sendable, Codable {
        /// The stored file; nil if the server has none, or has not fetched it yet.
        public var id: String?
        /// The file's name.
        public var name: String
        /// The media type, if it is known.
        public var mediaType: String?
        /// The size of a stored file, or of one that another server has, as that says.
        public var byteCount: Int?
        /// The media type of a file that is not stored, again, for older clients.
        public var type: String?
        /// A description.
        public var caption: String?
        /// What is known of the words of a document, or of a file that another server has; nil for other files.
        public var reading: Reading?

        /// What is known of the words of a document, or of a file that another server has.
        public struct Reading: Hashable, Sendable, Codable {
            /// How far it is: `waiting`, `read`, `no_text`, `too_large`, `protected`, `failed` or `not_fetched`; a later
            /// server may send other words.
            public var state: String
            /// Whether only the beginning of its words is searched; nil if all are.
            public var isCut: Bool?
            /// Whether words were recognised in pictures, so that some may be wrong; nil if not.
            public var isRecognized: Bool?
            /// Why it failed: `damaged`, `took_too_long` or `crashed`; why it is not here: `encrypted`, `gone`,
            /// `refused`, `file_too_large`, `source_away` or `no_room`.
            public var problem: String?

            public init(state: String, isCut: Bool? = nil, isRecognized: Bool? = nil, problem: String? = nil) {
                self.state = state
                self.isCut = isCut
                self.isRecognized = isRecognized
                self.problem = problem
            }
        }

        public init(
            id: String? = nil, name: String, mediaType: String? = nil, byteCount: Int? = nil, type: String? = nil,
            caption: String? = nil
        ) {
            self.id = id
            self.name = name
            self.mediaType = mediaType
            self.byteCount = byteCount
            self.type = type
            self.caption = caption
        }
    }

    /// A member's name in the text.
    public struct Mention: Hashable, Sendable, Codable {
        /// The mentioned member.
        public var userId: String
        /// The offset of `@`, in Unicode scalars.
        public var start: Int
        /// The offset after the name.
        public var end: Int

        public init(userId: String, start: Int, end: Int) {
            self.userId = userId
            self.start = start
            self.end = end
        }
    }

    /// A later message that replaces what an answer of the assistant says.
    public struct Outdated: Hashable, Sendable, Codable {
        /// The message.
        public var by: MessagePlace
        /// When this was noticed, as ISO 8601.
        public var notedAt: String

        public init(by: MessagePlace, notedAt: String) {
            self.by = by
            self.notedAt = notedAt
        }
    }

    /// Unique within its conversation.
    public var id: String
    /// The conversation.
    public var conversationId: String
    /// The sender.
    public var senderId: String
    /// The sender's name when it was written.
    public var senderName: String
    /// The text.
    public var text: String
    /// `text`, `system`, `bot`, `assistant`, or a kind of a later server.
    public var kind: String
    /// When it was sent, as ISO 8601.
    public var timestamp: String
    /// When it was last edited.
    public var editedAt: String?
    /// The message that it replies to.
    public var replyTo: String?
    /// The message with which its thread begins.
    public var threadRoot: String?
    /// Files.
    public var attachments: [Attachment]
    /// Reactions.
    public var reactions: [Reaction]
    /// The id that the sender's client chose.
    public var localId: String?
    /// A link to it in the application that it came from.
    public var url: String?
    /// The number of replies that the person may see; nil for none.
    public var replyCount: Int?
    /// When the last reply was sent.
    public var lastReplyAt: String?
    /// Its position among the live messages of the conversation; nil for imported history.
    public var seq: Int64?
    /// Further fields of the application that it came from; an object.
    public var extra: JSONContent?
    /// Of an answer of the assistant: the message because of which it is no longer true; nil if there is none that the
    /// person may see.
    public var outdated: Outdated?
    /// How far the person's own live message has come: a word such as `delivered`; nil in frames, and for others.
    public var status: String?

    public init(
        id: String, conversationId: String, senderId: String, senderName: String, text: String, kind: String = "text",
        timestamp: String, localId: String? = nil, seq: Int64? = nil
    ) {
        self.id = id
        self.conversationId = conversationId
        self.senderId = senderId
        self.senderName = senderName
        self.text = text
        self.kind = kind
        self.timestamp = timestamp
        attachments = []
        reactions = []
        self.localId = localId
        self.seq = seq
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        conversationId = try fields.decode(String.self, forKey: .conversationId)
        senderId = try fields.decode(String.self, forKey: .senderId)
        senderName = try fields.decodeIfPresent(String.self, forKey: .senderName) ?? senderId
        text = try fields.decode(String.self, forKey: .text)
        kind = try fields.decodeIfPresent(String.self, forKey: .kind) ?? "text"
        timestamp = try fields.decode(String.self, forKey: .timestamp)
        editedAt = try fields.decodeIfPresent(String.self, forKey: .editedAt)
        replyTo = try fields.decodeIfPresent(String.self, forKey: .replyTo)
        threadRoot = try fields.decodeIfPresent(String.self, forKey: .threadRoot)
        replyCount = try fields.decodeIfPresent(Int.self, forKey: .replyCount)
        lastReplyAt = try fields.decodeIfPresent(String.self, forKey: .lastReplyAt)
        attachments = try fields.decodeIfPresent([Attachment].self, forKey: .attachments) ?? []
        reactions = Reaction.merged(try fields.decodeIfPresent([Reaction].self, forKey: .reactions) ?? [])
        localId = try fields.decodeIfPresent(String.self, forKey: .localId)
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        seq = try fields.decodeIfPresent(Int64.self, forKey: .seq)
        extra = try fields.decodeIfPresent(JSONContent.self, forKey: .extra)
        outdated = try fields.decodeIfPresent(Outdated.self, forKey: .outdated)
        status = try fields.decodeIfPresent(String.self, forKey: .status)
    }

    /// Whether it is before `other` in its conversation: history by its own time, then live messages by position.
    public func precedes(_ other: ChatMessage) -> Bool {
        switch (seq, other.seq) {
        case (let own?, let other?): own < other
        case (nil, _?): true
        case (_?, nil): false
        case (nil, nil): (timestamp, id) < (other.timestamp, other.id)
        }
    }
}
