import Assistant
import ChatCore
import NexusModel
import TextAnalysis
import UseCases

extension ItemFilter {
    /// Reads `assignee` (`me` or an id) and `status` of action items and deadlines, `q` of decisions, `after`.
    init(kind: ExtractedItem.Kind, asker: UserID, field: (String) -> JSONField) throws {
        let after: ItemID? = try field("after").optionalIdentifier()
        let question = kind == .decision ? try field("q").optionalString() : nil
        if let fault = question.flatMap({ TextLimit.question.fault(of: $0) }) { throw field("q").error(fault) }
        let status: ExtractedItem.Status? = kind == .decision ? nil : try field("status").optionalWord()
        let person: UserID? = kind == .decision ? nil : try field("assignee").optionalIdentifier()
        self.init(personID: person == "me" ? asker : person, status: status, question: question, after: after)
    }
}

/// Reads changes of items.
enum ItemFields {
    /// Reads a change: a missing field stays, and null clears a field.
    ///
    /// Each field has one name for all kinds of items and one of its kind; a change uses one of them.
    ///
    /// - Parameters:
    ///   - body: The change.
    ///   - kind: The kind of the item.
    ///   - members: The conversation's members.
    ///   - zone: The zone of a date without a time, unless the change names one.
    /// - Returns: The change.
    /// - Throws: ``FieldError``.
    static func edit(_ body: JSONField, kind: ExtractedItem.Kind, members: [Member], zone: String) throws -> ItemEdit {
        let names = ChatItemKind(kind).fieldNames
        func given(_ unified: String, _ own: String?) throws -> JSONField? {
            let present = [unified, own].compactMap { $0 }.filter { body[$0].isGiven }
            guard Set(present).count < 2 else {
                throw body[unified].error("cannot be given together with \(own ?? "")")
            }
            return present.first.map { body[$0] }
        }
        var edit = ItemEdit(text: try given("text", names.text)?.optionalString())
        edit.personID = try person(
            named: try given("person", names.person), withID: try given("personId", names.person + "Id"), members)
        if let own = names.due { edit.due = try due(body, try given("due", own), zone: zone) }
        if kind != .decision { edit.status = try body["status"].optionalWord() }
        return edit
    }

    /// Reads a due time: a moment, or a date, which means the end of that day; nil if the field is missing.
    private static func due(_ body: JSONField, _ field: JSONField?, zone: String) throws -> Timestamp?? {
        let isAllDay = try body["allDay"].optionalFlag()
        guard let field else {
            guard isAllDay == nil else { throw body["allDay"].error("needs a date in the same change") }
            return nil
        }
        let zone = try AskFields.timeZone(body) ?? zone
        if let text = try? field.optionalString(), !text.contains("T"),
            let end = DueDates.endOfDay(text, zone: zone)
        {
            guard isAllDay != false else { throw field.error("must be a time when allDay is false") }
            return .some(end)
        }
        let moment: Timestamp?
        do throws(FieldError) {
            moment = try field.optionalTimestamp()
        } catch {
            throw field.error("must be a date such as 2026-12-01, a time such as 2026-12-01T10:30:00Z, or milliseconds")
        }
        guard isAllDay != true || moment == nil else {
            throw field.error("must be a date such as 2026-12-01 when allDay is true")
        }
        return .some(moment)
    }

    /// Reads the start of the unread messages: `after`, a message's id, or `since`, a moment.
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

    /// Reads a person: a member's name, alias or id; nil if the field is missing.
    private static func person(
        named name: JSONField?, withID id: JSONField?, _ members: [Member]
    ) throws -> UserID?? {
        if let id {
            let user: UserID? = try id.optionalIdentifier()
            if let user, !members.contains(where: { $0.userID == user }) {
                throw id.error("is not a member of the conversation")
            }
            return .some(user)
        }
        guard let name else { return nil }
        guard let text = try name.optionalString() else { return .some(nil) }
        let named = members.filter { $0.displayName == text }
        let found = named.isEmpty ? members.filter { $0.aliases.contains(text) } : named
        guard found.count == 1 else {
            throw name.error(
                found.isEmpty
                    ? "is not the name of a member" : "is the name of several members: give the id")
        }
        return .some(found[0].userID)
    }
}
