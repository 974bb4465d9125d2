package import ChatCore

extension InMemoryStore {
    /// Keeps a turn; one that stands on a deleted message, or came after a redacted turn, is kept redacted.
    package func record(_ turn: Turn, trace: TurnTrace?) async throws {
        try write { state throws(RepositoryError) in
            guard !state.turns.contains(where: { $0.id == turn.id }) else {
                throw .conflict("a turn with this id exists")
            }
            if let id = turn.threadID {
                let place = try state.place(of: id, user: turn.askerID)
                state.threads[place].updatedAt = max(state.threads[place].updatedAt, turn.askedAt)
            }
            var kept = turn
            kept.feedback = nil
            let history = state.turns.filter { turn.historyIDs.contains($0.id) && $0.askerID == turn.askerID }
            let usable = history.filter { !$0.question.isEmpty }
            kept.historyIDs = usable.map(\.id)
            let standsOnDeleted = turn.sourceKeys.contains { state.messages[$0]?.message.deletedAt != nil }
            let hasLost = state.messages.values.contains { stored in
                stored.message.key.conversationID == turn.wholeConversationID
                    && stored.message.deletedAt.map { $0 >= turn.askedAt } ?? false
            }
            if turn.wholeConversationID != nil { state.turnBounds[turn.id] = state.arrivalCount }
            let edited = turn.sourceKeys.compactMap { state.messages[$0] }
                .filter { $0.textChangedAt.map { $0 > turn.askedAt } ?? false }
            let hasEdited = state.messages.values.contains { stored in
                stored.message.key.conversationID == turn.wholeConversationID
                    && stored.textChangedAt.map { $0 > turn.askedAt } ?? false
            }
            kept.redaction = nil
            if hasLost || standsOnDeleted || usable.count < Set(turn.historyIDs).count {
                kept.question = ""
                kept.answer = ""
                kept.redaction = .sourceDeleted
                kept.reply = nil
            } else if hasEdited || !edited.isEmpty || usable.contains(where: { $0.redaction != nil }) {
                if edited.contains(where: { state.mentions[$0.message.key] != nil }) { kept.question = "" }
                kept.answer = ""
                kept.redaction = .sourceEdited
                kept.reply = nil
            } else {
                state.traces[turn.id] = trace
            }
            state.turns.append(kept)
            state.logChange(of: kept, since: state.changes.count)
        }
    }

    /// Returns a user's turns, newest first, from before a turn.
    package func turns(of user: UserID, in thread: ThreadID?, before: TurnID?, limit: Int) async throws -> [Turn] {
        try read { state throws(RepositoryError) in
            if let thread { _ = try state.place(of: thread, user: user) }
            let all = state.newestTurns(.max) { $0.askerID == user && (thread == nil || $0.threadID == thread) }
            guard let before else { return Array(all.prefix(max(0, limit))) }
            guard let place = all.firstIndex(where: { $0.id == before }) else {
                throw .invalid(field: "before", reason: "names no turn")
            }
            return Array(all[(place + 1)...].prefix(max(0, limit)))
        }
    }

    /// Returns a turn of a user.
    package func turn(_ id: TurnID, of user: UserID) async throws -> Turn {
        try read { state throws(RepositoryError) in state.turns[try state.place(of: id, user: user)] }
    }

    /// Deletes a turn of a user.
    package func deleteTurn(_ id: TurnID, of user: UserID) async throws {
        try write { state throws(RepositoryError) in state.removeTurn(at: try state.place(of: id, user: user)) }
    }

    /// Returns what the askers of turns may see of them at a moment.
    package func readable(_ turns: [Turn], at moment: Timestamp) async throws -> [ReadableTurn] {
        try read { state in turns.map { state.readable($0, at: moment) } }
    }

