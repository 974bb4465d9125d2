package import ChatCore

extension InMemoryState {
    /// That a message makes an answer wrong.
    struct OutdatedNote: Sendable {
        let id: GivenAnswerID
        let older: MessageKey
        let newer: MessageKey
        let notedAt: Timestamp
    }
}

extension InMemoryStore {
    package func beginOutdatedAnswers() async throws -> ChangeCursor {
        try write { state in
            let place = state.outdatedWatermark ?? ChangeNumber(rawValue: Int64(state.changes.count))
            state.outdatedWatermark = place
            return .position(place)
        }
    }

    package func messagesToCompare(after cursor: ChangeCursor, limit: Int) async throws
        -> (messages: [Message], through: ChangeCursor)
    {
        try read { state throws(RepositoryError) in
            let changes = state.changes.dropFirst(try state.count(at: cursor)).prefix(max(0, limit))
            let keys = Set(
                changes.compactMap { change -> MessageKey? in
                    guard case .message(let id) = change.subject, let place = change.conversationID else { return nil }
                    return MessageKey(conversationID: place, messageID: id)
                })
            let shown = Set(state.turns.flatMap { $0.reply?.sources ?? [] }.map(\.key.conversationID))
            let answered = Set(state.mentions.filter { $0.value.answer != nil }.map(\.key.conversationID))
            let found = keys.compactMap { state.messages[$0] }.filter { stored in
                let (message, place) = (stored.message, stored.message.key.conversationID)
                return message.kind.isTalk && message.deletedAt == nil
                    && (shown.contains(place) || answered.contains(place))
            }.sorted { $0.arrival < $1.arrival }
            return (found.map(\.message), changes.last.map { .position($0.number) } ?? cursor)
        }
    }

    package func citingAnswers(of key: MessageKey, limit: Int, preceding: Int) async throws -> CitingAnswers? {
        try read { state in
            guard let stored = state.messages[key], stored.message.deletedAt == nil else { return nil }
            var order: [MessageKey] = []
            var answers: [CitingAnswers.Answer] = []
            for (id, text, keys) in state.postsCiting(key) + state.turnsCiting(key) {
                for key in keys where !order.contains(key) && order.count < limit { order.append(key) }
                let known = Set(keys).intersection(order)
                if !known.isEmpty { answers.append(CitingAnswers.Answer(id: id, text: text, keys: known)) }
            }
            guard !order.isEmpty else { return nil }
            let others = state.messages.values.filter { other in
                other.message.key.conversationID == key.conversationID && other.message.deletedAt == nil
                    && (other.message.timestamp, other.arrival) < (stored.message.timestamp, stored.arrival)
            }.sorted { ($0.message.timestamp, $0.arrival) > ($1.message.timestamp, $1.arrival) }
            return CitingAnswers(
                timeZone: state.conversations[key.conversationID]?.conversation.timeZone,
                cited: order.compactMap { state.messages[$0]?.message }.filter { $0.deletedAt == nil },
                preceding: others.prefix(max(0, preceding)).map(\.message), answers: answers)
        }
    }

    package func noteOutdated(_ answers: [OutdatedAnswer], by message: Message, at moment: Timestamp) async throws
        -> Int
    {
        try write { state in
            guard let stored = state.messages[message.key]?.message, stored.deletedAt == nil,
                stored.searchableText == message.searchableText
            else { return 0 }
            return state.set(answers, outdatedBy: message.key, at: moment)
        }
    }

    package func noteCompared(through cursor: ChangeCursor) async throws {
        try write { state throws(RepositoryError) in
            let number = ChangeNumber(rawValue: Int64(try state.count(at: cursor)))
            state.outdatedWatermark = state.outdatedWatermark.map { max($0, number) }
        }
    }
}

extension InMemoryState {
    fileprivate func turnsCiting(_ key: MessageKey) -> [(id: GivenAnswerID, text: String, keys: [MessageKey])] {
        turns.reversed().compactMap { turn in
            guard turn.redaction == nil, !turn.answer.isEmpty, !turn.sourceKeys.contains(key), let reply = turn.reply,
                !reply.notices.contains(TurnReply.asOfNotice)
            else { return nil }
            let keys = reply.sources.filter { $0.number != nil && $0.key.conversationID == key.conversationID }
            return (.turn(turn.id), turn.answer, keys.map(\.key))
        }
    }

