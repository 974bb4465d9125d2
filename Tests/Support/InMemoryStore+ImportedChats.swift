package import ChatCore

extension InMemoryStore {
    /// Returns the conversations that have members of a source.
    package func importedChats(of source: String) async throws -> [ImportedChat] {
        try read { state in
            state.conversations.values.filter { $0.members.values.contains { $0.source == source } }
                .map { stored in
                    let times = state.messages.values.filter {
                        $0.message.key.conversationID == stored.conversation.id && $0.message.deletedAt == nil
                    }.map(\.message.timestamp)
                    return ImportedChat(
                        id: stored.conversation.id, name: stored.conversation.name, first: times.min(),
                        last: times.max())
                }.sorted { $0.id < $1.id }
        }
    }

    /// Returns messages without deleted ones, by time and arrival.
    package func importedLines(
        of id: ConversationID, after: ImportedLine.Place, limit: Int
    ) async throws -> [ImportedLine] {
        try read { state in
            Array(
                state.lines(of: id).filter { !$0.isDeleted }
                    .drop { ($0.place.timestamp, $0.place.number) <= (after.timestamp, after.number) }.prefix(limit))
        }
    }

    /// Returns what remains of deleted messages.
    package func deletedLines(of id: ConversationID) async throws -> [ImportedLine] {
        try read { state in state.lines(of: id).filter(\.isDeleted) }
    }

    /// Returns the marks that ``eraseLines(of:)`` left.
    package func erasedLines(of id: ConversationID) async throws -> Set<MessageID> {
        try read { state in
            Set(
                state.tombstones.filter { $0.conversationID == id }.map(\.messageID).filter {
                    ErasedLine.isMark($0.rawValue)
                })
        }
    }

    /// Removes what a user wrote and the user, as an erasure does.
    package func eraseLines(of user: UserID) async throws {
        try write { state in
            for (key, stored) in state.messages where stored.message.senderID == user {
                let (id, message) = (key.conversationID, stored.message)
                let mark = ErasedLine.mark(text: ErasedLine.key(of: message.text), time: message.timestamp, in: id)
                state.tombstones.formUnion([key, MessageKey(conversationID: id, messageID: mark)])
                state.messages[key] = nil
            }
            for id in state.conversations.keys { state.conversations[id]?.members[user] = nil }
            for (author, known) in state.identities where known == user {
                state.identities[author] = nil
                state.authors[author] = nil
            }
        }
    }

    /// Returns the conversations of an author.
    package func places(of externalID: String, source: String) async throws -> [AuthorPlace] {
        try read { state in
            state.conversations.values.compactMap { stored in
                let id = stored.conversation.id
                let count = state.messages.values.count {
                    $0.message.key.conversationID == id && $0.source == source && $0.authorID == externalID
                }
                let isMember = stored.members.values.contains { $0.source == source && $0.authorID == externalID }
                guard count > 0 || isMember else { return nil }
                return AuthorPlace(id: id, name: stored.conversation.name, messageCount: count)
            }.sorted { $0.id < $1.id }
        }
    }

    /// Separates an author of one conversation, and maps it.
    package func map(
        _ identity: Identity, in id: ConversationID, as externalID: String, at moment: Timestamp
    ) async throws -> Int {
        try write { state throws(RepositoryError) in
            if externalID != identity.externalID { try state.separate(identity, in: id, as: externalID) }
            var author = identity
            author.externalID = externalID
            return try state.map(author, at: moment)
        }
    }
}

extension InMemoryState {
    fileprivate func lines(of id: ConversationID) -> [ImportedLine] {
        messages.values.filter { $0.message.key.conversationID == id }
            .map { stored in
                ImportedLine(
                    place: ImportedLine.Place(timestamp: stored.message.timestamp, number: stored.number),
                    id: stored.message.key.messageID, source: stored.source,
                    authorID: UserID(rawValue: stored.authorID), authorName: stored.message.senderName,
                    text: stored.message.text, hasFiles: !stored.message.attachments.isEmpty,
                    isDeleted: stored.message.deletedAt != nil, editedAt: stored.message.editedAt)
            }
            .sorted { ($0.place.timestamp, $0.place.number) < ($1.place.timestamp, $1.place.number) }
    }

    fileprivate mutating func separate(
        _ identity: Identity, in id: ConversationID, as externalID: String
    ) throws(RepositoryError) {
        let author = Author(source: identity.source, id: identity.externalID)
        guard let user = identities[author] else {
            throw .invalid(field: "externalId", reason: "no author of this source has this id")
        }
        guard let stored = conversations[id] else { throw .noSuchConversation(id) }
        var count = 0
        for (member, membership) in stored.members
        where membership.source == author.source && membership.authorID == author.id {
            conversations[id]?.members[member]?.authorID = externalID
            count += 1
        }
        for (key, message) in messages
        where key.conversationID == id && message.source == author.source && message.authorID == author.id {
            messages[key]?.authorID = externalID
            count += 1
        }
        guard count > 0 else {
            throw .invalid(field: "externalId", reason: "this author is not in the conversation")
        }
        let new = Author(source: author.source, id: externalID)
        guard identities[new] == nil else { return }
        identities[new] = user
        var known = authors[author]
        known?.externalID = externalID
        authors[new] = known
    }
}
