package import ChatCore

extension InMemoryState {
    /// What a person says about two messages.
    struct StoredVerdict: Sendable {
        let kind: ReplacementVerdict.Kind
        let subject: ReplacementVerdict.Subject
        let user: UserID
        let saidAt: Timestamp
    }
}

extension InMemoryStore {
    package func setVerdict(
        _ kind: ReplacementVerdict.Kind?, on subject: ReplacementVerdict.Subject, by user: UserID,
        at moment: Timestamp
    ) async throws {
        try write { state throws(RepositoryError) in
            let older = try state.talk(subject.older, "message", for: user, at: moment)
            let newer = try state.talk(subject.newer, "replacedBy", for: user, at: moment)
            guard (older.message.timestamp, older.arrival) < (newer.message.timestamp, newer.arrival) else {
                throw .invalid(field: "replacedBy", reason: "must be a later message than message")
            }
            if let range = subject.range, range.isEmpty || range.upperBound > older.message.shownText.utf16.count {
                throw .invalid(field: "end", reason: "must be after start, and within the text of the message")
            }
            func isOfPair(_ other: InMemoryState.StoredVerdict) -> Bool {
                other.user == user && other.subject.older == subject.older && other.subject.newer == subject.newer
            }
            let count = state.verdicts.count
            state.verdicts.removeAll { other in
                guard isOfPair(other) else { return false }
                return subject.range.map { $0.lowerBound == other.subject.range?.lowerBound ?? 0 } ?? true
            }
            guard kind != nil || state.verdicts.count < count else { return }
            guard kind == nil || state.verdicts.count(where: isOfPair) < ReplacementVerdict.limit else {
                throw .invalid(
                    field: "message", reason: "has \(ReplacementVerdict.limit) verdicts by you: give one without start")
            }
            if kind != .replaced { state.removeMarks(older: subject.older, newer: subject.newer) }
            if let kind {
                state.verdicts.append(
                    InMemoryState.StoredVerdict(kind: kind, subject: subject, user: user, saidAt: moment))
            }
            state.append(.message(subject.newer.messageID), in: subject.newer.conversationID)
        }
    }

    package func verdicts(
        on keys: [MessageKey], in scope: SearchScope, at moment: Timestamp
    ) async throws -> [ReplacementVerdict] {
        try read { state in
            let permitted = Dictionary(
                state.permitted(scope, at: moment).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return keys.flatMap { key in
                state.verdicts.filter { $0.subject.older == key }.sorted { $0.order < $1.order }.compactMap { verdict in
                    let newer = verdict.subject.newer
                    guard let conversation = permitted[newer.conversationID], let stored = state.messages[newer],
                        stored.message.deletedAt == nil, !state.hides(newer, from: scope.asker, at: moment)
                    else { return nil }
                    let name = state.conversations[key.conversationID]?.members[verdict.user]?.member.displayName
                    return ReplacementVerdict(
                        verdict.kind, older: key, range: verdict.subject.range, newer: stored.message,
                        in: conversation, by: verdict.user,
                        named: name.flatMap { $0.isEmpty ? nil : $0 } ?? verdict.user.rawValue, at: verdict.saidAt)
                }
            }
        }
    }

    package func verdicts(
        naming keys: [MessageKey]
    ) async throws -> [MessageKey: [MessageKey: ReplacementVerdict.Kind]] {
        try read { state in
            let found = keys.map { key in
                let verdicts = state.verdicts.filter { verdict in
                    verdict.subject.newer == key && verdict.subject.older.conversationID == key.conversationID
                }.sorted { $0.order < $1.order }
                return (
                    key, Dictionary(verdicts.map { ($0.subject.older, $0.kind) }, uniquingKeysWith: { _, last in last })
                )
            }
            return Dictionary(found.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension InMemoryState.StoredVerdict {
    /// The order in which verdicts on a message were said.
    fileprivate var order: (Timestamp, UserID) { (saidAt, user) }
}

extension InMemoryState {
    /// Removes the verdicts on a message that is gone, or whose words are others.
    mutating func forgetVerdicts(on key: MessageKey) {
        verdicts.removeAll { $0.subject.older == key || $0.subject.newer == key }
    }

    fileprivate func talk(
        _ key: MessageKey, _ field: String, for user: UserID, at moment: Timestamp
    ) throws(RepositoryError) -> StoredMessage {
        guard mayRead(user, key.conversationID, at: moment) else { throw .noSuchConversation(key.conversationID) }
        guard let stored = messages[key], stored.message.deletedAt == nil, !hides(key, from: user, at: moment) else {
            throw .noSuchMessage(key)
        }
        guard stored.message.kind.isTalk else {
            throw .invalid(field: field, reason: "must be a message of a person or a program")
        }
        return stored
    }
}
