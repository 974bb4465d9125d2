package import ChatCore

extension InMemoryStore {
    package func beginMentions() async throws -> ChangeCursor {
        try write { state in
            let zero = Timestamp(microseconds: 0)
            for key in state.mentions.keys where state.mentions[key]?.isClaimed == true {
                state.mentions[key]?.dueAt = zero
            }
            for key in state.deliveries.keys where state.deliveries[key]?.isClaimed == true {
                state.deliveries[key]?.dueAt = zero
            }
            let place = state.mentionWatermark ?? ChangeNumber(rawValue: Int64(state.changes.count))
            state.mentionWatermark = place
            return .position(place)
        }
    }

    package func messagesBeginningWithAt(after cursor: ChangeCursor, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeCursor)
    {
        try read { state throws(RepositoryError) in
            let changes = state.changes.dropFirst(try state.count(at: cursor)).prefix(max(0, limit))
            let keys = Set(
                changes.compactMap { change -> MessageKey? in
                    guard case .message(let id) = change.subject, let place = change.conversationID else { return nil }
                    return MessageKey(conversationID: place, messageID: id)
                })
            let found = keys.compactMap { state.messages[$0] }.filter { stored in
                let message = stored.message
                return message.kind == .text && message.deletedAt == nil && message.timestamp >= oldest
                    && message.text.trimmingWhitespace().first == "@"
            }.sorted { $0.arrival < $1.arrival }
            return (found.map(\.message), changes.last.map { .position($0.number) } ?? cursor)
        }
    }

    package func nextMentionDue() async throws -> Timestamp? {
        try read { state in state.mentions.values.compactMap(\.dueAt).min() }
    }

    package func nextDeliveryDue() async throws -> Timestamp? {
        try read { state in state.deliveries.values.compactMap(\.dueAt).min() }
    }

    package func queueMentions(_ messages: [MessageKey], through cursor: ChangeCursor, at moment: Timestamp)
        async throws
    {
        try write { state throws(RepositoryError) in
            let number = ChangeNumber(rawValue: Int64(try state.count(at: cursor)))
            for key in messages where state.mentions[key] == nil {
                guard let stored = state.messages[key], stored.message.deletedAt == nil else { continue }
                state.mentions[key] = InMemoryState.StoredMention(dueAt: moment)
            }
            state.mentionWatermark = state.mentionWatermark.map { max($0, number) }
        }
    }

    /// Claims the mention that has been due longest.
    package func giveBackMention(claimedUntil lease: Timestamp, at moment: Timestamp) async throws {
        try write { state in
            for (key, mention) in state.mentions
            where mention.dueAt == lease && mention.state == .waiting && mention.attempts > 0 {
                state.mentions[key]?.dueAt = moment
            }
        }
    }

    package func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention? {
        try write { state in
            while let key = state.nextDue(state.mentions.compactMapValues(\.dueAt), at: moment) {
                guard let message = state.messages[key]?.message, message.deletedAt == nil else {
                    state.settle(key, as: .dropped, dueAt: nil)
                    continue
                }
                state.mentions[key]?.attempts += 1
                state.mentions[key]?.dueAt = lease
                state.mentions[key]?.claimedAt = moment
                return Mention(message: message, attempts: state.mentions[key]?.attempts ?? 1)
            }
            return nil
        }
    }

    /// Counts what was posted in a conversation in answer to mentions since a moment.
    package func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int {
        try read { state in
            state.mentions.count { key, mention in
                key.conversationID == id && mention.answeredAt.map { $0 > moment } ?? false
            }
        }
    }

    /// Returns the newest questions and answers of a thread.
    package func answeredMentions(
        inThread root: MessageID, of id: ConversationID, within audience: Set<ConversationID>, limit: Int
    ) async throws -> [(question: Message, answer: Message)] {
        try read { state in
            state.answered(inThread: root, of: id).suffix(max(0, limit)).filter { pair in
                state.places(of: pair.answer.message.key).isSubset(of: audience)
            }.map { ($0.message, $1.message) }
        }
    }