    fileprivate func postsCiting(_ key: MessageKey) -> [(id: GivenAnswerID, text: String, keys: [MessageKey])] {
        let place = key.conversationID
        let answered = mentions.filter { $0.key.conversationID == place && $0.value.state == .answered }
        return answered.values.compactMap { $0.answer.flatMap { messages[$0] } }.sorted { $0.arrival > $1.arrival }
            .compactMap { answer in
                let sources = mentionSources[answer.message.key] ?? []
                guard answer.message.deletedAt == nil, !sources.contains(key) else { return nil }
                let keys = sources.filter { $0.conversationID == place && messages[$0]?.message.kind.isTalk == true }
                return (.message(answer.message.key), answer.message.text, keys.sorted())
            }
    }

    fileprivate mutating func set(_ answers: [OutdatedAnswer], outdatedBy newer: MessageKey, at moment: Timestamp)
        -> Int
    {
        let known = Set(outdated.filter { $0.newer == newer && $0.older != newer }.map(\.id))
        let wanted = Set(answers.map(\.id))
        let start = changes.count
        for id in known.subtracting(wanted) { tellOfMark(of: id, since: start) }
        outdated.removeAll { $0.newer == newer && $0.older != newer && !wanted.contains($0.id) }
        var count = 0
        for answer in answers where !known.contains(answer.id) && hasText(answer.id) {
            if case .message(let key) = answer.id, key.conversationID != newer.conversationID { continue }
            guard !outdated.contains(where: { $0.id == answer.id && $0.newer == newer }) else { continue }
            let said = verdicts.filter { $0.subject.older == answer.older && $0.subject.newer == newer }
            if said.max(by: { $0.saidAt < $1.saidAt })?.kind == .holds { continue }
            tellOfMark(of: answer.id, since: start)
            outdated.append(OutdatedNote(id: answer.id, older: answer.older, newer: newer, notedAt: moment))
            count += 1
        }
        return count
    }

    /// Removes the marks by which a message makes answers wrong that are based on an earlier one.
    mutating func removeMarks(older: MessageKey, newer: MessageKey) {
        let start = changes.count
        let gone = outdated.filter { $0.older == older && $0.newer == newer }
        for note in gone { tellOfMark(of: note.id, since: start) }
        outdated.removeAll { $0.older == older && $0.newer == newer }
    }

    private func hasText(_ id: GivenAnswerID) -> Bool {
        switch id {
        case .turn(let id): turns.contains { $0.id == id && $0.redaction == nil }
        case .message(let key):
            messages[key].map { $0.message.deletedAt == nil && $0.message.text != MentionWithdrawal.text } ?? false
        }
    }

    private mutating func tellOfMark(of id: GivenAnswerID, since start: Int) {
        switch id {
        case .turn(let id):
            guard let turn = turns.first(where: { $0.id == id }) else { return }
            if turn.threadID == nil { _ = change(.threads(turn.askerID), since: start) }
            logChange(of: turn, since: start)
        case .message(let key): append(.message(key.messageID), in: key.conversationID)
        }
    }

    /// Follows the deletion of a message: what it made wrong is not marked any more.
    mutating func followMarks(ofDeleted key: MessageKey) {
        let start = changes.count
        for note in outdated where note.newer == key { tellOfMark(of: note.id, since: start) }
        outdated.removeAll { $0.newer == key || $0.older == key || $0.id == .message(key) }
    }

    /// Marks the turns that lost their answers because a message was edited.
    mutating func followMarks(ofEdited key: MessageKey, redacting redacted: Set<TurnID>, at moment: Timestamp) {
        outdated.removeAll { note in
            guard case .turn(let id) = note.id else { return false }
            return redacted.contains(id) && note.newer != note.older
        }
        guard mentions[key] == nil else { return }
        for turn in turns where turn.sourceKeys.contains(key) && turn.redaction == .sourceEdited {
            guard !outdated.contains(where: { $0.id == .turn(turn.id) && $0.newer == key }) else { continue }
            outdated.append(OutdatedNote(id: .turn(turn.id), older: key, newer: key, notedAt: moment))
        }
    }

    /// The newest message that makes a turn's answer wrong and that its asker may see.
    func outdated(_ turn: Turn, at moment: Timestamp) -> ReadableTurn.Outdated? {
        let notes = outdated.filter { $0.id == .turn(turn.id) && sees($0.newer, turn.askerID, at: moment) }
        let newest = notes.compactMap { note in messages[note.newer].map { (note, $0) } }
            .max { ($0.1.message.timestamp, $0.1.arrival) < ($1.1.message.timestamp, $1.1.arrival) }
        guard let (note, stored) = newest, let place = conversations[note.newer.conversationID] else { return nil }
        return ReadableTurn.Outdated(
            message: stored.message, conversationName: displayName(of: place, for: turn.askerID),
            notedAt: note.notedAt)
    }
}
