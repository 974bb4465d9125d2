import ChatCore
import Foundation

/// Reads a conversation with its members.
///
/// `id?`, `kind?`, `visibility?`, `history?`, `name?`, `timeZone?`, `createdAt?`, `members` (each `userId`, `name?`, `aliases?`,
/// `joinedAt?`, `leftAt?`).
enum ConversationFields {
    static let memberLimit = 10_000

    /// Reads a conversation; one without an id gets `newID`.
    static func roster(
        _ fields: JSONField, newID: @autoclosure () -> String, at moment: Timestamp
    ) throws(FieldError) -> ConversationRoster {
        let fields = try fields.object()
        let created = try fields["createdAt"].optionalTimestamp() ?? moment
        let conversation = Conversation(
            id: try fields["id"].optionalIdentifier() ?? ConversationID(rawValue: newID()),
            kind: try fields["kind"].optionalWord() ?? .group,
            visibility: try fields["visibility"].optionalWord() ?? .members,
            history: try fields["history"].optionalWord() ?? .all, name: try name(fields["name"]),
            timeZone: try timeZone(fields["timeZone"]), createdAt: created, updatedAt: moment)
        var members: [Member] = []
        for item in try fields["members"].optionalArray(atMost: memberLimit) ?? [] {
            members.append(try member(item, userID: try item.object()["userId"].identifier(), joinedAt: created))
        }
        guard !members.isEmpty || conversation.visibility == .everyone else {
            throw fields["members"].error("must name one member or more")
        }
        return ConversationRoster(conversation: conversation, members: members)
    }

    /// Reads the fields of a member, except the user id.
    static func member(
        _ fields: JSONField, userID: UserID, joinedAt moment: Timestamp
    ) throws(FieldError) -> Member {
        let fields = try fields.object()
        var aliases: [String] = []
        for item in try fields["aliases"].optionalArray(atMost: Member.aliasLimit) ?? [] {
            aliases.append(try name(item) ?? "")
        }
        return Member(
            userID: userID, displayName: try name(fields["name"]) ?? userID.rawValue, aliases: aliases,
            joinedAt: try fields["joinedAt"].optionalTimestamp() ?? moment,
            leftAt: try fields["leftAt"].optionalTimestamp())
    }

    private static func name(_ field: JSONField) throws(FieldError) -> String? {
        guard let name = try field.refusingNull().optionalString() else { return nil }
        if let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw field.error(fault) }
        return name
    }

    private static func timeZone(_ field: JSONField) throws(FieldError) -> String? {
        guard let name = try field.optionalString() else { return nil }
        guard TimeZone(named: name) != nil else {
            throw field.error("must be the IANA name of a zone, as Europe/Berlin")
        }
        return name
    }
}