    /// Returns the conversations that an answer in a conversation may be based on.
    package func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws
        -> Set<ConversationID>
    {
        try read { state in state.audience(of: id, asker: asker, at: moment) }
    }

    /// Posts an answer and settles its mention.
    package func post(
        _ answer: Message, to question: MessageKey, attempt: Int?, as outcome: Mention.State,
        standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting {
        try write { state in
            let keys = Set(sources).union([question])
            guard keys.allSatisfy({ state.messages[$0].map { $0.message.deletedAt == nil } ?? false }),
                state.mentions[question]?.state == .waiting,
                attempt == nil || attempt == state.mentions[question]?.attempts, state.messages[answer.key] == nil,
                !state.tombstones.contains(answer.key)
            else { return .outdated }
            if let claimed = state.mentions[question]?.claimedAt {
                let edits = keys.compactMap { state.messages[$0]?.textChangedAt }
                guard edits.allSatisfy({ $0 <= claimed }) else { return .outdated }
            }
            let basis = keys.union(keys.flatMap { state.mentionSources[$0] ?? [] })
            let audience = state.audience(
                of: question.conversationID, asker: state.messages[question]?.message.senderID ?? "", at: moment)
            guard basis.allSatisfy({ audience.contains($0.conversationID) }) else { return .audienceChanged }
            state.arrivalCount += 1
            state.messages[answer.key] = InMemoryState.StoredMessage(
                message: answer, arrival: state.arrivalCount, source: "nexus", authorID: answer.senderID.rawValue)
            state.append(.message(answer.key.messageID), in: answer.key.conversationID)
            state.mentionSources[answer.key] = basis
            state.mentions[question]?.state = outcome
            state.mentions[question]?.dueAt = nil
            state.mentions[question]?.answer = answer.key
            state.mentions[question]?.answeredAt = moment
            if isDelivered { state.deliveries[answer.key] = InMemoryState.StoredDelivery(dueAt: moment) }
            return .posted
        }
    }

    /// Says what became of a mention that is not answered.
    package func settle(
        _ question: MessageKey, attempt: Int?, as outcome: Mention.State, dueAt moment: Timestamp?
    ) async throws {
        try write { state in
            guard attempt == nil || attempt == state.mentions[question]?.attempts else { return }
            state.settle(question, as: outcome, dueAt: moment)
        }
    }

    /// Claims the answer that another system has to be told of longest.
    package func claimDelivery(until lease: Timestamp, at moment: Timestamp) async throws -> MentionDelivery? {
        try write { state in
            guard let key = state.nextDue(state.deliveries.compactMapValues(\.dueAt), at: moment),
                let answer = state.messages[key]?.message
            else { return nil }
            state.deliveries[key]?.attempts += 1
            state.deliveries[key]?.dueAt = lease
            return MentionDelivery(answer: answer, attempts: state.deliveries[key]?.attempts ?? 1)
        }
    }

    /// Says what became of a delivery.
    package func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws {
        try write { state in
            let key = delivery.answer.key
            guard let answer = state.messages[key]?.message, answer.deletedAt == delivery.answer.deletedAt,
                answer.editedAt == delivery.answer.editedAt
            else { return }
            state.deliveries[key]?.dueAt = moment
        }
    }
}

extension InMemoryState {
    struct StoredMention: Sendable {
        var state = Mention.State.waiting
        var attempts = 0
        var dueAt: Timestamp?
        var answer: MessageKey?
        var answeredAt: Timestamp?
        var claimedAt: Timestamp?

        var isClaimed: Bool { attempts > 0 && dueAt != nil }
    }

    struct StoredDelivery: Sendable {
        var attempts = 0
        var dueAt: Timestamp?

        var isClaimed: Bool { attempts > 0 && dueAt != nil }
    }

