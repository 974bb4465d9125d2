import ChatCore
import Foundation
import Histories
import Synchronization

/// How far a room was read, as a connector keeps it in the store: one JSON object.
protocol ConnectorProgress: Codable, Equatable, Sendable {
    /// Nothing was read yet.
    init()

    /// Whether the beginning of the history was reached.
    var isComplete: Bool { get }
    /// Whether Nexus is no longer in the room.
    var hasLeft: Bool { get set }
    /// The room that continues the conversation; nil for none.
    var replacedBy: String? { get }
}

extension ConnectorProgress {
    var replacedBy: String? { nil }

    /// Reads what ``text`` wrote; a text that cannot be read is a beginning.
    init(_ text: String) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? Self()
    }

    /// One JSON object.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// The rooms of a source, as this process knows them, with their members in the store.
final class ConnectorRooms<Progress: ConnectorProgress>: Sendable {
    private struct State {
        var rooms: [String: ConnectorRoom] = [:]
        var isLoaded = false
    }

    private let source: String
    private let store: any ConnectorStore
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(source: String, store: any ConnectorStore, now: @escaping @Sendable () -> Timestamp) {
        (self.source, self.store, self.now) = (source, store, now)
    }

    /// Reads the rooms of the store once.
    private func load() async throws {
        guard !state.withLock({ $0.isLoaded }) else { return }
        var rooms = try await store.connectorRooms(of: source)
        for index in rooms.indices where rooms[index].isLeftOut && !rooms[index].isErased {
            // Like a room that Nexus left: when it is taken in again, all of it is read again.
            var progress = Progress(rooms[index].progress)
            guard !progress.hasLeft else { continue }
            progress.hasLeft = true
            rooms[index].progress = progress.text
            // Of a connection that is paused it is noted later.
            try? await store.store(rooms[index], of: source)
        }
        state.withLock { state in
            guard !state.isLoaded else { return }
            for room in rooms { state.rooms[room.id] = room }
            state.isLoaded = true
        }
    }

    /// Forgets everything that is not in the store.
    func forget() { state.withLock { $0 = State() } }

    /// Whether administrators let the source be read and answered.
    func isActive() async throws -> Bool { try await store.connection(to: source).state == .active }

    /// Returns a room that is known; nil for none.
    func room(_ id: String) async throws -> ConnectorRoom? {
        try await load()
        return state.withLock { $0.rooms[id] }
    }

    /// Returns the room of a conversation; nil for none.
    func room(of conversation: ConversationID) async throws -> ConnectorRoom? {
        try await rooms(of: conversation).first
    }

    /// Returns the rooms of a conversation, ordered by id: several if one replaced the other.
    func rooms(of conversation: ConversationID) async throws -> [ConnectorRoom] {
        try await load()
        return state.withLock { state in
            state.rooms.values.filter { $0.conversationID == conversation }.sorted { $0.id < $1.id }
        }
    }

    /// Returns all rooms, ordered by id.
    func all() async throws -> [ConnectorRoom] {
        try await load()
        return state.withLock { $0.rooms.values.sorted { $0.id < $1.id } }
    }

    /// Returns the rooms whose history is not complete, ordered by id.
    func unfinished() async throws -> [ConnectorRoom] {
        try await all().filter { room in
            let progress = Progress(room.progress)
            return !progress.isComplete && !progress.hasLeft && !room.isErased
        }
    }

    /// Returns the ids of the rooms that Nexus is in.
    func open() async throws -> [String] {
        try await all().filter { !Progress($0.progress).hasLeft && !$0.isErased }.map(\.id)
    }

    /// Adds a room unless it is known; returns whether it is new.
    func add(_ id: String, _ conversation: ConversationID) -> Bool {
        state.withLock { state in
            guard state.rooms[id] == nil else { return false }
            state.rooms[id] = ConnectorRoom(id: id, conversationID: conversation, progress: "")
            return true
        }
    }

    /// Whether the conversation of a room was erased or left out, perhaps a moment ago.
    func isClosed(_ id: String) async throws -> Bool {
        guard let known = try await room(id) else { return false }
        let stored = try await store.connectorRooms(of: source).first { $0.id == id }
        guard let stored, stored.isErased || stored.isLeftOut else { return known.isErased }
        if stored.isErased { state.withLock { $0.rooms[id] = stored } }
        return true
    }

