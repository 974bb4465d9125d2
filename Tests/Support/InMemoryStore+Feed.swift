package import ChatCore

extension InMemoryStore {
    package func latestChange() async throws -> ChangeCursor {
        try read { state in state.end }
    }

    package func waitForChange(after cursor: ChangeCursor) async throws {
        try await latest.wait(after: cursor)
    }

    package func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage {
        try read { state throws(RepositoryError) in
            let changes = Array(state.changes.dropFirst(try state.count(at: cursor)).prefix(max(0, limit)))
            return ChangePage(changes: changes, end: changes.last.map { .position($0.number) } ?? cursor)
        }
    }

    /// Returns passages of a generation with their vectors.
    package func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try read { state in
            state.passages.filter { $0.value.generation == generation && $0.key > after }.keys.sorted()
                .prefix(max(0, limit)).compactMap(state.indexed)
        }
    }

    /// Returns those of `numbers` that have a vector in a generation.
    package func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws
        -> [IndexedPassage]
    {
        try read { state in
            Set(numbers).sorted().filter { state.passages[$0]?.generation == generation }.compactMap(state.indexed)
        }
    }

    /// Returns the passages that messages have in a generation.
    package func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber] {
        try read { state in
            state.passages.filter { $0.value.generation == generation && messages.contains($0.value.key) }.keys.sorted()
        }
    }

    /// Returns messages by ascending number.
    package func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        try read { state in
            state.messages.values.filter { $0.number > after }.sorted { $0.number < $1.number }
                .prefix(max(0, limit)).compactMap(state.indexed)
        }
    }

    /// Returns those of `keys` that exist.
    package func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        try read { state in
            Set(keys).compactMap { state.messages[$0] }.sorted { $0.number < $1.number }.compactMap(state.indexed)
        }
    }

    /// Returns how many passages a generation has, and the newest change.
    package func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try read { state in
            IndexCensus(
                count: state.passages.values.count { $0.generation == generation },
                cursor: state.end)
        }
    }

    /// Returns how many messages have content, and the newest change.
    package func messageCensus() async throws -> IndexCensus {
        try read { state in
            IndexCensus(
                count: state.messages.values.count { $0.isEmbeddable },
                cursor: state.end)
        }
    }

    package func snapshots() async throws -> [GenerationNumber: SnapshotRecord] {
        try read { state in state.snapshots }
    }

    package func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool {
        try write { state in
            let present = state.generations.first { $0.number == generation }?.state
            guard present == .serving || present == .filling else {
                state.snapshots[generation] = nil
                return false
            }
            state.snapshots[generation] = record
            return true
        }
    }

    package func wordSnapshot() async throws -> SnapshotRecord? {
        try read { state in state.wordSnapshot }
    }

    package func setWordSnapshot(_ record: SnapshotRecord?) async throws {
        try write { state in state.wordSnapshot = record }
    }
}

extension ChangeCursor {
    /// A position in the log of the store in memory.
    static func position(_ number: ChangeNumber) -> ChangeCursor { ChangeCursor(epoch: 7, positions: [number]) }
}

extension InMemoryState {
    /// The end of the log.
    var end: ChangeCursor { .position(ChangeNumber(rawValue: Int64(changes.count))) }

    /// How many changes lie before a cursor.
    func count(at cursor: ChangeCursor) throws(RepositoryError) -> Int {
        guard end.reaches(cursor) else { throw .expiredCursor }
        return Int(cursor.positions[0].rawValue)
    }

    func indexed(_ stored: StoredMessage) -> IndexedMessage? {
        let message = stored.message
        guard let conversation = conversations[message.key.conversationID] else { return nil }
        let content = IndexedMessage.Content(
            senderID: message.senderID, senderName: message.senderName, text: message.searchableText,
            timestamp: message.timestamp, timeZone: conversation.conversation.timeZone,
            threadRootID: message.threadRootID, kinds: message.contentKinds)
        return IndexedMessage(
            number: stored.number, conversation: conversation.number, content: stored.isEmbeddable ? content : nil)
    }

    func indexed(_ number: PassageNumber) -> IndexedPassage? {
        guard let passage = passages[number], let stored = messages[passage.key],
            let conversation = conversations[passage.key.conversationID]
        else { return nil }
        return IndexedPassage(
            number: number, conversation: conversation.number, message: stored.number, messageKey: passage.key,
            senderID: stored.message.senderID, timestamp: stored.message.timestamp, vector: passage.vector)
    }
}
