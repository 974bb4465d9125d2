import ChatCore
import Histories

/// An event of a room, as a homeserver sends it.
struct MatrixEvent: Sendable {
    /// What an event that is not part of a room's state does.
    enum Effect {
        case message
        case edit(of: String)
        case reaction(to: String, key: String)
        case deletion(of: String)
        case encrypted
        /// Its content was deleted, so nothing is known of it but that it was there.
        case deleted
        case unsupported
    }

    private static let messageTypes: Set<String> = [
        "m.room.message", "m.sticker", "m.poll.start", "org.matrix.msc3381.poll.start",
    ]

    let id: String
    let room: String
    let type: String
    let sender: String
    let stateKey: String?
    let timestamp: Timestamp
    let content: JSONFields
    let unsigned: JSONFields?
    private let redacts: String?
    private let isContentEmpty: Bool

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - fields: The event.
    ///   - room: Its room, if the event need not name it.
    init?(_ fields: JSONFields, in room: String? = nil) {
        guard let id = fields.text("event_id"), let room = fields.text("room_id") ?? room,
            let type = fields.text("type"), let sender = fields.text("sender"),
            let time = fields.integer("origin_server_ts").flatMap({ HistoryTime.moment(milliseconds: $0) }),
            let content = fields.object("content")
        else { return nil }
        (self.id, self.room, self.type, self.sender, self.timestamp, self.content) = (
            id, room, type, sender, time, content
        )
        if case .string(let key)? = fields["state_key"] { stateKey = key } else { stateKey = nil }
        unsigned = fields.object("unsigned")
        redacts = fields.text("redacts") ?? content.text("redacts")
        isContentEmpty = fields["content"] == .object([:])
    }

    /// Whether its content was deleted; an erased account leaves no other sign than an empty content.
    var isDeleted: Bool { unsigned?.object("redacted_because") != nil || isContentEmpty }

    var relation: JSONFields? { content.object("m.relates_to") }

    /// Whether its type is that of messages.
    var isOfMessageType: Bool { Self.messageTypes.contains(type) }

    var effect: Effect {
        if type == "m.room.redaction" { return redacts.map { .deletion(of: $0) } ?? .deleted }
        if isDeleted { return .deleted }
        if type == "m.reaction" {
            guard let target = relation?.text("event_id"), let key = relation?.text("key"),
                TextLimit.name.admits(key)
            else { return .unsupported }
            return .reaction(to: target, key: key)
        }
        if type == "m.room.encrypted" { return .encrypted }
        guard isOfMessageType else { return .unsupported }
        if relation?.text("rel_type") == "m.replace", let target = relation?.text("event_id") {
            return .edit(of: target)
        }
        return .message
    }

    /// The edit that counts, if the homeserver has put it into the event: by its author, not deleted, and the latest.
    var bundledEdit: MatrixEvent? {
        guard let fields = unsigned?.object("m.relations")?.object("m.replace"),
            let edit = MatrixEvent(fields, in: room), edit.sender == sender, !edit.isDeleted
        else { return nil }
        return edit
    }
}
