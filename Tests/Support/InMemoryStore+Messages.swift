package import ChatCore
import Synchronization

extension InMemoryStore {
    /// Stores messages; each succeeds or fails on its own.
    package func accept(_ messages: [Message], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> [AcceptOutcome]
    {
        try write { state in
            state.isImporting = mode == .importing
            defer { state.isImporting = false }
            let outcomes = messages.map { state.accept($0, source: source, mode: mode, at: moment) }
            guard mode == .importing else { return outcomes }
            let places = Set(messages.map(\.key.conversationID)).compactMap { state.conversations[$0] }
            for place in places.sorted(by: { $0.number < $1.number }) {
                state.completeTimes(of: place.conversation.id, at: moment)
            }
            return outcomes
        }
    }

    /// Gives a message a new text; it stores no files.
    package func edit(
        _ key: MessageKey, text: String?, files: [FileID]?, by writer: Writer, at moment: Timestamp
    ) async throws -> Message {
        try change { state in
            let stored = try state.changeable(key, by: writer, at: moment)
            guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
            var message = stored.message
            if let text { message.text = text }
            guard message != stored.message else { return message }
            guard !message.attachments.isEmpty || message.text.contains(where: { !$0.isWhitespace }) else {
                throw RepositoryError.invalid(field: "text", reason: "must not be empty")
            }
            try InMemoryRules.check(edited: message)
            message.editedAt = moment
            state.replace(key, with: message, at: moment)
            return message
        }
    }

    /// Deletes a message.
    package func delete(_ key: MessageKey, by writer: Writer, at moment: Timestamp) async throws {
        try change { state in
            guard try state.changeable(key, by: writer, at: moment).message.deletedAt == nil else { return }
            state.delete(key, at: moment)
        }
    }

    /// Returns messages of one conversation, newest first.
    package func page(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try read { state throws(RepositoryError) in
            guard state.mayRead(asker, id, at: moment) else { throw .noSuchConversation(id) }
            let all = state.messages.values.filter { $0.message.key.conversationID == id }
            var bound: InMemoryState.StoredMessage?
            if let before {
                let key = MessageKey(conversationID: id, messageID: before)
                guard let found = state.messages[key] else { throw .noSuchMessage(key) }
                bound = found
            }
            return all.filter { stored in
                stored.message.deletedAt == nil && (bound.map { $0.isNewer(than: stored) } ?? true)
                    && !state.hides(stored.message.key, from: asker, at: moment)
            }.sorted { $0.isNewer(than: $1) }.prefix(max(0, limit)).map(\.message)
        }
    }

    /// Returns messages behind another one, oldest first.
    package func page(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try read { state throws(RepositoryError) in
            guard state.mayRead(asker, id, at: moment) else { throw .noSuchConversation(id) }
            let key = MessageKey(conversationID: id, messageID: after)
            guard let bound = state.messages[key] else { throw .noSuchMessage(key) }
            return state.messages.values
                .filter {
                    $0.message.key.conversationID == id && $0.message.deletedAt == nil && $0.isNewer(than: bound)
                        && !state.hides($0.message.key, from: asker, at: moment)
                }
                .sorted { $1.isNewer(than: $0) }.prefix(max(0, limit)).map(\.message)
        }
    }

    /// Returns the first message from a time on, and its neighbours.
    package func messages(
        of id: ConversationID, from time: Timestamp, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings {
        let all = Array(try await page(of: id, asker: asker, before: nil, limit: .max, at: moment).reversed())
        let first = all.firstIndex { $0.timestamp >= time } ?? all.endIndex
        return MessageSurroundings(
            message: all[first...].first, earlier: all[..<first].reversed().prefix(earlier).map(\.self),
            later: all[first...].dropFirst().prefix(later).map(\.self))
    }

    /// Returns those of `keys` that may be read.
    package func messages(_ keys: [MessageKey], in scope: SearchScope, at moment: Timestamp) async throws
        -> [MessageKey: Message]
    {
        try read { state in
            let permitted = Set(state.permitted(scope, at: moment).map(\.id))
            var found: [MessageKey: Message] = [:]
            for key in keys where permitted.contains(key.conversationID) {
                guard let message = state.messages[key]?.message, message.deletedAt == nil,
                    !state.hides(key, from: scope.asker, at: moment)
                else { continue }
                found[key] = message
            }
            return found
        }
    }

    /// Returns those of `keys` that exist, without a check of permissions.
    package func stored(_ keys: [MessageKey]) async throws -> [MessageKey: Message] {
        try read { state in
            keys.reduce(into: [:]) { $0[$1] = state.messages[$1]?.message }
        }
    }

    /// Returns messages that may be read; their repeats are always looked up later.
    package func visible(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, repeatsOf best: [MessageNumber],
        limit: Int, in scope: SearchScope, at moment: Timestamp
    ) async throws -> (messages: [VisibleMessage], repeats: [MessageNumber: [MessageNumber]]) {
        (try readable(messages, passagesOf: generation, in: scope, at: moment), [:])
    }

    private func readable(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, in scope: SearchScope,
        at moment: Timestamp
    ) throws -> [VisibleMessage] {
        candidateReads.withLock { $0 += messages.count }
        return try read { state in
            let permitted = Set(state.permitted(scope, at: moment).map(\.number))
            let named = messages.compactMap { number in
                state.messages.first { $0.value.arrival == number.rawValue }?.key
            }
            var seen: Set<MessageKey> = []
            return named.filter { seen.insert($0).inserted }.compactMap { key in
                guard let stored = state.messages[key], stored.message.deletedAt == nil,
                    let conversation = state.conversations[key.conversationID]?.number,
                    permitted.contains(conversation), !state.hides(key, from: scope.asker, at: moment)
                else { return nil }
                let passages = state.passages.filter {
                    $0.value.key == key && $0.value.generation == generation
                }
                var message = stored.message
                (message.reactions, message.extra, message.localID) = ([], nil, nil)
                return VisibleMessage(
                    number: stored.number, message: message, conversation: conversation,
                    passages: passages.sorted { $0.key < $1.key }.map { Passage(number: $0.key, range: $0.value.range) }
                )
            }
        }
    }
}

extension InMemoryStore {
    /// Returns messages that begin with the same embedded text; histories are not limited here.
    package func repeats(
        of messages: [MessageNumber], for asker: UserID, in generation: GenerationNumber, limit: Int
    ) async throws -> [MessageNumber: [MessageNumber]] {
        try read { state in
            let passages = state.passages.sorted { $0.key < $1.key }.filter { $0.value.generation == generation }
            let first = Dictionary(passages.map { ($0.value.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            var found: [MessageNumber: [MessageNumber]] = [:]
            for own in state.messages.values where messages.contains(own.number) {
                guard let hash = first[own.message.key]?.contentHash else { continue }
                let others = state.messages.values.filter { other in
                    other.number != own.number && first[other.message.key]?.contentHash == hash
                        && other.message.key.conversationID == own.message.key.conversationID
                }
                guard !others.isEmpty else { continue }
                found[own.number] = others.sorted { $0.isNewer(than: $1) }.prefix(limit).map(\.number)
            }
            return found
        }
    }
}

extension InMemoryState.StoredMessage {
    func isNewer(than other: Self) -> Bool {
        (message.timestamp, arrival) > (other.message.timestamp, other.arrival)
    }

    /// What of it goes into its vector; nil for nothing.
    var embedded: [String]? { isEmbeddable ? [message.senderName, message.searchableText] : nil }
}

extension InMemoryState {
    mutating func accept(_ given: Message, source: String, mode: AcceptMode, at moment: Timestamp) -> AcceptOutcome {
        if let refusal = InMemoryRules.refusal(of: given) { return refusal }
        // Files are kept by SQLite only.
        guard given.fileIDs.isEmpty else {
            return .invalid(field: "attachments", reason: "must be files of the sender")
        }
        let key = given.key
        guard conversations[key.conversationID] != nil else { return .noSuchConversation }
        let existing = messages[key]
        if existing?.message.deletedAt != nil || (existing == nil && tombstones.contains(key)) { return .deletedBefore }
        let author = Author(source: source, id: given.senderID.rawValue)
        if let twin = twin(of: given, author: author), twin.message.key != key {
            return twin.message.deletedAt == nil ? .unchanged(twin.message.key.messageID) : .deletedBefore
        }
        let message = given.written(by: identities[author] ?? given.senderID)
        if let existing {
            if existing.message == message { return .unchanged(key.messageID) }
            if mode == .posting { return .conflict }
            _ = user(of: author)
            replace(key, with: message, at: moment)
            messages[key]?.source = source
            messages[key]?.authorID = author.id
            return .updated
        }
        _ = user(of: author)
        arrivalCount += 1
        let stored = StoredMessage(message: message, arrival: arrivalCount, source: source, authorID: author.id)
        messages[key] = stored
        append(.message(key.messageID), in: key.conversationID)
        if stored.isEmbeddable { enqueue(key, at: moment) }
        return .inserted
    }

    /// Returns the message that the same author sent with the same local id.
    private func twin(of message: Message, author: Author) -> StoredMessage? {
        guard let localID = message.localID else { return nil }
        return messages.values.first {
            $0.message.key.conversationID == message.key.conversationID && $0.message.localID == localID
                && $0.source == author.source && $0.authorID == author.id
        }
    }

    /// Deletes a message that is there.
    mutating func delete(_ key: MessageKey, at moment: Timestamp) {
        guard let old = messages[key]?.message else { return }
        let tombstone = Message(
            key: key, senderID: old.senderID, senderName: "", text: "", kind: old.kind, timestamp: old.timestamp,
            deletedAt: moment, replyToID: old.replyToID, threadRootID: old.threadRootID, localID: old.localID)
        replace(key, with: tombstone, at: moment)
        redactTurns(standingOn: key)
    }

    /// Stores another content; what was embedded of the old one goes when it differs.
    mutating func replace(_ key: MessageKey, with message: Message, at moment: Timestamp) {
        guard let old = messages[key] else { return }
        messages[key]?.message = message
        messages[key]?.isEmpty = false
        if !old.message.isSummarizedLike(message) { removeSummaries(covering: old) }
        append(.message(key.messageID), in: key.conversationID)
        if message.deletedAt == nil, old.message.searchableText != message.searchableText {
            messages[key]?.textChangedAt = moment
            redactTurns(standingOnEdited: key, at: moment)
            followMentions(ofEdited: key, at: moment)
        }
        if message.deletedAt != nil, old.message.deletedAt == nil {
            followMentions(ofDeleted: key, at: moment)
            followMarks(ofDeleted: key)
        }
        if old.message.searchableText != message.searchableText || message.deletedAt != nil {
            followItems(of: message)
            forgetVerdicts(on: key)
        }
        guard let new = messages[key], old.embedded != new.embedded || !isCoveredAlike(old.message, new.message) else {
            return
        }
        messages[key]?.revision += 1
        for number in passages.filter({ $0.value.key == key }).keys.sorted() {
            passages[number] = nil
            append(.retired(number), in: key.conversationID)
        }
        for generation in queue.keys { queue[generation]?[key] = nil }
        if new.isEmbeddable { enqueue(key, at: moment) }
    }

    /// Whether the same generations cover both messages.
    private func isCoveredAlike(_ old: Message, _ new: Message) -> Bool {
        generations.filter { $0.state != .retired }.allSatisfy { $0.covers(old.timestamp) == $0.covers(new.timestamp) }
    }

    mutating func enqueue(_ key: MessageKey, at moment: Timestamp) {
        guard let timestamp = messages[key]?.message.timestamp, !isExcluded(key) else { return }
        for generation in generations where generation.state != .retired && generation.covers(timestamp) {
            queue[generation.number, default: [:]][key] = QueueEntry(isBacklog: isImporting, queuedAt: moment)
        }
    }
}

extension Message {
    fileprivate func written(by user: UserID) -> Message {
        Message(
            key: key, senderID: user, senderName: senderName, text: text, kind: kind, timestamp: timestamp,
            editedAt: editedAt, replyToID: replyToID, threadRootID: threadRootID, attachments: attachments,
            reactions: reactions, extra: extra, localID: localID, url: url)
    }
}

extension InMemoryState {
    /// Returns a message that a writer may change, deleted or not.
    fileprivate func changeable(_ key: MessageKey, by writer: Writer, at moment: Timestamp) throws -> StoredMessage {
        let (id, reader) = (key.conversationID, writer.reader)
        guard conversations[id] != nil, reader.map({ mayRead($0, id, at: moment) }) ?? true else {
            throw RepositoryError.noSuchConversation(id)
        }
        guard let stored = messages[key],
            stored.message.deletedAt != nil || reader.map({ !hides(key, from: $0, at: moment) }) ?? true
        else { throw RepositoryError.noSuchMessage(key) }
        guard writer.mayChange(stored.message) else { throw PermissionError.notOwn }
        return stored
    }
}
