package import ChatCore

extension InMemoryStore {
    /// Begins an extraction.
    package func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        reading limits: ExtractionLimits, at moment: Timestamp
    ) async throws -> ExtractionBeginning {
        let lease = ExtractionLease(id: leaseID, kind: kind, conversationID: id)
        let roster = try await roster(of: id, asker: asker, at: moment)
        try write { state throws(RepositoryError) in
            let place = InMemoryState.ExtractionPlace(conversationID: id, kind: kind)
            if let lease = state.extractions[place]?.lease, lease.end > moment {
                throw .extractionUnderWay(id)
            }
            state.extractions[place, default: .init()].lease = (leaseID, end)
        }
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        let batch = try await nextMessages(for: lease, limit: limits.messages, contextLimit: limits.context)
        return ExtractionBeginning(
            lease: lease, roster: roster, items: try await items(of: kind, in: scope, at: moment), batch: batch,
            knownMessages: try await messages(
                batch.shownItems(limit: limits.known).map(\.key), in: scope, at: moment))
    }

    /// Returns what a lease's extraction reads next.
    package func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws
        -> ExtractionBatch
    {
        try read { state throws(RepositoryError) in
            let watermark = try state.extraction(lease).watermark
            let changed = state.changes.filter { change in
                guard case .message = change.subject else { return false }
                return change.number > watermark && change.conversationID == lease.conversationID
            }.prefix(max(1, limit))
            let isLast = changed.count < max(1, limit)
            let keys = Set(
                changed.compactMap { change -> MessageKey? in
                    guard case .message(let id) = change.subject else { return nil }
                    return MessageKey(conversationID: lease.conversationID, messageID: id)
                })
            let own = state.messages.values.filter { $0.message.key.conversationID == lease.conversationID }
                .filter(\.isReadable).sorted { $1.isNewer(than: $0) }
            let messages = own.filter { keys.contains($0.message.key) }
            let context = messages.first.map { first in own.filter { first.isNewer(than: $0) } } ?? []
            return ExtractionBatch(
                messages: messages.map(\.message), context: context.suffix(max(0, contextLimit)).map(\.message),
                known: state.items.filter {
                    $0.kind == lease.kind && $0.key.conversationID == lease.conversationID
                }.map(state.timed),
                end: isLast ? state.end : .position(changed.last?.number ?? watermark),
                isLast: isLast)
        }
    }

    /// Stores what was found in a batch.
    package func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through cursor: ChangeCursor, until end: Timestamp?,
        at moment: Timestamp
    ) async throws {
        try write { state throws(RepositoryError) in
            _ = try state.extraction(lease)
            let number = ChangeNumber(rawValue: Int64(try state.count(at: cursor)))
            let start = state.changes.count
            for id in changes.removedIDs { state.removeItem(id, since: start) }
            for item in changes.added where item.kind == lease.kind {
                guard item.key.conversationID == lease.conversationID,
                    state.messages[item.key].map({ $0.message.deletedAt == nil }) == true
                else { continue }
                state.items.append(item)
                state.logChange(of: item, since: start)
            }
            for item in changes.changed {
                guard let index = state.items.firstIndex(where: { $0.id == item.id }) else { continue }
                state.items[index] = state.items[index].taking(item)
                state.logChange(of: state.items[index], since: start)
            }
            let place = InMemoryState.ExtractionPlace(conversationID: lease.conversationID, kind: lease.kind)
            let watermark = state.extractions[place]?.watermark ?? number
            state.extractions[place]?.watermark = max(watermark, number)
            state.extractions[place]?.lease = end.map { (lease.id, $0) }
        }
    }

    /// Ends an extraction.
    package func endExtraction(_ lease: ExtractionLease) async throws {
        try write { state in
            let place = InMemoryState.ExtractionPlace(conversationID: lease.conversationID, kind: lease.kind)
            if state.extractions[place]?.lease?.id == lease.id { state.extractions[place]?.lease = nil }
        }
    }

    /// Returns the items of a kind that a scope grants.
    package func items(of kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
        -> [ExtractedItem]
    {
        try read { state in
            let permitted = Set(state.permitted(scope, at: moment).map(\.id))
            return state.items.filter {
                $0.kind == kind && !$0.isDismissed && permitted.contains($0.key.conversationID)
                    && !state.isBeyond($0.key, for: scope.asker)
            }.map(state.timed).sorted { $0.precedes($1) }
        }
    }

    /// Returns what became of a conversation's items since a change.
    package func itemChanges(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, after cursor: ChangeCursor?, limit: Int,
        at moment: Timestamp
    ) async throws -> ListChanges<ExtractedItem> {
        try read { state throws(RepositoryError) in
            guard state.mayRead(asker, id, at: moment) else { throw .noSuchConversation(id) }
            let own = state.items.filter {
                $0.kind == kind && $0.key.conversationID == id && !$0.isDismissed
                    && !state.isBeyond($0.key, for: asker)
            }
            return try state.changes(
                of: .items(kind, id), among: own.map { (state.itemChanges[$0.id], state.timed($0)) }, after: cursor,
                limit: limit)
        }
    }

    /// Changes an item for a person.
    package func edit(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) async throws -> ExtractedItem {
        try write { state throws(RepositoryError) in
            let index = try state.index(of: id, kind: kind, in: scope, at: moment)
            if let text = edit.text {
                let text = text.trimmingWhitespace()
                guard !text.isEmpty, text.utf8.count <= ExtractedItem.textByteLimit else {
                    throw .invalid(field: "text", reason: "must have 1 to \(ExtractedItem.textByteLimit) bytes")
                }
                state.items[index].text = text
            }
            if let person = edit.personID {
                state.items[index].personID = person
                state.items[index].personName = nil
                if let person {
                    let members = state.conversations[state.items[index].key.conversationID]?.members
                    guard let member = members?[person]?.member else {
                        throw .invalid(field: "person", reason: "is no member of the conversation")
                    }
                    state.items[index].personName = member.displayName
                }
            }
            if let due = edit.due { state.items[index].due = due }
            if let status = edit.status { state.items[index].status = status }
            state.items[index].editedFields.formUnion(edit.fields)
            state.logChange(of: state.items[index], since: state.changes.count)
            return state.timed(state.items[index])
        }
    }

    /// Takes an item away for a person.
    package func dismiss(_ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp)
        async throws
    {
        try write { state throws(RepositoryError) in
            let index = try state.index(of: id, kind: kind, in: scope, at: moment)
            state.items[index].isDismissed = true
            state.logRemoval(of: state.items[index], since: state.changes.count)
        }
    }
}

