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
        let scope = SearchScope(asker: asker, conversations: .only([key.conversationID]))
        guard try await !store.permitted(scope, at: now()).isEmpty else {
            throw RepositoryError.noSuchConversation(key.conversationID)
        }
        guard let message = try await store.messages([key], in: scope, at: now())[key] else {
            throw RepositoryError.noSuchMessage(key)
        }
        return message.shown(to: asker)
    }

    /// Returns a message and its neighbours, oldest first; half of them come before it if there are enough.
    ///
    /// - Throws: ``RepositoryError/noSuchMessage(_:)``.
    public func messages(around key: MessageKey, asker: UserID, limit: Int) async throws -> [Message] {
        let scope = SearchScope(asker: asker, conversations: .only([key.conversationID]))
        let moment = now()
        guard let middle = try await store.messages([key], in: scope, at: moment)[key] else {
            throw RepositoryError.noSuchMessage(key)
        }
        let earlier = try await store.page(
            of: key.conversationID, asker: asker, before: key.messageID, limit: (limit - 1) / 2, at: moment)
        let later = try await store.page(
            of: key.conversationID, asker: asker, after: key.messageID, limit: limit - 1 - earlier.count, at: moment)
        return (earlier.reversed() + [middle] + later).map { $0.shown(to: asker) }
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
    /// - Throws: ``PermissionError/foreignSender`` before anything is stored; ``RepositoryError``.
    public func post(_ messages: [Message], by writer: Writer) async throws -> [PostedMessage] {
        guard messages.allSatisfy({ writer.mayWrite(for: $0.senderID) }) else { throw PermissionError.foreignSender }
        guard !messages.isEmpty else { return [] }
        return try await live.post(messages, source: Self.source, at: now())
    }

    /// Returns a message that a writer may change, deleted or not.
    ///
    /// - Throws: ``PermissionError/notOwn`` if it is not the writer's; ``RepositoryError``.
    public func message(_ key: MessageKey, for writer: Writer) async throws -> Message {
        let roster = try await roster(of: key.conversationID, only: [], for: writer)
        guard let message = try await store.stored([key])[key] else { throw RepositoryError.noSuchMessage(key) }
        if roster.conversation.history == .joined, message.deletedAt == nil, let reader = writer.reader {
            let scope = SearchScope(asker: reader, conversations: .only([key.conversationID]))
            guard try await store.messages([key], in: scope, at: now())[key] != nil else {
                throw RepositoryError.noSuchMessage(key)
            }
        }
        guard writer.mayWrite(for: message.senderID) else { throw PermissionError.notOwn }
        // A message that the application or a program wrote in a person's name is not the person's own.
        if case .person = writer, message.kind != .text { throw PermissionError.notOwn }
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
