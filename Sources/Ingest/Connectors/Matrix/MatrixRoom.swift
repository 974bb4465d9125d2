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
}

/// The present state of a room: its name, its rule about history, and its people.
struct MatrixRoomState: Sendable {
    private struct Person {
        let isPresent: Bool
        let since: Timestamp
        /// Whether the person was in the room before the event, which then changed the name.
        let wasPresent: Bool
    }

    private(set) var name: String?
    private(set) var names: [String: String] = [:]
    private(set) var createdAt = Timestamp(microseconds: 0)
    /// Who may read the history, and since when that holds.
    private(set) var visibility: (rule: String, since: Timestamp, isChanged: Bool)?
    private(set) var replacement: String?
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
        case "m.room.create": createdAt = event.timestamp
        case "m.room.tombstone": replacement = event.content.text("replacement_room")
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
            wasPresent: before?.text("membership") == "join")
    }

    /// Whether somebody is in the room.
    func isPresent(_ person: String) -> Bool { people[person]?.isPresent ?? false }

    /// Whether everybody in the room may read what was written before they came.
    static func isShared(_ rule: String?) -> Bool { ["shared", "world_readable"].contains(rule) }

    /// The conversation with its present members.
    ///
    /// - Parameters:
    ///   - room: The room.
    ///   - settings: Names the user of the application service, which is no member.
    ///   - readAt: When reading began.
    ///   - known: The stored conversation; nil for a new one.
    /// - Returns: The conversation as an import states it.
    func roster(
        of room: String, settings: MatrixSettings, readAt: Timestamp, known: ConversationRoster?
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
            id: mapping.naming.conversation(room), kind: isDirect ? .direct : .group, visibility: .members,
            history: known?.conversation.history ?? (isLimited ? .joined : .all),
            name: isDirect ? nil : title.isEmpty ? room : title, timeZone: known?.conversation.timeZone,
            createdAt: createdAt, updatedAt: readAt)
        return ConversationRoster(conversation: conversation, members: members, listedAt: readAt)
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