extension InMemoryState.StoredMessage {
    /// Whether something can be read in it.
    fileprivate var isReadable: Bool {
        message.deletedAt == nil && message.kind.isTalk && !message.searchableText.trimmingWhitespace().isEmpty
    }
}

extension InMemoryState {
    struct ExtractionPlace: Hashable, Sendable {
        var conversationID: ConversationID
        var kind: ExtractedItem.Kind
    }

    struct StoredExtraction: Sendable {
        var watermark = ChangeNumber(rawValue: 0)
        var lease: (id: String, end: Timestamp)?
    }

    func extraction(_ lease: ExtractionLease) throws(RepositoryError) -> StoredExtraction {
        let place = ExtractionPlace(conversationID: lease.conversationID, kind: lease.kind)
        guard let found = extractions[place], found.lease?.id == lease.id else {
            throw .extractionUnderWay(lease.conversationID)
        }
        return found
    }

    func timed(_ item: ExtractedItem) -> ExtractedItem {
        var item = item
        item.sentAt = messages[item.key]?.message.timestamp ?? item.sentAt
        return item
    }

    func index(
        of id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) throws(RepositoryError) -> Int {
        let permitted = Set(permitted(scope, at: moment).map(\.id))
        let index = items.firstIndex {
            $0.id == id && $0.kind == kind && !$0.isDismissed && permitted.contains($0.key.conversationID)
                && !isBeyond($0.key, for: scope.asker)
        }
        guard let index else { throw .noSuchItem(id) }
        return index
    }

    mutating func logChange(of item: ExtractedItem, since start: Int) {
        itemChanges[item.id] = change(.items, in: item.key.conversationID, since: start)
    }

    mutating func logRemoval(of item: ExtractedItem, since start: Int) {
        let change = change(.items, in: item.key.conversationID, since: start)
        itemChanges[item.id] = change
        removals.append(
            Removal(list: .items(item.kind, item.key.conversationID), change: change, id: item.id.rawValue))
        for index in items.indices where items[index].supersededByID == item.id {
            items[index].supersededByID = nil
            itemChanges[items[index].id] = change
        }
    }

    mutating func removeItem(_ id: ItemID, since start: Int) {
        guard let item = items.first(where: { $0.id == id }) else { return }
        if !item.isDismissed { logRemoval(of: item, since: start) }
        items.removeAll { $0.id == id }
    }

    /// Gives what a person has in a conversation to another one.
    mutating func moveItems(of old: UserID, to user: UserID, in id: ConversationID) {
        let start = changes.count
        let name = conversations[id]?.members[user]?.member.displayName
        for index in items.indices where items[index].personID == old && items[index].key.conversationID == id {
            (items[index].personID, items[index].personName) = (user, name)
            logChange(of: items[index], since: start)
        }
    }

    mutating func followItems(of message: Message) {
        let start = changes.count
        for item in items where item.key == message.key {
            let holdsQuote = !item.quote.isEmpty && message.searchableText.contains(item.quote)
            if message.deletedAt != nil || (!holdsQuote && item.editedFields.isEmpty && !item.isDismissed) {
                removeItem(item.id, since: start)
            } else if !holdsQuote, !item.quote.isEmpty, let index = items.firstIndex(where: { $0.id == item.id }) {
                items[index].quote = ""
                logChange(of: items[index], since: start)
            }
        }
    }
}
