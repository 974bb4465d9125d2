/// A room of a source that a connector follows, and the conversation in which its messages are.
public struct ConnectorRoom: Hashable, Sendable {
    /// The room's id in the source.
    public let id: String
    /// The conversation.
    public let conversationID: ConversationID
    /// How far its history was read, in the connector's own words: one JSON object, as text.
    public var progress: String
    /// Whether an administrator left it out: nothing of it is read, and nobody reads what is stored.
    public var isLeftOut: Bool
    /// The name of the conversation; nil for none.
    public var name: String?

    public init(
        id: String, conversationID: ConversationID, progress: String, isLeftOut: Bool = false, name: String? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.progress = progress
        self.isLeftOut = isLeftOut
        self.name = name
    }
}

/// An event of a source that a connector read: each is counted once, with its effect or the reason why it has none.
public struct ConnectorEvent: Hashable, Sendable {
    /// The effect of an event, or the reason why it was left out.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It is stored as a message.
        case message
        /// It changed the text of a message.
        case edit
        case reaction
        /// It deleted something, or it was an answer of the assistant that was removed; its target is the message that holds
        /// the answer until the present answer is sent.
        case deletion
        /// It changed the members, the name or the rules of the room.
        case room
        /// The assistant's own answer; its target is the message that holds the answer.
        case answer
        /// Left out: it is encrypted.
        case encrypted
        /// Left out: it had been deleted before it was read.
        case deleted
        /// Left out: it says nothing that can be stored as text.
        case empty
        /// Left out: it changes a message of somebody else, which has no effect in the source either.
        case foreign
        /// Left out: its type is not understood.
        case unsupported
        /// Left out: it breaks a rule of the store.
        case refused
        /// Left out: it was written in a room after another one had replaced that room.
        case replaced

        /// Whether it is left out.
        public var isLeftOut: Bool {
            switch self {
            case .message, .edit, .reaction, .deletion, .room, .answer: false
            case .encrypted, .deleted, .empty, .foreign, .unsupported, .refused, .replaced: true
            }
        }
    }

    /// The event's id, unique in its room.
    public let id: String
    /// Its effect.
    public var kind: Kind
    /// The message that it is about; nil for none.
    public var target: MessageID?
    /// Of a reaction: who reacted, by the author's id in the source, and the emoji.
    public var reaction: Reaction?

    /// A reaction of one person.
    public struct Reaction: Hashable, Sendable {
        /// The author's id in the source.
        public let authorID: UserID
        /// The emoji.
        public let emoji: String

        public init(authorID: UserID, emoji: String) {
            self.authorID = authorID
            self.emoji = emoji
        }
    }

    /// A reaction that began or ended, in a source where reactions have no ids.
    public struct ReactionChange: Hashable, Sendable {
        /// The message.
        public let target: MessageID
        /// The reaction.
        public let reaction: Reaction
        /// Whether it ended.
        public let isRemoved: Bool

        public init(target: MessageID, reaction: Reaction, isRemoved: Bool) {
            (self.target, self.reaction, self.isRemoved) = (target, reaction, isRemoved)
        }
    }

    public init(id: String, kind: Kind, target: MessageID? = nil, reaction: Reaction? = nil) {
        self.id = id
        self.kind = kind
        self.target = target
        self.reaction = reaction
    }
}

/// The state of a message as a connector read it.
public struct ConnectorMessage: Hashable, Sendable {
    /// The message's id.
    public let id: MessageID
    /// The whole message without reactions; nil if it was deleted.
    public let message: Message?
    /// When reading began by our clock, or the source's own time of the state: an earlier state never replaces a later one.
    public let readAt: Timestamp
    /// All reactions to the message; nil if they come from events.
    public var reactions: [ConnectorEvent.Reaction]?
    /// Whether the state is the first one of the message, which replaces none that is stored.
    public let isFirst: Bool
    /// What the author wants with the own link, when the message is stored for the first time; its text has no code.
    public var linkCommand: LinkCommand?

    public init(id: MessageID, message: Message?, readAt: Timestamp, isFirst: Bool = false) {
        self.id = id
        self.message = message
        self.readAt = readAt
        self.isFirst = isFirst
    }
}

/// What a connector read of a room, to be stored in one transaction.
public struct ConnectorPage: Sendable {
    /// The source, also of the authors' ids.
    public let source: String
    /// The room's id in the source.
    public let room: String
    /// States of messages, in the order in which they were written.
    public var messages: [ConnectorMessage] = []
    /// The events that were read; those that are known are not counted again, but an answer may get a target, or become a
    /// deletion.
    public var events: [ConnectorEvent] = []
    /// Ids of events that were deleted: reactions among them end.
    public var deletedEvents: [String] = []
    /// Reactions without ids that began or ended, in order.
    public var reactionChanges: [ConnectorEvent.ReactionChange] = []
    /// How far the room's history was read; nil if that did not change.
    public var progress: String?
    /// Whether the messages come from the room's history: nobody is notified of them.
    public var isHistory = false

    public init(source: String, room: String) {
        self.source = source
        self.room = room
    }
}

/// The place of a stored message of a room.
public struct ConnectorPlace: Hashable, Sendable {
    /// The message's id.
    public let id: MessageID
    /// The first message of its thread; nil if it is not a reply in one.
    public let threadRootID: MessageID?

    public init(id: MessageID, threadRootID: MessageID?) {
        (self.id, self.threadRootID) = (id, threadRootID)
    }
}

/// How many events of a room had an effect, or were left out for a reason.
public struct ConnectorCount: Hashable, Sendable {
    /// The room's id in the source.
    public let room: String
    /// The effect or the reason.
    public let kind: ConnectorEvent.Kind
    /// The number of events.
    public let count: Int

