import ChatCore

/// The chats of one history, reduced to what is compared with the store.
struct ExportOutline {
    struct Chat {
        var roster: ConversationRoster?
        var lines = LineSequence()
        /// A hash of the id that each message has in the export.
        var ids: [Int] = []
    }

    private(set) var chats: [ConversationID: Chat] = [:]
    /// The authors, by id.
    private(set) var authors: [UserID: Identity] = [:]

    /// Reads a history from end to end.
    ///
    /// - Throws: ``ImportFileError``, errors of reading, `CancellationError`.
    @concurrent static func reading(_ part: HistoryPart, options: HistoryOptions) async throws -> ExportOutline {
        var outline = ExportOutline()
        let reader = try part.reader(options, rooms: ElementChains())
        var items: [HistoryItem] = []
        var hasMore = true
        while hasMore {
            try Task.checkCancellation()
            hasMore = try reader.read(into: &items)
            for item in items { outline.add(item.content) }
            items.removeAll(keepingCapacity: true)
        }
        return outline
    }

    private mutating func add(_ content: HistoryItem.Content) {
        switch content {
        case .author(let author): authors[author.userID] = author
        case .roster(let roster):
            let members = chats[roster.conversation.id]?.roster?.members ?? []
            var roster = roster
            roster.members += members.filter { old in !roster.members.contains { $0.userID == old.userID } }
            chats[roster.conversation.id, default: Chat()].roster = roster
        case .message(let message, let deletedAt):
            chats[message.key.conversationID, default: Chat()].add(message, isDeleted: deletedAt != nil)
        case .known, .skipped, .rejected, .noted: break
        }
    }
}

extension ExportOutline.Chat {
    /// The same of people with other ids.
    func written(by people: [UserID: UserID]) -> ExportOutline.Chat {
        guard !people.isEmpty else { return self }
        var chat = self
        chat.lines.replaceAuthors(people)
        chat.roster?.members = (roster?.members ?? []).map {
            Member(
                userID: people[$0.userID] ?? $0.userID, displayName: $0.displayName, aliases: $0.aliases,
                joinedAt: $0.joinedAt, leftAt: $0.leftAt)
        }
        return chat
    }

    fileprivate mutating func add(_ message: Message, isDeleted: Bool) {
        lines.append(
            text: TextKey.of(message.text, hasFiles: !message.attachments.isEmpty, isDeleted: isDeleted),
            time: message.timestamp,
            author: LineSequence.Signature(authorID: message.senderID, name: message.senderName), isDeleted: isDeleted,
            editedAt: message.editedAt, byteCount: message.text.utf8.count)
        ids.append(message.key.messageID.hashValue)
    }
}

/// The stored messages of one chat of a source.
struct StoredTranscript {
    private static let pageLength = 4_000

    private(set) var lines = LineSequence()
    private(set) var ids: [MessageID] = []

    /// Reads all messages of a source in a conversation.
    init(of id: ConversationID, source: String, in store: any ImportedChatRepository) async throws {
        var deleted = try await store.deletedLines(of: id).filter { $0.source == source }[...]
        var place = ImportedLine.Place.start
        while true {
            let page = try await store.importedLines(of: id, after: place, limit: Self.pageLength)
            for line in page where line.source == source {
                while let first = deleted.first, first.place.isBefore(line.place) { add(deleted.removeFirst()) }
                add(line)
            }
            guard page.count == Self.pageLength, let last = page.last else { break }
            place = last.place
        }
        for line in deleted { add(line) }
    }

    /// Reads the first messages from a time on.
    init(
        of id: ConversationID, source: String, from first: Timestamp, limit: Int,
        in store: any ImportedChatRepository
    ) async throws {
        let start = ImportedLine.Place(timestamp: first, number: MessageNumber(rawValue: 0))
        for line in try await store.importedLines(of: id, after: start, limit: limit) where line.source == source {
            add(line)
        }
    }

    /// Adds authors who are members and have no message, and gives all the names that they have as members.
    ///
    /// - Parameters:
    ///   - members: The members, by their authors.
    ///   - mayBeSilent: Whether an author without a message is of this conversation.
    mutating func add(_ members: [UserID: Member], mayBeSilent: (UserID) -> Bool) {
        let users = Set(lines.authors.compactMap { members[$0]?.userID })
        for (author, member) in members.sorted(by: { $0.key < $1.key })
        where !users.contains(member.userID) && mayBeSilent(author) {
            lines.add(LineSequence.Signature(authorID: author, name: member.displayName))
        }
        lines.name(members)
    }

    private mutating func add(_ line: ImportedLine) {
        ids.append(line.id)
        lines.append(
            text: TextKey.of(line.text, hasFiles: line.hasFiles, isDeleted: line.isDeleted),
            time: line.place.timestamp,
            author: LineSequence.Signature(authorID: line.authorID, name: line.authorName), isDeleted: line.isDeleted,
            editedAt: line.editedAt, byteCount: line.text.utf8.count)
    }
}

extension ImportedLine.Place {
    fileprivate func isBefore(_ other: ImportedLine.Place) -> Bool {
        (timestamp, number) < (other.timestamp, other.number)
    }
}