    /// Notes what its asker thinks of a turn.
    package func setFeedback(_ feedback: TurnFeedback?, on id: TurnID, of user: UserID) async throws -> Turn {
        try write { state throws(RepositoryError) in
            if let reason = feedback?.reason {
                if let fault = TextLimit.reason.fault(of: reason) { throw .invalid(field: "reason", reason: fault) }
                guard !reason.utf8.contains(0) else { throw .invalid(field: "reason", reason: "holds a NUL character") }
            }
            let place = try state.place(of: id, user: user)
            state.turns[place].feedback = feedback
            if state.turns[place].redaction != nil { state.turns[place].feedback?.reason = nil }
            if state.turns[place].threadID != nil {
                state.turnChanges[id] = state.change(.threads(user), since: state.changes.count)
            }
            return state.turns[place]
        }
    }

    /// Returns the turns that somebody judged and that were not redacted, oldest first.
    package func judgedTurns(after id: TurnID?, limit: Int) async throws -> [Turn] {
        try read { state throws(RepositoryError) in
            let start = try id.map { (id) throws(RepositoryError) in try state.place(of: id, user: nil) + 1 } ?? 0
            return state.turns[start...].filter { $0.feedback != nil && $0.redaction == nil }
                .prefix(max(0, limit)).map { $0 }
        }
    }

    /// Returns how a turn came about.
    package func trace(of id: TurnID, user: UserID?, at moment: Timestamp) async throws -> TurnTrace? {
        try read { state throws(RepositoryError) in
            let turn = state.turns[try state.place(of: id, user: user)]
            guard var trace = state.traces[id] else { return nil }
            if let user {
                trace.hits = trace.hits.filter { state.sees($0.key, user, at: moment) }
                if !state.readable(turn, at: moment).isWhole { trace.searchedQuestion = nil }
            } else {
                trace.searchedQuestion = nil
            }
            return trace
        }
    }

    /// Returns the turns of all users that were not redacted, newest first.
    package func recentTurns(limit: Int) async throws -> [Turn] {
        try read { state in state.newestTurns(limit) { !$0.question.isEmpty } }
    }
}

extension InMemoryState {
    func newestTurns(_ limit: Int, where isWanted: (Turn) -> Bool) -> [Turn] {
        let wanted = turns.enumerated().filter { isWanted($0.element) }
        let newestFirst = wanted.sorted { ($0.element.askedAt, $0.offset) > ($1.element.askedAt, $1.offset) }
        return newestFirst.prefix(max(0, limit)).map(\.element)
    }

    mutating func redactTurns(standingOn key: MessageKey) {
        var redacted: Set<TurnID> = []
        let start = changes.count
        // A turn comes after those that entered its prompt.
        for index in turns.indices
        where turns[index].sourceKeys.contains(key) || standsOnWhole(turns[index], of: key)
            || !redacted.isDisjoint(with: turns[index].historyIDs)
        {
            redacted.insert(turns[index].id)
            if turns[index].redaction != .sourceDeleted { logChange(of: turns[index], since: start) }
            turns[index].redaction = .sourceDeleted
            turns[index].question = ""
            turns[index].answer = ""
            turns[index].reply = nil
            turns[index].feedback?.reason = nil
            traces[turns[index].id] = nil
        }
        outdated.removeAll { note in redacted.contains { .turn($0) == note.id } }
    }

    mutating func redactTurns(standingOnEdited key: MessageKey, at moment: Timestamp) {
        var redacted: Set<TurnID> = []
        let start = changes.count
        for index in turns.indices
        where turns[index].sourceKeys.contains(key) || standsOnWhole(turns[index], of: key)
            || !redacted.isDisjoint(with: turns[index].historyIDs)
        {
            redacted.insert(turns[index].id)
            if turns[index].redaction == nil { logChange(of: turns[index], since: start) }
            turns[index].redaction = turns[index].redaction ?? .sourceEdited
            if mentions[key] != nil { turns[index].question = "" }
            turns[index].answer = ""
            turns[index].feedback?.reason = nil
            traces[turns[index].id]?.searchedQuestion = nil
        }
        followMarks(ofEdited: key, redacting: redacted, at: moment)
    }

