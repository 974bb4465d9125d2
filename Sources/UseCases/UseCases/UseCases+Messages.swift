public import ChatCore

/// Messages of a conversation.
extension UseCases {
    /// Lists messages that somebody may see, newest first.
    public func messages(
        of id: ConversationID, asker: UserID, before: MessageID? = nil, limit: Int
    ) async throws -> ListPage<Message> {
        let found = try await store.page(of: id, asker: asker, before: before, limit: limit + 1, at: now())
        return ListPage(found.map { $0.shown(to: asker) }, limit: limit)
    }

    /// Returns a message that somebody may see.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    public func message(_ key: MessageKey, asker: UserID) async throws -> Message {
        let found = try await store.surroundings(of: key, asker: asker, earlier: 0, later: 0, at: now())
        guard let message = found.message else { throw RepositoryError.noSuchMessage(key) }
        return message.shown(to: asker)
    }

    /// Returns a message and its neighbours, oldest first; half of them come before it if there are enough.
    ///
    /// - Throws: ``RepositoryError/noSuchMessage(_:)``.
    public func messages(around key: MessageKey, asker: UserID, limit: Int) async throws -> [Message] {
        let found: MessageSurroundings
        do {
            found = try await store.surroundings(
                of: key, asker: asker, earlier: (limit - 1) / 2, later: max(0, limit - 1), at: now())
        } catch RepositoryError.noSuchConversation {
            throw RepositoryError.noSuchMessage(key)
        }
        guard let middle = found.message else { throw RepositoryError.noSuchMessage(key) }
        let later = found.later.prefix(max(0, limit - 1 - found.earlier.count))
        return (found.earlier.reversed() + [middle] + later).map { $0.shown(to: asker) }
    }

    /// Returns the stored messages among `ids` that were not deleted, of a conversation in which the caller may write.
    public func storedMessages(
        _ ids: [MessageID], in conversation: ConversationID
    ) async throws -> [MessageID: Message] {
        guard !ids.isEmpty else { return [:] }
        let keys = ids.map { MessageKey(conversationID: conversation, messageID: $0) }
        return try await store.stored(keys).filter { $0.value.deletedAt == nil }
            .reduce(into: [:]) { $0[$1.key.messageID] = $1.value }
    }

    /// Stores messages of conversations in which the writer may write.
    ///
    /// - Returns: One outcome for each, in order.
    /// - Throws: ``PermissionError/foreignSender`` before anything is stored; ``LimitError`` if a person sends too many
    ///   large batches at a time; ``RepositoryError``.
    public func post(_ messages: [Message], by writer: Writer) async throws -> [PostedMessage] {
        guard messages.allSatisfy({ writer.mayWrite(for: $0.senderID) }) else { throw PermissionError.foreignSender }
        guard !messages.isEmpty else { return [] }
        guard case .person(let person) = writer, isLarge(messages) else {
            return try await live.post(messages, source: Self.source, at: now())
        }
        return try await largePosts.withPlace(for: person.id.rawValue) {
            try await live.post(messages, source: Self.source, at: now())
        }
    }

    /// Whether messages keep the writer busy for more than one short transaction.
    private func isLarge(_ messages: [Message]) -> Bool {
        messages.count > 10 || messages.contains { $0.text.utf8.count > 16_384 }
    }

    /// Returns a message that a writer may change, deleted or not.
    ///
    /// - Throws: ``PermissionError/notOwn`` if it is not the writer's; ``RepositoryError``.
    public func message(_ key: MessageKey, for writer: Writer) async throws -> Message {
        let message = try await seenMessage(key, by: writer)
        guard writer.mayWrite(for: message.senderID) else { throw PermissionError.notOwn }
        // A message that the application or a program wrote in a person's name is not the person's own.
        if case .person = writer, message.kind != .text { throw PermissionError.notOwn }
        return message
    }

    /// Returns a message that a writer sees, or its remains.
    private func seenMessage(_ key: MessageKey, by writer: Writer) async throws -> Message {
        if let reader = writer.reader,
            let found = try await store.surroundings(of: key, asker: reader, earlier: 0, later: 0, at: now()).message
        {
            return found
        }
        let roster = try await roster(of: key.conversationID, only: [], for: writer)
        guard let message = try await store.stored([key])[key] else { throw RepositoryError.noSuchMessage(key) }
        if roster.conversation.history == .joined, message.deletedAt == nil, let reader = writer.reader {
            let scope = SearchScope(asker: reader, conversations: .only([key.conversationID]))
            guard try await store.messages([key], in: scope, at: now())[key] != nil else {
                throw RepositoryError.noSuchMessage(key)
            }
        }
        return message
    }

    /// Edits the text of a message.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    public func edit(_ key: MessageKey, text: String, by writer: Writer) async throws -> Message {
        _ = try await message(key, for: writer)
        return try await store.edit(key, text: text, at: now()).shown(to: writer.user)
    }

    /// Deletes a message; deleting it again is not an error.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    public func delete(_ key: MessageKey, by writer: Writer) async throws {
        _ = try await message(key, for: writer)
        try await store.delete(key, at: now())
    }
}