    public init(room: String, kind: ConnectorEvent.Kind, count: Int) {
        self.room = room
        self.kind = kind
        self.count = count
    }
}

/// What connectors have read of their sources.
///
/// It checks no permission, because it is for connectors and operators. All calls throw ``RepositoryError``.
public protocol ConnectorRepository: Sendable {
    /// Returns the rooms of a source, ordered by id.
    func connectorRooms(of source: String) async throws -> [ConnectorRoom]

    /// Stores a room, or replaces its progress.
    ///
    /// - Throws: ``RepositoryError``, also if the connection is not active.
    func store(_ room: ConnectorRoom, of source: String) async throws

    /// Stores the conversation of a room with its members; one of a room that was left out gets no members.
    ///
    /// - Throws: ``RepositoryError``, also if the connection is not active.
    func store(_ roster: ConversationRoster, connectedTo source: String, at moment: Timestamp) async throws

    /// Stores the facts that a source reports about authors, and joins those with accounts who have the same verified mail
    /// address; see ``PersonLinkRepository``.
    ///
    /// An author without ``Identity/verifiedEmail`` has none any more. An address that another author of the source had
    /// before joins nobody.
    ///
    /// - Throws: ``RepositoryError``, also if the connection is not active.
    func storeAuthors(_ authors: [Identity], connectedTo source: String, at moment: Timestamp) async throws

    /// Stores what was read of a room; nothing if the room was erased or left out.
    ///
    /// A deleted message stays deleted. The deletion of a message that never arrived leaves a tombstone. A message that
    /// breaks a rule of the store is left out, and its event is counted as refused.
    ///
    /// - Parameters:
    ///   - page: What was read; its room is known.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError``, also if the connection is not active; then nothing was stored.
    func take(_ page: ConnectorPage, at moment: Timestamp) async throws

    /// Returns those of the events of a room that are known.
    func connectorEvents(_ ids: [String], in room: String, of source: String) async throws -> [String: ConnectorEvent]

    /// Returns the events with which the assistant's answer was sent to a room, ordered by id; those that are being
    /// removed are of the kind ``ConnectorEvent/Kind/deletion``.
    func connectorEvents(of answer: MessageID, in room: String, of source: String) async throws -> [ConnectorEvent]

    /// Returns the stored messages of a room that came from the source and are not deleted, ordered by id.
    ///
    /// - Parameters:
    ///   - room: The room's id in the source.
    ///   - source: The source.
    ///   - last: Only messages after this id; nil for all.
    ///   - limit: The most messages.
    /// - Returns: Their ids.
    /// - Throws: ``RepositoryError``.
    func connectorMessages(
        in room: String, of source: String, after last: String?, limit: Int
    ) async throws -> [MessageID]

    /// Returns the stored messages of a part of a room that came from the source and are not deleted, in a source whose
    /// ids of messages are in the order of time.
    ///
    /// - Parameters:
    ///   - room: The room's id in the source.
    ///   - source: The source.
    ///   - root: Only replies in this thread; nil for the messages of the part that are no replies, and the replies to
    ///     these and to the message after which the part begins.
    ///   - first: The part begins after this id.
    ///   - last: The part ends before this id.
    /// - Returns: Their places, in no order.
    /// - Throws: ``RepositoryError``.
    func connectorMessages(
        in room: String, of source: String, inThread root: MessageID?, after first: String, before last: String
    ) async throws -> [ConnectorPlace]

    /// Returns how many events were read of each room, by effect or reason.
    func connectorCounts(of source: String) async throws -> [ConnectorCount]

    /// Returns the next file to fetch: of the latest message first.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - rooms: The rooms whose files are fetched, by their ids in the source.
    ///   - moment: The present time.
    /// - Returns: The file; if there is none, the time at which the next one is tried again, or nil.
    /// - Throws: ``RepositoryError``.
    func nextRemoteFile(
        of source: String, in rooms: [String], at moment: Timestamp
    ) async throws -> (file: RemoteFile?, nextAt: Timestamp?)

    /// Stores a file that arrives from its source, and gives it to its message, in one transaction.
    ///
    /// It is no edit of the message. The file counts for the shares of its sender and of all, but not as one without a
    /// message.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - source: The source.
    ///   - id: The id of the stored file.
    ///   - content: The bytes; an error that it throws means that the rest does not come.
    ///   - limits: The limits of one file, of one person, and of all.
    ///   - moment: The present time.
    /// - Returns: Whether it was stored; false if the message does not have it any more.
    /// - Throws: ``FileError``, ``RepositoryError``; then nothing was stored.
    func store<Content: AsyncSequence & Sendable>(
        _ file: RemoteFile, of source: String, as id: FileID, content: Content, limits: FileLimits, at moment: Timestamp
    ) async throws -> Bool where Content.Element == [UInt8]

    /// Notes with the message why a file could not be fetched.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - source: The source.
    ///   - problem: The reason.
    ///   - later: When it is tried again; nil for never.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError``.
    func postpone(
        _ file: RemoteFile, of source: String, problem: FileReading.Problem, until later: Timestamp?,
        at moment: Timestamp
    ) async throws

    /// Returns how many answers are still to be removed from the rooms of a source, or to be replaced there, although that
    /// was tried at least twice.
    func failedRemovalCount(of source: String) async throws -> Int

    /// Returns how many files of each room are not here, by reason.
    func remoteFileCounts(of source: String) async throws -> [RemoteFileCount]
}

extension ConnectorRoom {
    /// The progress of a room whose conversation was erased: nothing of it is read again.
    public static let erasedProgress = #"{"isErased":true}"#

    /// Whether its conversation was erased.
    public var isErased: Bool { progress == Self.erasedProgress }
}
