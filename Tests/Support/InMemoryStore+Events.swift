package import ChatCore

extension InMemoryStore {
    /// Takes in one event.
    package func take(_ event: SourceEvent, authorSource: String, at moment: Timestamp) async throws -> EventOutcome {
        if let refusal = event.refusal { return refusal }
        return try write { state throws(RepositoryError) in
            state.events = state.events.filter { $0.value.microseconds >= moment.microseconds - SourceEvent.memory }
            let name = InMemoryState.EventName(source: event.source, id: event.id)
            guard state.events[name] == nil else { return .duplicate }
            var draft = state
            let outcome = try draft.take(event, authorSource: authorSource, at: moment)
            switch outcome {
            case .noSuchConversation, .invalid: return outcome
            default: break
            }
            draft.events[name] = moment
            state = draft
            return outcome
        }
    }
}

extension InMemoryState {
    struct EventName: Hashable, Sendable {
        var source: String
        var id: String
    }

    fileprivate mutating func take(
        _ event: SourceEvent, authorSource: String, at moment: Timestamp
    ) throws(RepositoryError) -> EventOutcome {
        switch event.subject {
        case .message(let key, let message?):
            take(message, of: key, authorSource: authorSource, stateTime: event.stateTime, at: moment)
        case .message(let key, nil): deleteMessage(key, stateTime: event.stateTime, at: moment)
        case .conversation(let id, let roster):
            try take(roster, of: id, authorSource: authorSource, stateTime: event.stateTime, at: moment)
        }
    }

    private mutating func take(
        _ given: Message, of key: MessageKey, authorSource: String, stateTime: Timestamp, at moment: Timestamp
    ) -> EventOutcome {
        let stored = messages[key]?.message
        if let stored {
            guard stored.deletedAt == nil else { return .deletedBefore }
            if let known = messageTimes[key], stateTime < known { return .outdated }
        }
        var message = stored ?? given
        (message.senderID, message.text, message.timestamp) = (given.senderID, given.text, given.timestamp)
        if let stored, stored.text != given.text { message.editedAt = stateTime }
        message.senderName = given.senderName
        if given.senderName.isEmpty {
            let user = identities[Author(source: authorSource, id: given.senderID.rawValue)] ?? given.senderID
            let known = stored?.senderID == user ? stored?.senderName : nil
            let member = conversations[key.conversationID]?.members[user]?.member
            message.senderName = known ?? member?.displayName ?? given.senderID.rawValue
        }
        switch accept(message, source: authorSource, mode: .importing, at: moment) {
        case .inserted, .updated, .unchanged, .conflict: break
        case .deletedBefore: return .deletedBefore
        case .noSuchConversation:
            let deletion = conversationTimes[key.conversationID]
            return deletion.map { stateTime <= $0 } ?? false ? .outdated : .noSuchConversation
        case .invalid(let field, let reason): return .invalid(field: field, reason: reason)
        }
        messageTimes[key] = stateTime
        return .stored
    }

    private mutating func deleteMessage(_ key: MessageKey, stateTime: Timestamp, at moment: Timestamp) -> EventOutcome {
        for (field, id) in [("conversationId", key.conversationID.rawValue), ("id", key.messageID.rawValue)] {
            guard MessageID(validating: id) != nil else { return .invalid(field: field, reason: "is not a usable id") }
        }
        guard let stored = messages[key] else {
            tombstones.insert(key)
            return .deleted
        }
        guard stored.message.deletedAt == nil else { return .deleted }
        if let known = messageTimes[key], stateTime < known { return .outdated }
        delete(key, at: moment)
        messageTimes[key] = stateTime
        return .deleted
    }

    private mutating func take(
        _ roster: ConversationRoster?, of id: ConversationID, authorSource: String, stateTime: Timestamp,
        at moment: Timestamp
    ) throws(RepositoryError) -> EventOutcome {
        if let known = conversationTimes[id], stateTime < known { return .outdated }
        let stored = conversations[id]
        guard let roster else {
            guard stored != nil else {
                if ConversationID(validating: id.rawValue) != nil { conversationTimes[id] = stateTime }
                return .deleted
            }
            letLeave(allBut: [], of: id, stateTime: stateTime, at: moment)
            conversationTimes[id] = stateTime
            return .deleted
        }
        do throws(RepositoryError) {
            try store(roster, over: stored, authorSource: authorSource, stateTime: stateTime, at: moment)
        } catch {
            guard case .invalid(let field, let reason) = error else { throw error }
            return .invalid(field: field, reason: reason)
        }
        _ = applyExclusion(to: id, at: moment)
        conversationTimes[id] = stateTime
        return .stored
    }

    private mutating func store(
        _ given: ConversationRoster, over stored: StoredConversation?, authorSource: String, stateTime: Timestamp,
        at moment: Timestamp
    ) throws(RepositoryError) {
        let id = given.conversation.id
        var roster = given
        roster.members = []
        if let stored {
            roster.conversation = stored.conversation
            roster.conversation.name = given.conversation.name ?? stored.conversation.name
        }
        _ = try store(roster, source: authorSource, mode: .importing, at: moment)
        var present: Set<UserID> = []
        var isChanged = false
        for var member in given.members {
            try InMemoryRules.check(member)
            let user = identities[Author(source: authorSource, id: member.userID.rawValue)] ?? member.userID
            let known = conversations[id]?.members[user]?.member
            if member.displayName.isEmpty { member.displayName = known?.displayName ?? member.userID.rawValue }
            member.aliases = known?.aliases ?? []
            if stored != nil { member.joinedAt = stateTime }
            if let known, known.leftAt == nil { member.joinedAt = known.joinedAt }
            if set(member, in: id, MembershipGiving(byHandFrom: authorSource)) { isChanged = true }
            present.insert(user)
        }
        if isChanged { touch(id, at: moment) }
        letLeave(allBut: present, of: id, stateTime: stateTime, at: moment)
    }

    private mutating func letLeave(
        allBut present: Set<UserID>, of id: ConversationID, stateTime: Timestamp, at moment: Timestamp
    ) {
        let gone = (conversations[id]?.members.values.map(\.member) ?? []).filter {
            $0.leftAt == nil && !present.contains($0.userID)
        }
        for member in gone {
            conversations[id]?.members[member.userID]?.member.leftAt = stateTime
            endSpans(of: member.userID, in: id, at: stateTime)
            conversations[id]?.members[member.userID]?.importer = nil
        }
        if !gone.isEmpty { touch(id, at: moment) }
    }
}
