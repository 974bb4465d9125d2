import ChatCore

/// The rules for stored values, the same for all callers.
enum StoreRules {
    static func check(_ roster: ConversationRoster) throws(RepositoryError) {
        let conversation = roster.conversation
        guard ConversationID(validating: conversation.id.rawValue) != nil else { throw unusable("id") }
        for case let text? in [conversation.name, conversation.timeZone] { try check(name: text, field: "name") }
        guard conversation.createdAt.isOnCalendar else {
            throw .invalid(field: "createdAt", reason: Timestamp.calendarRule)
        }
        for member in roster.members { try check(member) }
    }

    static func check(_ member: Member) throws(RepositoryError) {
        guard UserID(validating: member.userID.rawValue) != nil else { throw unusable("userId") }
        try check(name: member.displayName, field: "displayName")
        guard member.aliases.count <= Member.aliasLimit else {
            throw .invalid(field: "aliases", reason: "must have at most \(Member.aliasLimit) items")
        }
        for alias in member.aliases { try check(name: alias, field: "aliases") }
        if let field = member.fieldOffCalendar { throw .invalid(field: field, reason: Timestamp.calendarRule) }
    }

    static func check(_ identity: Identity) throws(RepositoryError) {
        guard UserID(validating: identity.userID.rawValue) != nil else { throw unusable("userId") }
        guard UserID(validating: identity.externalID) != nil else { throw unusable("externalId") }
        for case (let field, let text?) in [("name", identity.name), ("email", identity.email)] {
            try check(name: text, field: field)
        }
    }

    static func check(_ key: APIKey) throws(RepositoryError) {
        guard APIKey.ID(validating: key.id.rawValue) != nil else { throw unusable("id") }
        if let name = key.name { try check(name: name, field: "name") }
    }

    static func check(_ account: Account) throws(RepositoryError) {
        guard UserID(validating: account.userID.rawValue) != nil else { throw unusable("userId") }
        if let name = account.name { try check(name: name, field: "name") }
    }

    static func check(_ feedback: TurnFeedback?) throws(RepositoryError) {
        guard let reason = feedback?.reason else { return }
        if let fault = TextLimit.reason.fault(of: reason) { throw .invalid(field: "reason", reason: fault) }
        guard reason.isStorable else { throw .invalid(field: "reason", reason: "holds a NUL character") }
    }

    static func check(_ thread: AssistantThread) throws(RepositoryError) {
        guard ThreadID(validating: thread.id.rawValue) != nil else { throw unusable("id") }
        guard UserID(validating: thread.ownerID.rawValue) != nil else { throw unusable("userId") }
    }

    static func check(summary: SpanSummary) throws(RepositoryError) {
        let text = summary.text
        guard !text.trimmingWhitespace().isEmpty, text.utf8.count <= SpanSummary.textByteLimit, text.isStorable else {
            throw .invalid(field: "text", reason: "must have 1 to \(SpanSummary.textByteLimit) bytes, and no NUL")
        }
    }

    static func check(text: String) throws(RepositoryError) {
        if case .invalid(let field, let reason) = refusal(of: text, field: "text") {
            throw .invalid(field: field, reason: reason)
        }
    }

    /// Checks a message as it will be after an edit.
    static func check(edited message: Message) throws(RepositoryError) {
        try check(text: message.text)
        // A name or reactions stored before the limits existed must not prevent an edit of the text.
        var content = message
        (content.senderName, content.reactions, content.extra) = ("", [], nil)
        if let fault = content.limitFault { throw .invalid(field: fault.field, reason: fault.reason) }
    }

    private static func check(name: String, field: String) throws(RepositoryError) {
        if let fault = TextLimit.name.fault(of: name) { throw .invalid(field: field, reason: fault) }
        guard name.isStorable else { throw .invalid(field: field, reason: "holds a NUL character") }
    }

    /// Returns the refusal of a given message; nil when it is acceptable.
    static func refusal(of message: Message) -> AcceptOutcome? {
        let ids: [(String, String?)] = [
            ("conversationId", message.key.conversationID.rawValue), ("id", message.key.messageID.rawValue),
            ("senderId", message.senderID.rawValue), ("localId", message.localID),
            ("replyToId", message.replyToID?.rawValue), ("threadRootId", message.threadRootID?.rawValue),
        ]
        for case (let field, let id?) in ids where MessageID(validating: id) == nil {
            return .invalid(field: field, reason: unusableReason)
        }
        for (field, text) in [("text", message.text), ("senderName", message.senderName), ("extra", message.extra)] {
            if let text, let refusal = refusal(of: text, field: field) { return refusal }
        }
        if let fault = message.limitFault { return .invalid(field: fault.field, reason: fault.reason) }
        if let field = message.fieldOffCalendar { return .invalid(field: field, reason: Timestamp.calendarRule) }
        if let url = message.url, !MessageLink.isUsable(url) {
            return .invalid(field: "url", reason: MessageLink.unusableReason)
        }
        guard message.deletedAt == nil else { return .invalid(field: "deletedAt", reason: "is set by deleting") }
        return nil
    }

    private static let unusableReason = "is not a usable id"

    private static func unusable(_ field: String) -> RepositoryError {
        .invalid(field: field, reason: unusableReason)
    }

    private static func refusal(of text: String, field: String) -> AcceptOutcome? {
        if text.utf8.count > Message.textByteLimit {
            return .invalid(field: field, reason: "is longer than \(Message.textByteLimit) bytes")
        }
        return text.isStorable ? nil : .invalid(field: field, reason: "holds a NUL character")
    }
}

extension String {
    /// Whether SQLite stores all of it: for SQLite a text ends at the first NUL.
    fileprivate var isStorable: Bool {
        // On contiguous storage, because iterating over the view took longer than all other checks.
        utf8.withContiguousStorageIfAvailable { !$0.contains(0) } ?? !utf8.contains(0)
    }
}
