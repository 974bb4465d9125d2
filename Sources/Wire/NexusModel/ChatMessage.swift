public import Foundation

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
            public var state: State
            /// Whether only the beginning of its words is searched; nil if all are.
            public var isCut: Bool?
            /// Whether words were recognised in pictures, so that some may be wrong; nil if not.
            public var isRecognized: Bool?
            /// Why it failed: `damaged`, `took_too_long` or `crashed`; why it is not here: `encrypted`, `gone`,
            /// `refused`, `file_too_large`, `source_away` or `no_room`.
            public var problem: Problem?

            public init(state: State, isCut: Bool? = nil, isRecognized: Bool? = nil, problem: Problem? = nil) {
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
        /// When this was noticed.
        public var notedAt: Date

        public init(by: MessagePlace, notedAt: Date) {
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
    public var kind: Kind
    /// When it was sent.
    public var timestamp: Date
    /// When it was last edited.
    public var editedAt: Date?
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
    public var lastReplyAt: Date?
    /// Its position among the live messages of the conversation; nil for imported history.
    public var seq: Int64?
    /// Further fields of the application that it came from; an object.
    public var extra: JSONContent?
    /// Of an answer of the assistant: the message because of which it is no longer true; nil if there is none that the
    /// person may see.
    public var outdated: Outdated?
    /// How far the person's own live message has come: a word such as `delivered`; nil in frames, and for others.
    public var status: Status?

    public init(
        id: String, conversationId: String, senderId: String, senderName: String, text: String, kind: Kind = .text,
        timestamp: Date, localId: String? = nil, seq: Int64? = nil
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
        kind = try fields.decodeIfPresent(Kind.self, forKey: .kind) ?? .text
        timestamp = try fields.decode(Date.self, forKey: .timestamp)
        editedAt = try fields.decodeIfPresent(Date.self, forKey: .editedAt)
        replyTo = try fields.decodeIfPresent(String.self, forKey: .replyTo)
        threadRoot = try fields.decodeIfPresent(String.self, forKey: .threadRoot)
        replyCount = try fields.decodeIfPresent(Int.self, forKey: .replyCount)
        lastReplyAt = try fields.decodeIfPresent(Date.self, forKey: .lastReplyAt)
        attachments = try fields.decodeIfPresent([Attachment].self, forKey: .attachments) ?? []
        reactions = Reaction.merged(try fields.decodeIfPresent([Reaction].self, forKey: .reactions) ?? [])
        localId = try fields.decodeIfPresent(String.self, forKey: .localId)
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        seq = try fields.decodeIfPresent(Int64.self, forKey: .seq)
        extra = try fields.decodeIfPresent(JSONContent.self, forKey: .extra)
        outdated = try fields.decodeIfPresent(Outdated.self, forKey: .outdated)
        status = try fields.decodeIfPresent(Status.self, forKey: .status)
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

extension ChatMessage {
    /// Where a message comes from.
    public enum Kind: OpenWord {
        /// A person wrote it.
        case text
        /// The chat itself, such as "Ada joined".
        case system
        /// A program.
        case bot
        /// The assistant of the server.
        case assistant
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Kind] = [.text, .system, .bot, .assistant]

        /// The word.
        public var rawValue: String {
            switch self {
            case .text: "text"
            case .system: "system"
            case .bot: "bot"
            case .assistant: "assistant"
            case .unknown(let word): word
            }
        }
    }

    /// How far a message has come among the other members.
    public enum Status: OpenWord {
        /// It is stored.
        case sent
        /// It reached a device of another member.
        case delivered
        /// Another member read it.
        case read
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Status] = [.sent, .delivered, .read]

        /// The word.
        public var rawValue: String {
            switch self {
            case .sent: "sent"
            case .delivered: "delivered"
            case .read: "read"
            case .unknown(let word): word
            }
        }
    }
}

extension ChatMessage.Attachment.Reading {
    /// How far the reading of a file is.
    public enum State: OpenWord {
        /// It is not read yet.
        case waiting
        /// Its words can be found.
        case read
        /// It has no words.
        case noText
        /// It is too large to be read.
        case tooLarge
        /// It has a password.
        case protected
        /// It could not be read.
        case failed
        /// Another server has it.
        case notFetched
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [State] = [
            .waiting, .read, .noText, .tooLarge, .protected, .failed, .notFetched,
        ]

        /// The word.
        public var rawValue: String {
            switch self {
            case .waiting: "waiting"
            case .read: "read"
            case .noText: "no_text"
            case .tooLarge: "too_large"
            case .protected: "protected"
            case .failed: "failed"
            case .notFetched: "not_fetched"
            case .unknown(let word): word
            }
        }
    }

    /// Why a file was not read, or is not here.
    public enum Problem: OpenWord {
        /// It is cut off, or not what it seems to be.
        case damaged
        /// Reading it took too long.
        case tookTooLong
        /// The process that read it ended without a result.
        case crashed
        /// It is encrypted on the server that it comes from.
        case encrypted
        /// That server does not have it any more.
        case gone
        /// That server does not give it to Nexus.
        case refused
        /// It is larger than a file may be.
        case fileTooLarge
        /// That server does not answer.
        case sourceAway
        /// There is no room for it.
        case noRoom
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Problem] = [
            .damaged, .tookTooLong, .crashed, .encrypted, .gone, .refused, .fileTooLarge, .sourceAway, .noRoom,
        ]

        /// The word.
        public var rawValue: String {
            switch self {
            case .damaged: "damaged"
            case .tookTooLong: "took_too_long"
            case .crashed: "crashed"
            case .encrypted: "encrypted"
            case .gone: "gone"
            case .refused: "refused"
            case .fileTooLarge: "file_too_large"
            case .sourceAway: "source_away"
            case .noRoom: "no_room"
            case .unknown(let word): word
            }
        }
    }
}
