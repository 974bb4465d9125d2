public import ChatCore

extension InMemoryStore {
    /// Returns the number of the newest change.
    public func latestChange() async throws -> ChangeNumber {
        try read { state in state.changes.last?.number ?? ChangeNumber(rawValue: 0) }
    }

    /// Returns once there is a change after `number`.
    public func waitForChange(after number: ChangeNumber) async throws {
        try await latest.wait(after: number)
    }

    /// Returns the changes after `number` in order.
    public func changes(after number: ChangeNumber, limit: Int) async throws -> [Change] {
        try read { state in
            Array(state.changes.dropFirst(Int(clamping: max(0, number.rawValue))).prefix(max(0, limit)))
        }
    }

    /// Returns passages of a generation with their vectors.
    public func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try read { state in
            state.passages.filter { $0.value.generation == generation && $0.key > after }.keys.sorted()
                .prefix(max(0, limit)).compactMap(state.indexed)
        }
    }

    /// Returns those of `numbers` that have a vector in a generation.
    public func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws
        -> [IndexedPassage]
    {
        try read { state in
            Set(numbers).sorted().filter { state.passages[$0]?.generation == generation }.compactMap(state.indexed)
        }
    }

    /// Returns the passages that messages have in a generation.
    public func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber] {
        try read { state in
            state.passages.filter { $0.value.generation == generation && messages.contains($0.value.key) }.keys.sorted()
        }
    }

    /// Returns messages by ascending number.
    public func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        try read { state in
            state.messages.values.filter { $0.number > after }.sorted { $0.number < $1.number }
                .prefix(max(0, limit)).compactMap(state.indexed)
        }
    }

    /// Returns those of `keys` that exist.
    public func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        try read { state in
            Set(keys).compactMap { state.messages[$0] }.sorted { $0.number < $1.number }.compactMap(state.indexed)
        }
    }

    /// Returns how many passages a generation has, and the newest change.
    public func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try read { state in
            IndexCensus(
                count: state.passages.values.count { $0.generation == generation },
                change: state.changes.last?.number ?? ChangeNumber(rawValue: 0))
        }
    }

    /// Returns how many messages have content, and the newest change.
    public func messageCensus() async throws -> IndexCensus {
        try read { state in
            IndexCensus(
                count: state.messages.values.count { $0.isEmbeddable },
                change: state.changes.last?.number ?? ChangeNumber(rawValue: 0))
        }
    }

    /// Returns the names of snapshot files that are remembered.
    public func snapshotNames() async throws -> [GenerationNumber: String] {
        try read { state in state.snapshotNames }
    }

    /// Remembers the name of a generation's snapshot file.
    public func setSnapshotName(_ name: String?, of generation: GenerationNumber) async throws -> Bool {
        try write { state in
            let present = state.generations.first { $0.number == generation }?.state
            guard present == .serving || present == .filling else {
                state.snapshotNames[generation] = nil
                return false
            }
            state.snapshotNames[generation] = name
            return true
        }
    }

    /// Returns the name that is remembered of the file of words.
    public func wordSnapshotName() async throws -> String? {
        try read { state in state.wordSnapshotName }
    }

    /// Remembers the name of the file of words.
    public func setWordSnapshotName(_ name: String?) async throws {
        try write { state in state.wordSnapshotName = name }
    }
}

extension InMemoryState {
    func indexed(_ stored: StoredMessage) -> IndexedMessage? {
        let message = stored.message
        guard let conversation = conversations[message.key.conversationID] else { return nil }
        let content = IndexedMessage.Content(
            senderID: message.senderID, senderName: message.senderName, text: message.searchableText,
            timestamp: message.timestamp, timeZone: conversation.conversation.timeZone,
            threadRootID: message.threadRootID)
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