    /// Returns what has been due longest; of the same moment what arrived first.
    fileprivate func nextDue(_ times: [MessageKey: Timestamp], at moment: Timestamp) -> MessageKey? {
        times.filter { $0.value <= moment }.min { first, second in
            (first.value, messages[first.key]?.arrival ?? 0) < (second.value, messages[second.key]?.arrival ?? 0)
        }?.key
    }

    fileprivate mutating func settle(_ key: MessageKey, as outcome: Mention.State, dueAt moment: Timestamp?) {
        guard mentions[key]?.state == .waiting else { return }
        mentions[key]?.state = outcome
        mentions[key]?.dueAt = moment
    }

    fileprivate func answered(
        inThread root: MessageID, of id: ConversationID
    ) -> [(question: StoredMessage, answer: StoredMessage)] {
        let found = mentions.compactMap { key, mention -> (Timestamp, StoredMessage, StoredMessage)? in
            guard key.conversationID == id, mention.state == .answered, let moment = mention.answeredAt,
                let question = messages[key], let answer = mention.answer.flatMap({ messages[$0] }),
                question.message.threadRootID == root || key.messageID == root,
                question.message.deletedAt == nil, answer.message.deletedAt == nil
            else { return nil }
            return (moment, question, answer)
        }
        return found.sorted { ($0.0, $0.1.arrival) < ($1.0, $1.1.arrival) }.map { ($0.1, $0.2) }
    }

    /// Where the messages are that an answer is based on.
    func places(of answer: MessageKey) -> Set<ConversationID> {
        Set((mentionSources[answer] ?? []).map(\.conversationID))
    }

    /// Whether somebody may not see a message: for its time, or an answer for what it is based on.
    func hides(_ key: MessageKey, from reader: UserID, at moment: Timestamp) -> Bool {
        if isBeyond(key, for: reader) { return true }
        guard messages[key]?.message.kind == .assistant else { return false }
        return (mentionSources[key] ?? []).contains { source in
            isBeyond(source, for: reader)
                || source.conversationID != key.conversationID && !mayRead(reader, source.conversationID, at: moment)
        }
    }

    fileprivate func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) -> Set<ConversationID> {
        guard let stored = conversations[id], mayRead(asker, id, at: moment) else { return [] }
        var readers = stored.members.keys.filter { isPresent($0, in: stored, at: moment) } + [asker]
        if stored.conversation.visibility == .everyone { readers.append("") }
        let shared = conversations.filter { place, other in
            other.conversation.kind != .direct && readers.allSatisfy { mayRead($0, place, at: moment) }
        }
        return Set(shared.keys).union([id])
    }

    /// Follows a message whose text changed: answers that are based on it lose their text, unless it is the question.
    mutating func followMentions(ofEdited key: MessageKey, at moment: Timestamp) {
        let standing = mentionSources.filter { $0.value.contains(key) }.keys
            .compactMap { messages[$0] }.filter { $0.message.deletedAt == nil }.sorted { $0.arrival < $1.arrival }
        for answer in standing where messages[answer.message.key]?.message.text != MentionWithdrawal.text {
            let question = mentions.first { $0.value.answer == answer.message.key }
            guard question?.value.state == .answered, question?.key != key else { continue }
            replace(answer.message.key, with: answer.message.withdrawn(at: moment), at: moment)
            outdated.removeAll { $0.id == .message(answer.message.key) }
            if deliveries[answer.message.key] != nil {
                deliveries[answer.message.key] = StoredDelivery(dueAt: moment)
            }
        }
    }

    /// Deletes the answers that are based on a deleted message; systems that received one learn of that.
    mutating func followMentions(ofDeleted key: MessageKey, at moment: Timestamp) {
        if deliveries[key] != nil { deliveries[key] = StoredDelivery(dueAt: moment) }
        let standing = mentionSources.filter { $0.value.contains(key) }.keys
            .compactMap { messages[$0] }.filter { $0.message.deletedAt == nil }.sorted { $0.arrival < $1.arrival }
        for answer in standing { delete(answer.message.key, at: moment) }
    }
}