    /// Changes how far a room was read, and stores that.
    func update(_ id: String, _ change: @Sendable (inout Progress) -> Void) async throws {
        let changed = state.withLock { state -> ConnectorRoom? in
            guard var room = state.rooms[id] else { return nil }
            var progress = Progress(room.progress)
            change(&progress)
            guard progress.text != room.progress, !room.isErased else { return nil }
            room.progress = progress.text
            state.rooms[id] = room
            return room
        }
        if let changed { try await store.store(changed, of: source) }
    }

    /// Stores what was read of a room together with the place where reading ended.
    ///
    /// - Parameters:
    ///   - page: What was read.
    ///   - change: Changes the progress; false if the page is not to be stored.
    /// - Throws: ``RepositoryError``.
    func take(_ page: ConnectorPage, _ change: @Sendable (inout Progress) -> Bool) async throws {
        let text = state.withLock { state -> String? in
            guard let room = state.rooms[page.room], !room.isErased else { return nil }
            var progress = Progress(room.progress)
            return change(&progress) ? progress.text : nil
        }
        guard let text else { return }
        var page = page
        page.progress = text
        try await store.take(page, at: now())
        state.withLock { $0.rooms[page.room]?.progress = text }
    }
}

// MARK: - Members

extension ConnectorRooms {
    /// Returns the stored conversation with its members; nil for none.
    func roster(of id: ConversationID) async throws -> ConversationRoster? {
        do {
            return try await store.roster(of: id)
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    /// Returns a conversation with its present members, who read everything in it.
    ///
    /// - Parameters:
    ///   - conversation: The conversation as its server describes it; what only Nexus knows of it is kept.
    ///   - people: The present members; when they joined is not looked at.
    ///   - known: The stored conversation; nil for none.
    /// - Returns: The conversation, read at its time of update.
    func roster(
        _ conversation: Conversation, _ people: [Member], known: ConversationRoster?
    ) -> ConversationRoster {
        let earlier = Dictionary(
            (known?.members ?? []).filter { $0.leftAt == nil }.map { ($0.userID, $0.joinedAt) }
        ) { first, _ in first }
        var conversation = conversation
        let readAt = conversation.updatedAt
        if let known {
            (conversation.history, conversation.timeZone) = (known.conversation.history, known.conversation.timeZone)
        }
        let members = people.map { person in
            Member(
                userID: person.userID, displayName: person.displayName, aliases: person.aliases,
                joinedAt: earlier[person.userID] ?? (known == nil ? conversation.createdAt : readAt))
        }.sorted { $0.userID < $1.userID }
        return ConversationRoster(conversation: conversation, members: members, listedAt: readAt)
    }

    /// Stores a conversation with its members.
    func store(_ roster: ConversationRoster) async throws {
        try await store.store(roster, connectedTo: source, at: now())
    }

    /// Ends the membership of a person; the next complete list decides again.
    func remove(_ user: UserID, named name: String, from id: String) async throws {
        guard var roster = try await presentRoster(of: id) else { return }
        roster.members = [
            Member(userID: user, displayName: name, joinedAt: Timestamp(microseconds: 0), leftAt: now())
        ]
        (roster.listedAt, roster.rights) = (nil, nil)
        try await store(roster)
    }

    /// Ends all memberships of a room that Nexus is no longer in: it does not hear any more who leaves.
    func close(_ id: String, readAt: Timestamp) async throws {
        guard let room = try await room(id), !Progress(room.progress).hasLeft, !room.isErased else { return }
        try await removeAll(from: id, readAt: readAt)
        try await update(id) { $0.hasLeft = true }
    }

    /// Ends all memberships of a room.
    func removeAll(from id: String, readAt: Timestamp) async throws {
        guard var roster = try await presentRoster(of: id) else { return }
        roster.members = []
        (roster.listedAt, roster.rights) = (readAt, nil)
        try await store(roster)
    }

    /// Returns the stored conversation of a room; nil if it was erased, which stays without members.
    private func presentRoster(of id: String) async throws -> ConversationRoster? {
        guard let room = try await room(id), try await !isClosed(id) else { return nil }
        return try await roster(of: room.conversationID)
    }
}
