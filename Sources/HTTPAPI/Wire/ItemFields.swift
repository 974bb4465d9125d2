import Assistant
import ChatCore

/// Which items a list shows.
struct ItemFilter {
    /// Only those of this person.
    private let personID: UserID?
    private let status: ExtractedItem.Status?
    /// What decisions have to be about.
    let question: String?
    /// The item behind which the page begins.
    let after: ItemID?

    /// Reads the query: `assignee` (`me` or an id) and `status` of action items and deadlines, `q` of decisions, `after`.
    init(_ incoming: IncomingRequest, kind: ExtractedItem.Kind, asker: UserID) throws {
        func field(_ name: String) -> JSONField {
            JSONField(incoming.query(name).map { .string($0) }, at: FieldPath(name))
        }
        after = try field("after").optionalIdentifier()
        question = kind == .decision ? try field("q").optionalString() : nil
        if let fault = question.flatMap({ TextLimit.question.fault(of: $0) }) { throw field("q").error(fault) }
        status = kind == .decision ? nil : try field("status").optionalWord()
        let person: UserID? = kind == .decision ? nil : try field("assignee").optionalIdentifier()
        personID = person == "me" ? asker : person
    }

    /// Whether an item is shown.
    func admits(_ item: ExtractedItem) -> Bool {
        if let personID, item.personID != personID { return false }
        if let status, item.status != status { return false }
        // What a later item took the place of is shown of decisions only.
        return item.kind == .decision || item.supersededByID == nil
    }
}

/// Reads what a person says of items.
enum ItemFields {
    /// Reads a change: a field that is missing stays, null takes away.
    static func edit(_ body: JSONField, kind: ExtractedItem.Kind, members: [Member]) throws -> ItemEdit {
        let names = ItemWire.Names(kind)
        var edit = ItemEdit(text: try body[names.text].optionalString())
        edit.personID = try person(body, names, members)
        if let due = names.due, isGiven(due, in: body) { edit.due = .some(try body[due].optionalTimestamp()) }
        if names.hasStatus { edit.status = try body["status"].optionalWord() }
        return edit
    }

    /// Reads where unread messages begin: `after`, a message's id, or `since`, a moment.
    static func unreadStart(_ body: JSONField) throws -> UnreadStart {
        let after: MessageID? = try body["after"].optionalIdentifier()
        let since = try body["since"].optionalTimestamp()
        switch (after, since) {
        case (let after?, nil): return .after(after)
        case (nil, let since?): return .since(since)
        case (nil, nil): throw body["after"].error("is missing: give the last message read, or since")
        case (_?, _?): throw body["since"].error("cannot be given together with after")
        }
    }

    /// Whether a field is there, be it null.
    private static func isGiven(_ name: String, in body: JSONField) -> Bool {
        guard case .object(let fields) = body.value else { return false }
        return fields[name] != nil
    }

    /// Reads who: a member's name, or id under the name with `Id`; nil when nothing is said.
    private static func person(_ body: JSONField, _ names: ItemWire.Names, _ members: [Member]) throws -> UserID?? {
        if isGiven(names.personID, in: body) {
            let id: UserID? = try body[names.personID].optionalIdentifier()
            if let id, !members.contains(where: { $0.userID == id }) {
                throw body[names.personID].error("is no member of the conversation")
            }
            return .some(id)
        }
        guard isGiven(names.person, in: body) else { return nil }
        guard let name = try body[names.person].optionalString() else { return .some(nil) }
        let found = members.filter { $0.displayName == name }
        guard found.count == 1 else { throw body[names.person].error("is not the name of one member") }
        return .some(found[0].userID)
    }
}
