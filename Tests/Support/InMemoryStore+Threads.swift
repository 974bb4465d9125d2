package import ChatCore

extension InMemoryStore {
    /// Makes a thread.
    package func create(_ thread: AssistantThread) async throws {
        try write { state throws(RepositoryError) in try state.add(thread) }
    }

    /// Makes a thread that begins with a turn.
    package func create(_ thread: AssistantThread, beginningWith turn: TurnID) async throws {
        try write { state throws(RepositoryError) in
            let place = try state.place(of: turn, user: thread.ownerID)
            guard state.turns[place].threadID == nil else { throw .conflict("the turn has a thread") }
            try state.add(thread)
            state.turns[place].threadID = thread.id
            state.logChange(of: state.turns[place], since: state.changes.count)
        }
    }

    /// Returns a thread of a user.
    package func thread(_ id: ThreadID, of user: UserID) async throws -> AssistantThread {
        try read { state throws(RepositoryError) in state.counted(state.threads[try state.place(of: id, user: user)]) }
    }

    /// Returns a user's threads, the last used first.
    package func threads(of user: UserID, after place: AssistantThread.Place?, limit: Int) async throws
        -> [AssistantThread]
    {
        try read { state in
            let all = state.threads.filter { $0.ownerID == user }.sorted {
                ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id)
            }
            let rest = all.filter { thread in
                place.map { (thread.updatedAt, thread.id) < ($0.updatedAt, $0.id) } ?? true
            }
            return rest.prefix(max(0, limit)).map(state.counted)
        }
    }

    /// Returns what became of a user's threads since a change.
    package func threadChanges(of user: UserID, after cursor: ChangeCursor?, limit: Int) async throws
        -> ListChanges<AssistantThread>
    {
        try read { state throws(RepositoryError) in
            let own = state.threads.filter { $0.ownerID == user }
            return try state.changes(
                of: .threads(user), among: own.map { (state.threadChanges[$0.id], state.counted($0)) }, after: cursor,
                limit: limit)
        }
    }

    /// Gives a thread a title, or takes it away.
    package func rename(_ id: ThreadID, of user: UserID, title: String?) async throws -> AssistantThread {
        try write { state throws(RepositoryError) in
            let title = try AssistantThread.checked(title: title)
            let place = try state.place(of: id, user: user)
            state.threads[place].givenTitle = title
            state.threadChanges[id] = state.change(.threads(user), since: state.changes.count)
            return state.counted(state.threads[place])
        }
    }

    /// Deletes a thread with its turns.
    package func delete(_ id: ThreadID, of user: UserID) async throws {
        try write { state throws(RepositoryError) in
            let thread = state.threads.remove(at: try state.place(of: id, user: user))
            let change = state.change(.threads(user), since: state.changes.count)
            state.removals.append(.init(list: .threads(user), change: change, id: id.rawValue))
            let gone = Set(state.turns.filter { $0.threadID == id }.map(\.id))
            state.turns.removeAll { gone.contains($0.id) }
            for turn in gone {
                state.traces[turn] = nil
                guard let place = thread.conversationID, state.conversations[place] != nil else { continue }
                state.removals.append(.init(list: .exchange(user, place), change: change, id: turn.rawValue))
            }
        }
    }

    /// Returns the thread that a user has with a conversation's own assistant.
    package func exchange(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> AssistantThread?
    {
        try read { state throws(RepositoryError) in try state.exchange(of: user, in: conversation, at: moment) }
    }

    /// Returns what became of the turns that a user has with a conversation's own assistant since a change.
    package func exchangeChanges(
        of user: UserID, in conversation: ConversationID, after cursor: ChangeCursor?, limit: Int, at moment: Timestamp
    ) async throws -> ListChanges<Turn> {
        try read { state throws(RepositoryError) in
            let thread = try state.exchange(of: user, in: conversation, at: moment)
            let own = state.turns.filter { thread != nil && $0.threadID == thread?.id }
            return try state.changes(
                of: .exchange(user, conversation), among: own.map { (state.turnChanges[$0.id], $0) }, after: cursor,
                limit: limit)
        }
    }

    /// Returns the thread that a user has with a conversation's own assistant, which is made where there is none.
    package func openExchange(of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp)
        async throws -> AssistantThread
    {
        try write { state throws(RepositoryError) in
            if let found = try state.exchange(of: user, in: conversation, at: moment) { return found }
            let thread = AssistantThread(id: id, ownerID: user, conversationID: conversation, createdAt: moment)
            try state.add(thread)
            return thread
        }
    }

    /// Returns what an answer inside a conversation begins with.
    package func beginning(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> ExchangeBeginning
    {
        let scope = SearchScope(asker: user, conversations: .only([conversation]))
        guard let permitted = try await permitted(scope, at: moment).first else {
            throw RepositoryError.noSuchConversation(conversation)
        }
        return ExchangeBeginning(
            conversation: permitted, roster: try await roster(of: conversation, asker: user, at: moment),
            thread: try await exchange(of: user, in: conversation, at: moment))
    }

    /// Stores a turn in the thread with a conversation's own assistant; makes the thread if there is none.
    package func record(
        _ turn: Turn, trace: TurnTrace?, inExchangeWith conversation: ConversationID, newID: ThreadID,
        at moment: Timestamp
    ) async throws {
        let known = try await exchange(of: turn.askerID, in: conversation, at: moment)
        var placed = turn
        placed.threadID =
            try await openExchange(of: turn.askerID, in: conversation, id: newID, at: moment).id
        do {
            try await record(placed, trace: trace)
        } catch {
            if known == nil { try await delete(newID, of: turn.askerID) }
            throw error
        }
    }
}

extension InMemoryState {
    func place(of id: ThreadID, user: UserID) throws(RepositoryError) -> Int {
        guard let place = threads.firstIndex(where: { $0.id == id && $0.ownerID == user }) else {
            throw .noSuchThread(id)
        }
        return place
    }

    fileprivate func counted(_ thread: AssistantThread) -> AssistantThread {
        var thread = thread
        let own = newestTurns(.max) { $0.threadID == thread.id }
        thread.turnCount = own.count
        thread.firstQuestion = own.last { !$0.question.isEmpty }?.question
        return thread
    }

    fileprivate func exchange(
        of user: UserID, in conversation: ConversationID, at moment: Timestamp
    ) throws(RepositoryError) -> AssistantThread? {
        guard mayRead(user, conversation, at: moment) else { throw .noSuchConversation(conversation) }
        return threads.first { $0.ownerID == user && $0.conversationID == conversation }.map(counted)
    }

    fileprivate mutating func add(_ thread: AssistantThread) throws(RepositoryError) {
        for (field, isUsable) in [
            ("id", ThreadID(validating: thread.id.rawValue) != nil),
            ("userId", UserID(validating: thread.ownerID.rawValue) != nil),
        ] where !isUsable {
            throw .invalid(field: field, reason: "is not a usable id")
        }
        guard !threads.contains(where: { $0.id == thread.id }) else {
            throw .conflict("a thread with this id exists")
        }
        let isTaken = threads.contains {
            $0.ownerID == thread.ownerID && $0.conversationID == thread.conversationID && $0.conversationID != nil
        }
        guard !isTaken else { throw .conflict("a thread with this assistant exists") }
        var kept = thread
        kept.givenTitle = try AssistantThread.checked(title: thread.givenTitle)
        threads.append(kept)
        threadChanges[kept.id] = change(.threads(kept.ownerID), since: changes.count)
    }

    /// Notes that a turn is another one now, and its thread with it.
    mutating func logChange(of turn: Turn, since start: Int) {
        guard let thread = turn.threadID else { return }
        let change = change(.threads(turn.askerID), since: start)
        (turnChanges[turn.id], threadChanges[thread]) = (change, change)
    }
}
