package import ChatCore

/// Conversations and their members.
extension UseCases {
    /// The source of ids from callers; see `Identity`.
    package static let source = "api"

    /// Returns a conversation that somebody may see.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, also if the asker may not see it.
    package func roster(of id: ConversationID, asker: UserID) async throws -> ConversationRoster {
        try await store.roster(of: id, asker: asker, at: now())
    }

    /// Returns a conversation in which somebody may write.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    package func roster(of id: ConversationID, for writer: Writer) async throws -> ConversationRoster {
        switch writer {
        case .person(let person): try await roster(of: id, asker: person.id)
        case .trusted(let user): try await roster(of: id, asker: user)
        case .server: try await store.roster(of: id)
        }
    }

    /// Returns a conversation that somebody may see, with only some of its members.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    package func roster(
        of id: ConversationID, only users: Set<UserID>, asker: UserID
    ) async throws -> ConversationRoster {
        try await store.roster(of: id, only: users, asker: asker, at: now())
    }

    /// Returns a conversation in which somebody may write, with only some of its members.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    package func roster(
        of id: ConversationID, only users: Set<UserID>, for writer: Writer
    ) async throws -> ConversationRoster {
        try await store.roster(of: id, only: users, asker: writer.reader, at: now())
    }

    /// Lists the members of a conversation that somebody may see, by id, past ones too.
    ///
    /// - Returns: The members, and who of them manages the group.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    package func members(
        of id: ConversationID, asker: UserID, after user: UserID? = nil, limit: Int
    ) async throws -> (page: ListPage<Member>, admins: Set<UserID>) {
        let found = try await store.members(of: id, after: user, limit: limit + 1, asker: asker, at: now())
        let roles = try await live.roles(in: id)
        return (ListPage(found, limit: limit), present(in: found).filter { roles[$0] == .admin })
    }

    /// Returns how many people are in a conversation now, if the asker is one of them; nil if not.
    package func memberCount(of id: ConversationID, asMember asker: UserID) async throws -> Int? {
        try await store.memberCount(of: id, asMember: asker, at: now())
    }

    /// Lists the conversations that somebody may see, by id.
    package func conversations(
        of asker: UserID, after: ConversationID? = nil, limit: Int
    ) async throws -> ListPage<Conversation> {
        ListPage(
            try await store.conversations(asker: asker, after: after, limit: limit + 1, at: now()), limit: limit)
    }

    /// Makes a conversation; one with the same id and content may exist already.
    ///
    /// A person must be a member of his or her new conversation, and may give members only names by which they are
    /// known.
    ///
    /// - Parameters:
    ///   - roster: The conversation with its members.
    ///   - person: The person who makes it; nil for a caller without restrictions.
    ///   - maker: For such a caller, the member who makes it; nil for none.
    /// - Returns: Whether it is new; then the maker is the administrator of a group.
    /// - Throws: ``PermissionError``, ``GroupLimitError``, ``RepositoryError``.
    package func create(
        _ roster: ConversationRoster, by person: IdentifiedPerson?, for maker: UserID? = nil
    ) async throws -> Bool {
        guard let person else { return try await live.create(roster, by: maker, source: Self.source, at: now()) }
        try requireMaking(roster, by: person)
        return try await live.create(roster, adding: adding(by: person), source: Self.source, at: now())
    }

    /// Checks that a person may make a conversation.
    ///
    /// - Throws: ``PermissionError``.
    package func requireMaking(
        _ roster: ConversationRoster, by person: IdentifiedPerson
    ) throws(PermissionError) {
        let ids = Set(roster.members.map(\.userID))
        guard ids.contains(person.id) else { throw .creatorMissing }
        guard permissions.adding != .nobody || ids == [person.id] else { throw .addingForbidden }
        guard permissions.opening == .everyone || roster.conversation.visibility == .members else {
            throw .openingForbidden
        }
    }

    private func adding(by person: IdentifiedPerson) -> MemberAdding {
        MemberAdding(by: person.id, limits: permissions.groups)
    }

    /// Sets whether a conversation is embedded; without vectors only a search by words finds it.
    package func setEmbedding(
        _ choice: ConversationEmbedding.Choice, of id: ConversationID, for writer: Writer
    ) async throws -> ConversationEmbedding {
        let id = try await roster(of: id, only: [], for: writer).conversation.id
        return try await store.setEmbedding(choice, of: id, at: now())
    }

    /// Returns whether a conversation is embedded that was read before.
    package func embedding(of roster: ConversationRoster) async throws -> ConversationEmbedding {
        try await store.embedding(of: roster.conversation.id)
    }

    /// Checks that a writer may add somebody to a conversation.
    ///
    /// People may add themselves to conversations that they may read; ``PersonPermissions`` decides who may add others.
    ///
    /// As with its name, every member adds others to a group without administrators, such as an imported one.
    ///
    /// - Throws: ``PermissionError``, ``AddingRefusal``, ``RepositoryError``.
    private func requireAdding(_ user: UserID, to roster: ConversationRoster, by writer: Writer) async throws {
        guard case .person(let person) = writer, user != person.id else { return }
        guard roster.conversation.kind == .group else { throw AddingRefusal.direct }
        switch permissions.adding {
        case .nobody: throw PermissionError.addingForbidden
        case .creator: throw AddingRefusal.whenMade
        case .administrators, .members: break
        }
        guard present(in: roster.members).contains(person.id) else { throw AddingRefusal.members }
        guard permissions.adding == .administrators else { return }
        let roles = try await live.roles(in: roster.conversation.id)
        guard roles[person.id] == .admin || !roles.values.contains(.admin) else {
            throw AddingRefusal.administrators
        }
    }

    /// Adds a member or changes one; somebody whom a person adds joins now.
    ///
    /// - Parameters:
    ///   - user: The member.
    ///   - id: The conversation.
    ///   - writer: The party that writes.
    ///   - make: Makes the member from the present one, if there is one, and from the names by which a person who writes
    ///     knows the user, best first.
    /// - Returns: The member.
    /// - Throws: ``PermissionError``, ``GroupLimitError``, ``RepositoryError``; what `make` throws.
    package func setMember(
        _ user: UserID, in id: ConversationID, by writer: Writer,
        _ make: (_ present: Member?, _ names: [String]) throws -> Member
    ) async throws -> Member {
        let moment = now()
        let roster = try await roster(of: id, only: Set([user, writer.user].compactMap(\.self)), for: writer)
        try await requireAdding(user, to: roster, by: writer)
        let present = roster.members.first { $0.userID == user && $0.leftAt.map { $0 > moment } ?? true }
        guard case .person(let person) = writer else {
            let member = try make(present, [])
            try await store.setMember(member, in: roster.conversation.id, source: Self.source, at: moment)
            return member
        }
        var names = [user == person.id ? person.name : nil, present?.displayName].compactMap(\.self)
        names += try await knownNames(of: [user], to: person)[user] ?? []
        var member = try make(present, names.filter { !$0.isEmpty })
        // The date decides what may be read of a limited history, so people do not choose it.
        if present == nil { member.joinedAt = moment }
        try await store.setMember(
            member, in: roster.conversation.id, adding: adding(by: person), source: Self.source, at: moment)
        return member
    }

    /// Removes a member: people leave groups, and administrators remove others.
    ///
    /// When the last administrator leaves, the longest-standing member becomes one.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    package func removeMember(_ user: UserID, from id: ConversationID, by writer: Writer) async throws {
        let concerned = Set([user, writer.user].compactMap(\.self))
        let roster = try await roster(of: id, only: concerned, for: writer)
        try await requireRemoving(user, from: roster, by: writer)
        try await store.removeMember(user, from: roster.conversation.id, at: now())
    }

    /// Returns the names by which people are known to a person, best first: the person's own, those of conversations
    /// that the person may see, and the id.
    package func knownNames(
        of users: Set<UserID>, to person: IdentifiedPerson
    ) async throws -> [UserID: [String]] {
        var names: [UserID: [String]] = [:]
        if users.contains(person.id), let name = person.name { names[person.id] = [name] }
        let scope = SearchScope(asker: person.id, conversations: .all)
        for (user, found) in try await store.names(of: users, in: scope, at: now()) {
            names[user, default: []] += found.filter { !$0.isEmpty }
        }
        for (user, name) in try await accountNames(users) { names[user, default: []].append(name) }
        for user in users { names[user, default: []].append(user.rawValue) }
        return names
    }

    /// Returns the kind of a user.
    package func kind(of user: UserID) async throws -> UserKind { try await store.kind(of: user) }

    /// Sets the kind of a user.
    package func setKind(_ kind: UserKind, of user: UserID) async throws {
        try await store.setKind(kind, of: user)
    }
}
