/// What imports have stored of chats: another export is compared with it.
///
/// It checks no permission, because it is for importers and operators. Never show its messages to a person.
///
/// All calls throw ``RepositoryError``.
public protocol ImportedChatRepository: Sendable {
    /// Returns the conversations that have members of a source, ordered by id.
    func importedChats(of source: String) async throws -> [ImportedChat]

    /// Returns messages of a conversation without deleted ones, by ascending (timestamp, arrival).
    ///
    /// - Parameters:
    ///   - id: The conversation; an unknown one has no messages.
    ///   - after: Only messages after this place.
    ///   - limit: The most messages.
    /// - Returns: The messages.
    /// - Throws: Storage errors.
    func importedLines(of id: ConversationID, after: ImportedLine.Place, limit: Int) async throws -> [ImportedLine]

    /// Returns what remains of the deleted messages of a conversation, by ascending (timestamp, arrival).
    func deletedLines(of id: ConversationID) async throws -> [ImportedLine]

    /// Returns the marks of the messages of a conversation that were erased with their author, see ``ErasedLine``.
    func erasedLines(of id: ConversationID) async throws -> Set<MessageID>

    /// Returns the conversations in which an author is a member or has messages, ordered by id.
    ///
    /// - Parameters:
    ///   - externalID: The author's id in the source.
    ///   - source: The source.
    /// - Returns: The conversations.
    /// - Throws: Storage errors.
    func places(of externalID: String, source: String) async throws -> [AuthorPlace]

    /// Makes an author of one conversation a separate author there, who is the same user at first, and then maps
    /// this new author to a user.
    ///
    /// - Parameters:
    ///   - identity: The author and the user; name and address are ignored.
    ///   - id: The conversation.
    ///   - externalID: The id of the new author; the author's own one to map only.
    ///   - moment: The present time.
    /// - Returns: How many messages were reassigned.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unknown author, and for one who is not in the
    ///   conversation.
    func map(_ identity: Identity, in id: ConversationID, as externalID: String, at moment: Timestamp) async throws
        -> Int
}

/// A conversation of an import.
public struct ImportedChat: Hashable, Sendable {
    /// Its id.
    public let id: ConversationID
    /// Its name; nil for one between people.
    public let name: String?
    /// The time of its earliest message; nil if there is none.
    public let first: Timestamp?
    /// The time of its latest message; nil if there is none.
    public let last: Timestamp?

    public init(id: ConversationID, name: String?, first: Timestamp?, last: Timestamp?) {
        self.id = id
        self.name = name
        self.first = first
        self.last = last
    }
}

/// A stored message as far as an export can have it.
public struct ImportedLine: Hashable, Sendable {
    /// A place in the order of a conversation.
    public struct Place: Hashable, Sendable {
        /// The time.
        public let timestamp: Timestamp
        /// The message's number in the store.
        public let number: MessageNumber

        /// The place before all messages.
        public static let start = Place(
            timestamp: Timestamp(microseconds: .min), number: MessageNumber(rawValue: 0))

        public init(timestamp: Timestamp, number: MessageNumber) {
            self.timestamp = timestamp
            self.number = number
        }
    }

    /// Its place.
    public let place: Place
    /// Its id.
    public let id: MessageID
    /// The source of its author's id.
    public let source: String
    /// The author's id in the source, not the user whom the author was mapped to.
    public let authorID: UserID
    /// The author's name.
    public let authorName: String
    /// The text; empty once deleted.
    public let text: String
    /// Whether files were sent with it.
    public let hasFiles: Bool
    /// Whether it was deleted.
    public let isDeleted: Bool
    /// When it was edited, as far as the source says it; nil if never.
    public let editedAt: Timestamp?

    public init(
        place: Place, id: MessageID, source: String, authorID: UserID, authorName: String, text: String,
        hasFiles: Bool, isDeleted: Bool, editedAt: Timestamp? = nil
    ) {
        self.place = place
        self.id = id
        self.source = source
        self.authorID = authorID
        self.authorName = authorName
        self.text = text
        self.hasFiles = hasFiles
        self.isDeleted = isDeleted
        self.editedAt = editedAt
    }
}

/// A conversation in which an author of a source is.
public struct AuthorPlace: Hashable, Sendable, Codable {
    /// The conversation.
    public let id: ConversationID
    /// Its name; nil for one between people.
    public let name: String?
    /// How many messages the author has there, deleted ones included.
    public let messageCount: Int

    public init(id: ConversationID, name: String?, messageCount: Int) {
        self.id = id
        self.name = name
        self.messageCount = messageCount
    }
}
