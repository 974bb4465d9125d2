package import ChatCore

/// What people do in a live chat.
extension UseCases {
    /// Returns the direct conversation of the asker and another user, and makes it if there is none.
    ///
    /// - Throws: ``PermissionError/addingForbidden`` if people may not add others; ``RepositoryError``.
    package func openDirect(
        with other: UserID, by asker: IdentifiedPerson
    ) async throws -> (roster: ConversationRoster, isNew: Bool) {
        guard permissions.adding != .nobody || other == asker.id else { throw PermissionError.addingForbidden }
        let names = try await knownNames(of: [asker.id, other], to: asker).compactMapValues(\.first)
        return try await live.openDirect(
            asker.id, other, names: names, newID: ConversationID(rawValue: makeID()), limits: permissions.groups,
            at: now())
    }

    /// Returns the conversations that somebody sees, as a list shows them, and the position of the feed after them.
    package func inbox(
        of asker: UserID, matching query: String? = nil
    ) async throws -> (entries: [InboxEntry], cursor: ChangeCursor) {
        try await lists.withPlace(for: asker.rawValue) {
            try await live.inbox(of: asker, matching: query, at: now())
        }
    }

    /// Marks messages as read, and with them all earlier ones.
    package func markRead(_ messages: [MessageID], in id: ConversationID, by asker: UserID) async throws -> Receipt {
        try await live.markRead(messages, in: id, by: asker, at: now()).receipt
    }

    /// Marks a message and all later ones as unread.
    package func markUnread(from message: MessageID, in id: ConversationID, by asker: UserID) async throws -> Receipt {
        try await live.markUnread(from: message, in: id, by: asker, at: now())
    }

    /// Returns the receipts of a conversation's present members.
    package func receipts(in id: ConversationID, asker: UserID) async throws -> [Receipt] {
        try await live.receipts(in: id, asker: asker, at: now())
    }

    /// Notes that a device of the asker has received everything up to a cursor.
    package func acknowledge(_ cursor: ChangeCursor, by asker: UserID) async throws {
        try await live.acknowledge(cursor, by: asker, at: now())
    }

    /// Changes the asker's own settings for a conversation, and returns them.
    package func changePreferences(
        of id: ConversationID, for asker: UserID,
        _ change: @escaping @Sendable (inout ConversationPreferences) -> Void
    ) async throws -> ConversationPreferences {
        try await live.changePreferences(of: id, for: asker, at: now(), change)
    }

    /// Adds the asker's reaction to a message, or removes it.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    package func react(
        _ emoji: String, isSet: Bool, to key: MessageKey, by asker: UserID
    ) async throws -> Message {
        try await live.react(emoji, isSet: isSet, to: key, by: asker, at: now()).shown(to: asker)
    }

    /// Gives a group another name: an administrator of the group, or any member while there is none.
    ///
    /// - Throws: ``PermissionError/notOwn``; ``RepositoryError``.
    package func rename(_ id: ConversationID, to name: String, by writer: Writer) async throws {
        try await requireManaging(id, by: writer)
        try await live.rename(id, to: name, at: now())
    }

    /// Sets the part of a group's history that people who join later may read; who may rename the group may limit it.
    ///
    /// Only an administrator opens it: without one, somebody for whom it is limited could.
    ///
    /// - Throws: ``PermissionError/notOwn``; ``RepositoryError``.
    package func setHistory(_ history: Conversation.History, of id: ConversationID, by writer: Writer) async throws {
        try await requireManaging(id, by: writer, needsAdmin: history == .all)
        try await live.setHistory(history, of: id, at: now())
    }

    /// Sets the role of a member: an administrator of the group, or any member while there is none.
    ///
    /// - Throws: ``PermissionError/notOwn``; ``RepositoryError``.
    package func setRole(_ role: MemberRole, of user: UserID, in id: ConversationID, by writer: Writer) async throws {
        try await requireManaging(id, by: writer)
        try await live.setRole(role, of: user, in: id, at: now())
    }

    /// Reads the writer and the administrators of the conversation only, because a group may have 10,000 members.
    func requireManaging(_ id: ConversationID, by writer: Writer, needsAdmin: Bool = false) async throws {
        guard case .person(let person) = writer else {
            _ = try await roster(of: id, only: [], for: writer)
            return
        }
        let own = try await roster(of: id, only: [person.id], for: writer)
        guard own.conversation.kind == .group, present(in: own.members).contains(person.id) else {
            throw PermissionError.notOwn
        }
        let named = try await live.roles(in: own.conversation.id).filter { $0.value == .admin }
        if named[person.id] != nil { return }
        let others = try await roster(of: id, only: Set(named.keys), for: writer)
        guard present(in: others.members).isEmpty, !needsAdmin else { throw PermissionError.notOwn }
    }

    func present(in members: [Member]) -> Set<UserID> {
        let moment = now()
        return Set(members.filter { $0.leftAt.map { $0 > moment } ?? true }.map(\.userID))
    }

    /// Returns the present administrators among the members that a roster holds.
    package func admins(of roster: ConversationRoster) async throws -> Set<UserID> {
        let roles = try await live.roles(in: roster.conversation.id)
        return present(in: roster.members).filter { roles[$0] == .admin }
    }

    /// Checks that a writer may remove a member of a conversation.
    ///
    /// People leave groups, and remove others from those whose administrators they are; nobody leaves a direct
    /// conversation.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError/invalid(field:reason:)``.
    func requireRemoving(_ user: UserID, from roster: ConversationRoster, by writer: Writer) async throws {
        guard case .person(let person) = writer else { return }
        guard roster.conversation.kind == .group else {
            guard user == person.id else { throw PermissionError.notOwn }
            throw RepositoryError.invalid(
                field: "conversationId", reason: "is a direct conversation, which nobody leaves: archive it")
        }
        guard user != person.id else { return }
        guard try await admins(of: roster).contains(person.id) else { throw PermissionError.notOwn }
    }

    /// Returns the people who are in a conversation together with somebody now: those whom the person may watch.
    package func companions(of asker: UserID) async throws -> Set<UserID> {
        try await live.companions(of: asker, at: now())
    }
}
