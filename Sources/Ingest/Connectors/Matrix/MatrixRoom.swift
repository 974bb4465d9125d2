import ChatCore
import Foundation
import Histories

/// How far the history of a room was read, as the store keeps it.
struct MatrixProgress: ConnectorProgress {
    /// The token of `/messages` at which reading continues towards the beginning; nil to begin at the end.
    var from: String?
    /// Whether the beginning was reached.
    var isComplete = false
    /// Whether Nexus is no longer in the room.
    var hasLeft = false
    /// Who may read the history, as the room's rule was last read.
    var visibility: String?
    /// The room that replaced this one in the same conversation; nil for none.
    var replacedBy: String?
    /// When that happened, in microseconds since 1970.
    var replacedAt: Int64?
    /// When this room replaced another one in the same conversation; nil if it did not.
    var openedAt: Int64?
}

/// The part of a conversation that is in a room: an upgraded room is one conversation with those that it replaced.
struct MatrixPart: Equatable, Sendable {
    let conversation: ConversationID
    /// The beginning and the end of the room's time; nil for none.
    var (openedAt, closedAt): (Timestamp?, Timestamp?)

    init(_ conversation: ConversationID, _ progress: MatrixProgress) {
        self.conversation = conversation
        openedAt = progress.openedAt.map { Timestamp(microseconds: $0) }
        closedAt = progress.replacedBy == nil ? nil : progress.replacedAt.map { Timestamp(microseconds: $0) }
    }
}

/// The present state of a room: its name, its rule about history, and its people.
struct MatrixRoomState: Sendable {
    private struct Person {
        let isPresent: Bool
        let since: Timestamp
        /// Whether the person was in the room before the event, which then changed the name.
        let wasPresent: Bool
        /// Whether it is the person's own event.
        let isOwn: Bool
    }

    private(set) var name: String?
    /// Whether it is a space: a list of rooms, and no talk.
    private(set) var isSpace = false
    private(set) var names: [String: String] = [:]
    private(set) var createdAt = Timestamp(microseconds: 0)
    /// Who may read the history, and since when that holds.
    private(set) var visibility: (rule: String, since: Timestamp, isChanged: Bool)?
    /// The room that replaced this one, as somebody said at a time.
    private(set) var replacement: (room: String, at: Timestamp, sender: String)?
    /// The room that this one says it replaced.
    private(set) var predecessor: String?
    private var alias: String?
    private var people: [String: Person] = [:]

    /// Reads the events of a room's state.
    init(_ events: [JSONFields], in room: String) {
        for fields in events {
            guard let event = MatrixEvent(fields, in: room), let key = event.stateKey else { continue }
            if event.type == "m.room.member" {
                add(event, of: key)
            } else if key.isEmpty {
                add(event)
            }
        }
    }

    private mutating func add(_ event: MatrixEvent) {
        switch event.type {
        case "m.room.name": name = event.content.text("name").map { TextLimit.name.cut($0) }
        case "m.room.canonical_alias": alias = event.content.text("alias").map { TextLimit.name.cut($0) }
        case "m.room.create":
            createdAt = event.timestamp
            isSpace = event.content.text("type") == "m.space"
            predecessor = event.content.object("predecessor")?.text("room_id")
        case "m.room.tombstone":
            replacement = event.content.text("replacement_room").map { ($0, event.timestamp, event.sender) }
        case "m.room.history_visibility":
            let isChanged = event.unsigned?.text("replaces_state") != nil
            visibility = (event.content.text("history_visibility") ?? "joined", event.timestamp, isChanged)
        default: break
        }
    }

    private mutating func add(_ event: MatrixEvent, of person: String) {
        let before = event.unsigned?.object("prev_content")
        names[person] = event.content.text("displayname") ?? before?.text("displayname")
        people[person] = Person(
            isPresent: event.content.text("membership") == "join", since: event.timestamp,
            wasPresent: before?.text("membership") == "join", isOwn: event.sender == person)
    }

    /// Whether somebody is in the room.
    func isPresent(_ person: String) -> Bool { people[person]?.isPresent ?? false }

    /// Returns who read the room at a time and was not sent away since.
    func readers(at moment: Timestamp) -> [String] {
        people.filter { person in
            let hasGone = person.value.wasPresent && person.value.isOwn && person.value.since >= moment
            return person.value.isPresent || hasGone
        }.map(\.key)
    }

