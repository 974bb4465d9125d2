package import ChatCore

/// Calls of a server, which may write everywhere.
extension MessageRepository {
    /// Gives a message a new text, and other files.
    package func edit(
        _ key: MessageKey, text: String?, files: [FileID]? = nil, at moment: Timestamp
    ) async throws -> Message {
        try await edit(key, text: text, files: files, by: .server(defaultUser: nil), at: moment)
    }

    /// Deletes a message.
    package func delete(_ key: MessageKey, at moment: Timestamp) async throws {
        try await delete(key, by: .server(defaultUser: nil), at: moment)
    }
}

extension LiveChatRepository {
    /// Stores whole messages.
    package func post(_ messages: [Message], source: String, at moment: Timestamp) async throws -> [PostedMessage] {
        try await post(
            messages.map { MessageDraft($0) }, by: .server(defaultUser: nil), source: source, at: moment)
    }
}

extension ItemRepository {
    /// Begins an extraction, and leaves aside what it begins with.
    package func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        at moment: Timestamp
    ) async throws -> ExtractionLease {
        try await beginExtraction(
            of: kind, in: id, asker: asker, leaseID: leaseID, until: end,
            reading: ExtractionLimits(messages: 1, context: 0, known: 0), at: moment
        ).lease
    }
}
