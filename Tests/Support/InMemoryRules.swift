import ChatCore

/// What the store in memory refuses.
enum InMemoryRules {
    static func check(_ roster: ConversationRoster) throws(RepositoryError) {
        guard ConversationID(validating: roster.conversation.id.rawValue) != nil else {
            throw .invalid(field: "id", reason: "is not a usable id")
        }
        for case let text? in [roster.conversation.name, roster.conversation.timeZone] {
            try check(name: text, field: "name")
        }
        guard roster.conversation.createdAt.isOnCalendar else {
            throw .invalid(field: "createdAt", reason: Timestamp.calendarRule)
        }
        for member in roster.members { try check(member) }
    }

    static func check(_ member: Member) throws(RepositoryError) {
        guard UserID(validating: member.userID.rawValue) != nil else {
            throw .invalid(field: "userId", reason: "is not a usable id")
        }
        try check(name: member.displayName, field: "displayName")
        guard member.aliases.count <= Member.aliasLimit else {
            throw .invalid(field: "aliases", reason: "must have at most \(Member.aliasLimit) items")
        }
        for alias in member.aliases { try check(name: alias, field: "aliases") }
        if let field = member.fieldOffCalendar { throw .invalid(field: field, reason: Timestamp.calendarRule) }
    }

    static func check(name: String, field: String) throws(RepositoryError) {
        if let fault = TextLimit.name.fault(of: name) { throw .invalid(field: field, reason: fault) }
        guard name.isStorable else { throw .invalid(field: field, reason: "holds a NUL character") }
    }

    static func check(_ author: Identity) throws(RepositoryError) {
        for (field, id) in [("userId", author.userID.rawValue), ("externalId", author.externalID)]
        where UserID(validating: id) == nil {
            throw .invalid(field: field, reason: "is not a usable id")
        }
        for case (let field, let text?) in [("name", author.name), ("email", author.email)] {
            try check(name: text, field: field)
        }
    }

    /// Returns what is wrong with a message that is handed in; nil when nothing is.
    static func refusal(of message: Message) -> AcceptOutcome? {
        let ids: [(String, String?)] = [
            ("conversationId", message.key.conversationID.rawValue), ("id", message.key.messageID.rawValue),
            ("senderId", message.senderID.rawValue), ("localId", message.localID),
            ("replyToId", message.replyToID?.rawValue), ("threadRootId", message.threadRootID?.rawValue),
        ]
        for case (let field, let id?) in ids where MessageID(validating: id) == nil {
            return .invalid(field: field, reason: "is not a usable id")
        }
        for (field, text) in [("text", message.text), ("senderName", message.senderName), ("extra", message.extra)] {
            if let refusal = refusal(of: text ?? "", field: field) { return refusal }
        }
        if let fault = message.limitFault { return .invalid(field: fault.field, reason: fault.reason) }
        if let field = message.fieldOffCalendar { return .invalid(field: field, reason: Timestamp.calendarRule) }
        if let url = message.url, !MessageLink.isUsable(url) {
            return .invalid(field: "url", reason: MessageLink.unusableReason)
        }
        guard message.deletedAt == nil else { return .invalid(field: "deletedAt", reason: "is set by deleting") }
        return nil
    }

    static func check(edited message: Message) throws(RepositoryError) {
        if case .invalid(let field, let reason) = refusal(of: message.text, field: "text") {
            throw .invalid(field: field, reason: reason)
        }
        if let fault = message.limitFault { throw .invalid(field: fault.field, reason: fault.reason) }
    }

    static func refusal(of text: String, field: String) -> AcceptOutcome? {
        if text.utf8.count > Message.textByteLimit {
            return .invalid(field: field, reason: "is longer than \(Message.textByteLimit) bytes")
        }
        return text.isStorable ? nil : .invalid(field: field, reason: "holds a NUL character")
    }
}

extension String {
    fileprivate var isStorable: Bool { !utf8.contains(0) }
}