    /// Whether everybody in the room may read what was written before they came.
    static func isShared(_ rule: String?) -> Bool { ["shared", "world_readable"].contains(rule) }

    /// The conversation with its present members.
    ///
    /// - Parameters:
    ///   - room: The room.
    ///   - conversationID: Its conversation.
    ///   - settings: Names the user of the application service, which is no member.
    ///   - readAt: When reading began.
    ///   - known: The stored conversation; nil for a new one.
    /// - Returns: The conversation as an import states it.
    func roster(
        of room: String, in conversationID: ConversationID, settings: MatrixSettings, readAt: Timestamp,
        known: ConversationRoster?
    ) -> ConversationRoster {
        let mapping = MatrixMapping(settings: settings, names: names)
        let earlier = Dictionary(
            (known?.members ?? []).filter { $0.leftAt == nil }.map { ($0.userID, $0.joinedAt) }
        ) { first, _ in first }
        let members = people.filter { $0.value.isPresent && $0.key != settings.userID }.map { id, person in
            let user = mapping.naming.user(id)
            let since = person.wasPresent ? earlier[user] ?? person.since : person.since
            return Member(userID: user, displayName: mapping.name(of: id), joinedAt: since)
        }.sorted { $0.userID < $1.userID }
        let isDirect = name == nil && alias == nil && members.count <= 2
        let title = name ?? alias ?? members.prefix(3).map(\.displayName).joined(separator: ", ")
        let isLimited = !Self.isShared(visibility?.rule) || visibility?.isChanged == true
        let conversation = Conversation(
            id: conversationID, kind: isDirect ? .direct : .group, visibility: .members,
            history: known?.conversation.history ?? (isLimited ? .joined : .all),
            name: isDirect ? nil : title.isEmpty ? room : title, timeZone: known?.conversation.timeZone,
            createdAt: createdAt, updatedAt: readAt)
        return ConversationRoster(conversation: conversation, members: members, listedAt: readAt)
    }

    /// Makes a conversation that earlier rooms began continue in this one.
    ///
    /// - Parameters:
    ///   - roster: The conversation as this room alone states it.
    ///   - known: The stored conversation.
    /// - Returns: The conversation with its beginning, and with the memberships that go on.
    static func continued(_ roster: ConversationRoster, from known: ConversationRoster) -> ConversationRoster {
        var roster = roster
        roster.conversation.createdAt = known.conversation.createdAt
        roster.conversation.history = .joined
        let earlier = Dictionary(known.members.filter { $0.leftAt == nil }.map { ($0.userID, $0.joinedAt) }) { $1 }
        roster.members = roster.members.map { member in
            var member = member
            if let joined = earlier[member.userID] { member.joinedAt = min(joined, member.joinedAt) }
            return member
        }
        return roster
    }

    /// The reading rights of a room that replaces another one: who is in the new room only reads nothing of the old one,
    /// and the other way round.
    ///
    /// - Parameters:
    ///   - moment: When it replaced the other.
    ///   - readers: Who read the other until then.
    ///   - members: The members of this room, with the times at which they joined it.
    /// - Returns: The rights from that moment on.
    func rights(since moment: Timestamp, readers: Set<UserID>, members: [Member]) -> ReadingRights {
        let isShared = Self.isShared(visibility?.rule)
        var own = Dictionary(readers.map { ($0, [ReadingSpan]()) }) { $1 }
        if !isShared {
            for member in members { own[member.userID] = [ReadingSpan(since: max(member.joinedAt, moment))] }
        }
        var rights = ReadingRights(since: moment, shared: isShared ? [ReadingSpan(since: moment)] : [], own: own)
        rights.earlierReaders = readers
        return rights
    }

    /// The authors of the room with their names.
    func authors(settings: MatrixSettings) -> [Identity] {
        let mapping = MatrixMapping(settings: settings, names: names)
        return people.keys.filter { $0 != settings.userID }.sorted().map {
            mapping.naming.author($0, name: mapping.name(of: $0))
        }
    }

    /// The reading rights from the moment at which the rule about history changed.
    func rights(members: [Member]) -> ReadingRights? {
        guard let visibility else { return nil }
        let isShared = Self.isShared(visibility.rule)
        let own = members.map { ($0.userID, [ReadingSpan(since: max($0.joinedAt, visibility.since))]) }
        return ReadingRights(
            since: visibility.since, shared: isShared ? [ReadingSpan(since: visibility.since)] : [],
            own: isShared ? [:] : Dictionary(own) { first, _ in first })
    }
}