    /// Takes a turn away; those whose prompt it entered are based on its messages and its history from then on.
    fileprivate mutating func removeTurn(at place: Int) {
        let gone = turns.remove(at: place)
        for index in turns.indices where turns[index].historyIDs.contains(gone.id) {
            turns[index].sourceKeys += gone.sourceKeys
            let history = Set(turns[index].historyIDs + gone.historyIDs)
            turns[index].historyIDs = turns.map(\.id).filter(history.contains)
            if turns[index].wholeConversationID == nil, let conversation = gone.wholeConversationID {
                turns[index].wholeConversationID = conversation
                turnBounds[turns[index].id] = turnBounds[gone.id]
            }
        }
        (traces[gone.id], turnBounds[gone.id], turnChanges[gone.id]) = (nil, nil, nil)
        outdated.removeAll { $0.id == .turn(gone.id) }
        guard let id = gone.threadID, let thread = threads.first(where: { $0.id == id }) else { return }
        let change = change(.threads(gone.askerID), since: changes.count)
        threadChanges[id] = change
        guard let place = thread.conversationID, conversations[place] != nil else { return }
        removals.append(.init(list: .exchange(gone.askerID, place), change: change, id: gone.id.rawValue))
    }

    /// Whether the whole conversation of a message entered a turn's prompt when it was there.
    private func standsOnWhole(_ turn: Turn, of key: MessageKey) -> Bool {
        guard turn.wholeConversationID == key.conversationID, let arrival = messages[key]?.arrival else { return false }
        return arrival <= turnBounds[turn.id] ?? 0
    }

    func place(of id: TurnID, user: UserID?) throws(RepositoryError) -> Int {
        guard let place = turns.firstIndex(where: { $0.id == id && (user == nil || $0.askerID == user) }) else {
            throw .noSuchTurn(id)
        }
        return place
    }

    func sees(_ key: MessageKey, _ user: UserID, at moment: Timestamp) -> Bool {
        mayRead(user, key.conversationID, at: moment) && messages[key].map { $0.message.deletedAt == nil } ?? false
            && !hides(key, from: user, at: moment)
    }

    fileprivate func readable(_ turn: Turn, at moment: Timestamp) -> ReadableTurn {
        let seen = turn.sourceKeys.filter { sees($0, turn.askerID, at: moment) }
        let sources = turn.shownSources.compactMap { source -> ReadableTurn.Source? in
            guard sees(source.key, turn.askerID, at: moment), let message = messages[source.key]?.message,
                let conversation = conversations[source.key.conversationID]
            else { return nil }
            return ReadableTurn.Source(
                message: message, conversationName: displayName(of: conversation, for: turn.askerID),
                number: source.number, rank: source.rank, relevance: source.relevance, place: source.place)
        }
        guard let kept = turns.first(where: { $0.id == turn.id }) else {
            return ReadableTurn(
                turn, seeing: seen, seesRest: false, sources: sources, outdated: outdated(turn, at: moment))
        }
        let conversation = threads.first { $0.id == kept.threadID }?.conversationID
        let seesConversation = [conversation, kept.wholeConversationID].compactMap(\.self)
            .allSatisfy { mayRead(turn.askerID, $0, at: moment) }
        let history = turns.filter { kept.historyIDs.contains($0.id) }
        let isMention = kept.sourceKeys.contains {
            mentions[$0] != nil && !mayRead(turn.askerID, $0.conversationID, at: moment)
        }
        return ReadableTurn(
            turn, seeing: seen,
            seesRest: seesConversation && kept.redaction == nil
                && history.allSatisfy { readable($0, at: moment).isWhole },
            seesQuestion: seesConversation && !isMention, sources: sources, outdated: outdated(turn, at: moment))
    }
}
