import ChatCore

/// Stores what a connector read of a room, within one transaction.
struct ConnectorTaking {
    let page: ConnectorPage
    let db: any SQLSession
    let moment: Timestamp

    /// Returns the number of a room; nil if it is not known.
    static func number(of room: String, source: String, in db: any SQLSession) throws -> Int64? {
        try db.number("SELECT number FROM connector_rooms WHERE source = ? AND room_id = ?", [source, room])
    }

    /// Stores everything; returns whether a message was deleted.
    func take() throws -> Bool {
        try ConnectionRows(source: page.source, db: db).requireActive()
        guard
            let row = try db.row(
                """
                SELECT number, conversation_id, progress, left_out_at IS NOT NULL FROM connector_rooms
                WHERE source = ? AND room_id = ?
                """, [page.source, page.room])
        else { throw RepositoryError.conflict("the room is not known") }
        // Its conversation was erased, or left out.
        guard row[2] != ConnectorRoom.erasedProgress, !(row[3] as Bool) else { return false }
        let events = ConnectorEventRows(db: db, room: row[0])
        let conversation: ConversationID = row.identifier(1)
        let ended = try events.find(page.deletedEvents).values.filter { $0.reaction != nil }
        try events.endReactions(page.deletedEvents)
        for event in page.events { try events.add(event) }
        for change in page.reactionChanges { try events.apply(change) }
        let reacted =
            page.events.filter { $0.reaction != nil }.compactMap(\.target) + ended.compactMap(\.target)
            + page.reactionChanges.map(\.target)
        let reactions = try events.reactions(to: page.messages.map(\.id) + reacted, source: page.source)
        let hasDeleted = try store(in: conversation, reactions: reactions, events: events)
        let stored = Set(page.messages.map(\.id))
        for id in Set(reacted).subtracting(stored).sorted() {
            try react(reactions[id] ?? [], to: MessageKey(conversationID: conversation, messageID: id))
        }
        if let progress = page.progress {
            try db.run("UPDATE connector_rooms SET progress = ? WHERE number = ?", [progress, row[0] as Int64])
        }
        return hasDeleted
    }

    /// Stores the states of messages; returns whether one was deleted.
    private func store(
        in conversation: ConversationID, reactions: [MessageID: [Message.Reaction]], events: ConnectorEventRows
    ) throws -> Bool {
        var hasDeleted = false
        var drafts: [(state: ConnectorMessage, draft: AcceptBatch.Draft)] = []
        for state in page.messages {
            let key = MessageKey(conversationID: conversation, messageID: state.id)
            let stored = try StoredMessage.find(key, in: db)
            if let stored {
                guard stored.message.deletedAt == nil, try !isOutdated(state, by: stored) else { continue }
            }
            guard var message = state.message else {
                hasDeleted = try delete(key, stored) || hasDeleted
                continue
            }
            var present = reactions[state.id] ?? []
            if let all = state.reactions, !all.isEmpty || !present.isEmpty {
                try events.replaceReactions(to: state.id, with: all)
                present = try events.reactions(to: [state.id], source: page.source)[state.id] ?? []
            }
            message.reactions = Self.limited(present, of: message)
            message.attachments = RemoteFileRows.known(message.attachments, in: stored?.message)
            drafts.append((state, AcceptBatch.Draft(MessageDraft(message))))
        }
        try accept(drafts, in: conversation, events: events)
        return hasDeleted
    }

    private func accept(
        _ drafts: [(state: ConnectorMessage, draft: AcceptBatch.Draft)], in conversation: ConversationID,
        events: ConnectorEventRows
    ) throws {
        guard !drafts.isEmpty else { return }
        var batch = try AcceptBatch(
            drafts.map(\.draft), source: page.source, mode: .importing, isBacklog: page.isHistory, at: moment, in: db)
        let outcomes = try batch.accept(drafts.count, at: moment).map(\.outcome)
        try batch.storePositions()
        if page.isHistory { try batch.completeTimes() }
        var commands: [(LinkCommand, Message)] = []
        for ((state, draft), outcome) in zip(drafts, outcomes) {
            switch outcome {
            case .inserted, .updated, .unchanged, .conflict, .deletedBefore:
                try record(state.readAt, of: state.id, in: conversation)
                if outcome == .inserted, let command = state.linkCommand {
                    commands.append((command, draft.given.message))
                }
                if outcome == .inserted || outcome == .updated {
                    try RemoteFileRows(db: db).add(draft.given.message, room: events.room, at: moment)
                }
            case .noSuchConversation: throw RepositoryError.noSuchConversation(conversation)
            case .invalid: try events.refuse(state.id)
            }
        }
        for (command, message) in commands { try perform(command, of: message) }
    }

    /// Performs the command of a message that is stored for the first time, and notes what is to be answered.
    private func perform(_ command: LinkCommand, of message: Message) throws {
        guard let stored = try StoredMessage.find(message.key, in: db) else { return }
        // Somebody else may have edited it, and an old message must not end a new link. No old one knows a new code.
        let isMeant = message.editedAt == nil && (!page.isHistory || command != .end)
        let outcome =
            isMeant && message.kind == .text
            ? try LinkRows(db: db, moment: moment).perform(command, by: message.senderID.rawValue, in: page.source)
            : .unused
        try db.run(
            "INSERT INTO link_outcomes (message, outcome) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [stored.number, outcome.rawValue])
    }

    /// Whether a state is not newer than the stored one.
    private func isOutdated(_ state: ConnectorMessage, by stored: StoredMessage) throws -> Bool {
        // A deletion is final, so there is no older one.
        guard state.message != nil else { return false }
        if state.isFirst { return true }
        let known = try db.number("SELECT source_time FROM messages WHERE number = ?", [stored.number])
        return known.map { state.readAt.microseconds < $0 } ?? false
    }

    private func record(_ readAt: Timestamp, of id: MessageID, in conversation: ConversationID) throws {
        try db.run(
            """
            UPDATE messages SET source_time = ?
            WHERE conversation = (SELECT number FROM conversations WHERE id = ?) AND id = ?
            """, [readAt.microseconds, conversation.rawValue, id.rawValue])
    }

    /// Deletes a message, or leaves a tombstone; returns whether content went.
    private func delete(_ key: MessageKey, _ stored: StoredMessage?) throws -> Bool {
        guard key.isPossible else { return false }
        guard let stored else {
            try Tombstones.set(key, at: moment, in: db)
            return false
        }
        try MessageWriter(db, at: moment).replace(stored, with: stored.message.tombstone(at: moment))
        try TurnRows.redact(standingOn: key, in: db)
        return true
    }

    /// The reactions that a message may have; the source has no limits.
    private static func limited(_ reactions: [Message.Reaction], of message: Message) -> [Message.Reaction] {
        var merged = message
        merged.reactions = reactions
        return merged.reactions.prefix(Message.reactionLimit).map { reaction in
            Message.Reaction(emoji: reaction.emoji, userIDs: Array(reaction.userIDs.prefix(Message.reactorLimit)))
        }
    }

    private func react(_ reactions: [Message.Reaction], to key: MessageKey) throws {
        guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil else { return }
        var message = stored.message
        message.reactions = Self.limited(reactions, of: message)
        guard message != stored.message else { return }
        try MessageWriter(db, at: moment).replace(stored, with: message)
    }
}
