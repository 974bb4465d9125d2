package import ChatCore

/// Messages of a conversation.
extension UseCases {
    /// Lists messages that somebody may see, newest first.
    package func messages(
        of id: ConversationID, asker: UserID, before: MessageID? = nil, limit: Int
    ) async throws -> ListPage<Message> {
        let found = try await store.page(of: id, asker: asker, before: before, limit: limit + 1, at: now())
        return ListPage(found.map { $0.shown(to: asker) }, limit: limit)
    }

    /// Returns a message that somebody may see.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    package func message(_ key: MessageKey, asker: UserID) async throws -> Message {
        let found = try await store.surroundings(of: key, asker: asker, earlier: 0, later: 0, at: now())
        guard let message = found.message else { throw RepositoryError.noSuchMessage(key) }
        return message.shown(to: asker)
    }

    /// Returns a message and its neighbours, oldest first; half of them come before it if there are enough.
    ///
    /// - Throws: ``RepositoryError/noSuchMessage(_:)``.
    package func messages(around key: MessageKey, asker: UserID, limit: Int) async throws -> [Message] {
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

    /// Stores messages in conversations in which the writer may write.
    ///
    /// - Returns: One outcome for each, in order.
    /// - Throws: ``PermissionError/foreignSender``, and ``RepositoryError/noSuchConversation(_:)`` if the writer sees none of
    ///   the conversations, before anything is stored; ``LimitError`` if a person sends too many large batches at a time;
    ///   ``RepositoryError``.
    package func post(_ drafts: [MessageDraft], by writer: Writer) async throws -> [PostedMessage] {
        guard drafts.allSatisfy({ writer.mayWrite(for: $0.message.senderID) }) else {
            throw PermissionError.foreignSender
        }
        guard let first = drafts.first else { return [] }
        let posted: [PostedMessage]
        if case .person(let person) = writer, isLarge(drafts) {
            posted = try await largePosts.withPlace(for: person.id.rawValue) {
                try await live.post(drafts, by: writer, source: Self.source, at: now())
            }
        } else {
            posted = try await live.post(drafts, by: writer, source: Self.source, at: now())
        }
        guard posted.contains(where: { $0.outcome != .noSuchConversation }) else {
            throw RepositoryError.noSuchConversation(first.message.key.conversationID)
        }
        return posted
    }

    /// Whether messages keep the writer busy for more than one short transaction.
    private func isLarge(_ drafts: [MessageDraft]) -> Bool {
        drafts.count > 10 || drafts.contains { $0.message.text.utf8.count > 16_384 }
    }

    /// Changes the text and the files of a message that the writer may change.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - text: The new text; nil to keep it.
    ///   - files: All files that it has from now on; nil to keep them.
    ///   - writer: The party that writes.
    /// - Returns: The message.
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    package func edit(
        _ key: MessageKey, text: String?, files: [FileID]? = nil, by writer: Writer
    ) async throws -> Message {
        try await store.edit(key, text: text, files: files, by: writer, at: now()).shown(to: writer.user)
    }

    /// Deletes a message that the writer may change; deleting it again is not an error.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    package func delete(_ key: MessageKey, by writer: Writer) async throws {
        try await store.delete(key, by: writer, at: now())
    }
}
