import ChatCore

extension InMemoryState {
    /// The times that a reader may read in a conversation; nil for one whose history is not limited.
    func spans(of reader: UserID, in id: ConversationID) -> ReadingSpans? {
        guard let stored = conversations[id], stored.conversation.history == .joined else { return nil }
        return ReadingSpans((stored.spans[reader] ?? []) + (stored.spans[""] ?? []))
    }

    /// Whether a message is not of the reader's times.
    func isBeyond(_ key: MessageKey, for reader: UserID) -> Bool {
        guard let spans = spans(of: reader, in: key.conversationID), let message = messages[key]?.message else {
            return false
        }
        return !spans.contains(message.timestamp)
    }

    /// Begins or ends what somebody may read, as the membership does.
    mutating func followSpans(of user: UserID, before old: Member?, in id: ConversationID) {
        guard conversations[id]?.conversation.history == .joined, let now = conversations[id]?.members[user]?.member
        else { return }
        let wasPresent = old.map { $0.leftAt == nil } ?? false
        guard old == nil || wasPresent != (now.leftAt == nil) else { return }
        if let left = now.leftAt, wasPresent {
            endSpans(of: user, in: id, at: left)
        } else {
            conversations[id]?.spans[user, default: []].append(ReadingSpan(since: now.joinedAt, until: now.leftAt))
        }
    }

    mutating func endSpans(of user: UserID, in id: ConversationID, at moment: Timestamp) {
        let spans = conversations[id]?.spans[user]
        conversations[id]?.spans[user] = spans?.map {
            ReadingSpan(since: $0.since, until: min($0.until ?? moment, moment))
        }
    }

    /// Takes the rights that an import states; returns whether they are others.
    mutating func setRights(
        of roster: ConversationRoster, source: String, before history: Conversation.History?
    ) -> Bool {
        let id = roster.conversation.id
        guard var rights = roster.rights else { return false }
        if history != .joined { rights.until = nil }
        let before = conversations[id]?.spans
        guard roster.conversation.history == .joined || rights.until != nil else {
            conversations[id]?.spans = [:]
            return false
        }
        var known = history == .joined ? before ?? [:] : [:]
        if history == .all { known[""] = [ReadingSpan(until: rights.since ?? .distantPast)] }
        var stated: [UserID: [ReadingSpan]] = [:]
        stated[""] = rights.shared
        for (author, spans) in rights.own {
            stated[identities[Author(source: source, id: author.rawValue)] ?? author, default: []] += spans
        }
        if rights.since == nil { for user in known.keys where stated[user] == nil { stated[user] = [] } }
        let everybody = known[""] ?? []
        for reader in rights.earlierReaders ?? [] {
            let user = identities[Author(source: source, id: reader.rawValue)] ?? reader
            stated[user, default: []] += []
            known[user, default: []] += everybody
        }
        if rights.earlierReaders != nil { known[""] = [] }
        var result = known
        for (user, spans) in stated {
            let whole = known.isEmpty ? spans : rights.continued(known[user] ?? [], by: spans)
            result[user] = ReadingSpans(whole).spans
        }
        conversations[id]?.spans = result
        return before != result
    }

    /// Whether a reader may read all that a summary is written of.
    func isReadable(_ summary: SpanSummary, by reader: UserID) -> Bool {
        guard let spans = spans(of: reader, in: summary.conversationID) else { return true }
        guard let place = place(of: summary) else { return false }
        return spans.covers(place.first.message.timestamp, through: place.last.message.timestamp)
    }
}
