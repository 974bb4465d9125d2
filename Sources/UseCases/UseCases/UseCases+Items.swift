package import Assistant
package import ChatCore

/// The filter of a list of items.
package struct ItemFilter: Sendable {
    /// Only those of this person.
    package var personID: UserID?
    /// Only those in this state.
    package var status: ExtractedItem.Status?
    /// A topic that decisions must be about.
    package var question: String?
    /// The last item of the previous page.
    package var after: ItemID?

    package init(
        personID: UserID? = nil, status: ExtractedItem.Status? = nil, question: String? = nil, after: ItemID? = nil
    ) {
        self.personID = personID
        self.status = status
        self.question = question
        self.after = after
    }

    /// Whether an item is shown.
    fileprivate func admits(_ item: ExtractedItem) -> Bool {
        if let personID, item.personID != personID { return false }
        if let status, item.status != status { return false }
        // Of the items that a later one replaced, only decisions are shown.
        return item.kind == .decision || item.supersededByID == nil
    }
}

/// Items: tasks, decisions and deadlines that were extracted from conversations.
extension UseCases {
    /// Lists the items of a kind that a filter admits, of one conversation or of all that the asker may see.
    ///
    /// Valid decisions come before replaced ones, with the newest first, or the best match of a question. Other items
    /// have the order of the store.
    ///
    /// - Parameters:
    ///   - kind: The kind of items.
    ///   - asker: The user who asks.
    ///   - conversation: The conversation; nil for all.
    ///   - filter: The filter.
    ///   - limit: The most items.
    /// - Returns: A page.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchItem(_:)`` for an unknown
    ///   ``ItemFilter/after``, ``LimitError``.
    package func items(
        of kind: ExtractedItem.Kind, asker: UserID, in conversation: ConversationID? = nil,
        filter: ItemFilter = ItemFilter(), limit: Int = .max
    ) async throws -> ListPage<ExtractedItem> {
        let scope = try await scope(of: asker, conversation)
        let sorted = try await lists.withPlace(for: asker.rawValue) {
            let found = try await store.items(of: kind, in: scope, at: now()).filter(filter.admits)
            return kind == .decision ? DecisionSearch.find(filter.question, in: found) : found
        }
        var rest = sorted[...]
        if let after = filter.after {
            guard let place = sorted.firstIndex(where: { $0.id == after }) else {
                throw RepositoryError.noSuchItem(after)
            }
            rest = sorted[(place + 1)...]
        }
        return ListPage(Array(rest), limit: limit)
    }

    /// Reads the new messages of a conversation.
    ///
    /// - Returns: All items of the kind, and the outcome, whose counts compare this list with the one before.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``, ``LimitError``.
    package func extractItems(
        _ kind: ExtractedItem.Kind, in conversation: ConversationID, asker: UserID, timeZone: String?
    ) async throws -> (outcome: ExtractionOutcome, items: [ExtractedItem]) {
        // The extractor refuses an asker who may not see the conversation.
        let scope = SearchScope(asker: asker, conversations: .only([conversation]))
        var (outcome, before) = try await questions.withPlace(for: asker.rawValue) {
            try await extractor.extract(kind, in: conversation, asker: asker, timeZone: timeZone)
        }
        let items = Self.shown(try await store.items(of: kind, in: scope, at: now()), of: kind)
        outcome.count(items, since: Self.shown(before, of: kind))
        return (outcome, items)
    }

    private static func shown(_ items: [ExtractedItem], of kind: ExtractedItem.Kind) -> [ExtractedItem] {
        kind == .decision ? DecisionSearch.find(nil, in: items) : items.filter(ItemFilter().admits)
    }

    /// Changes an item of a conversation that the asker may see, or of any of them.
    package func editItem(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, asker: UserID, in conversation: ConversationID? = nil
    ) async throws -> ExtractedItem {
        let scope = SearchScope(asker: asker, conversations: conversation.map { .only([$0]) } ?? .all)
        return try await store.edit(id, edit, kind: kind, in: scope, at: now())
    }

    /// Deletes an item permanently.
    package func dismissItem(
        _ id: ItemID, kind: ExtractedItem.Kind, asker: UserID, in conversation: ConversationID? = nil
    ) async throws {
        let scope = SearchScope(asker: asker, conversations: conversation.map { .only([$0]) } ?? .all)
        try await store.dismiss(id, kind: kind, in: scope, at: now())
    }

    /// Judges how urgent a user's unread messages are.
    package func priorities(
        in conversation: ConversationID, asker: UserID, from start: UnreadStart, timeZone: String?
    ) async throws -> [MessagePriority] {
        _ = try await scope(of: asker, conversation)
        return try await questions.withPlace(for: asker.rawValue) {
            try await extractor.priorities(in: conversation, asker: asker, from: start, timeZone: timeZone)
        }
    }

    /// The scope of one conversation, which the asker must be permitted to see, or of all.
    private func scope(of asker: UserID, _ conversation: ConversationID?) async throws -> SearchScope {
        guard let conversation else { return SearchScope(asker: asker, conversations: .all) }
        _ = try await store.roster(of: conversation, only: [], asker: asker, at: now())
        return SearchScope(asker: asker, conversations: .only([conversation]))
    }
}
