/// Conversations and their members.
///
/// A store that several processes share answers from its present state.
///
/// All calls throw ``RepositoryError``.
public protocol ConversationRepository: Sendable {
    /// Stores conversations with their members, all or none.
    ///
    /// If a conversation already exists, `.posting` leaves an identical one unchanged and reports a conflict for a
    /// different one. `.importing` updates its fields and adds or updates the given members. Members are removed only
    /// if the roster has a time at which its list was complete (``ConversationRoster/listedAt``): then memberships that
    /// imports of this source created end, and begin again, as that list says. A list that is older than the last one
    /// changes no present membership. Imports never end memberships that were created otherwise.
    ///
    /// - Parameters:
    ///   - rosters: Conversations with unique ids.
    ///   - source: The source of the members' ids; see ``Identity``.
    ///   - mode: How existing conversations are treated.
    ///   - moment: The present time.
    /// - Returns: The number of new conversations.
    /// - Throws: ``RepositoryError/conflict(_:)``, ``RepositoryError/invalid(field:reason:)``, storage errors.
    func store(_ rosters: [ConversationRoster], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> Int

    /// Returns the part of `scope` that its asker may see at `moment`: conversations that the asker is a member of, and
    /// open ones unless the asker is a guest or a bot.
    ///
    /// This is the only place where permission is decided.
    func permitted(_ scope: SearchScope, at moment: Timestamp) async throws -> [PermittedConversation]

    /// Returns the present and past members of the conversations that `scope` grants at `moment`; ordered by user id.
    func people(in scope: SearchScope, at moment: Timestamp) async throws -> [Person]

    /// Returns what a search in `scope` begins with, in one call.
    ///
    /// Of `.all` conversations those are left out into which a stranger put the asker, until the asker accepts them.
    ///
    /// - Parameters:
    ///   - scope: The asker, and the conversations.
    ///   - followed: The position of the asker's indexes: if that costs no further call, the first changes after it are
    ///     returned, too. Nil for none.
    ///   - moment: The present time.
    /// - Returns: The view, as of one moment.
    /// - Throws: ``RepositoryError``.
    func view(of scope: SearchScope, followed: FollowedPosition?, at moment: Timestamp) async throws -> ScopeView

    /// Returns members of large conversations whose names a text may contain, and not many others.
    ///
    /// - Parameters:
    ///   - text: A question; of a long one only the first ``MemberName/wordLimit`` words count.
    ///   - conversations: Conversations that the asker may see; see ``ScopeView/large``.
    ///   - moment: The present time.
    /// - Returns: People with those of the conversations in which they are, ordered by user id.
    /// - Throws: Storage errors.
    func people(
        named text: String, in conversations: [ConversationNumber], at moment: Timestamp
    ) async throws -> [Person]

    /// Returns the names that users have in the conversations of `scope`, each once; users without any are left out.
    func names(of users: Set<UserID>, in scope: SearchScope, at moment: Timestamp) async throws -> [UserID: [String]]

    /// Returns a conversation with only some of its members; see ``roster(of:asker:at:)``.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - users: The wanted members.
    ///   - asker: The user who wants to see it; nil without a permission check.
    ///   - moment: The present time.
    /// - Returns: The conversation.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func roster(
        of id: ConversationID, only users: Set<UserID>, asker: UserID?, at moment: Timestamp
    ) async throws -> ConversationRoster

    /// Returns a page of members, past ones too, by user id.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - user: Only members after this one; nil for the first page.
    ///   - limit: The most members.
    ///   - asker: The user who wants to see them.
    ///   - moment: The present time.
    /// - Returns: The members.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func members(
        of id: ConversationID, after user: UserID?, limit: Int, asker: UserID, at moment: Timestamp
    ) async throws -> [Member]

    /// Returns how many people are members of a conversation at a moment, if a user is one of them; nil if not.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the user may not see it.
    func memberCount(of id: ConversationID, asMember user: UserID, at moment: Timestamp) async throws -> Int?

    /// Returns a conversation with its members.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - asker: The user who wants to see it.
    ///   - moment: The present time.
    /// - Returns: The conversation, with past members.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see it.
    func roster(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> ConversationRoster

    /// Returns a conversation with its present and past members, without a permission check.
    ///
    /// For a server that writes on behalf of others; never for showing a conversation to a person.
    ///
    /// - Parameter id: Its id.
    /// - Returns: The conversation.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func roster(of id: ConversationID) async throws -> ConversationRoster

    /// Returns the asker's conversations ordered by id, those after `after`, at most `limit`.
    func conversations(asker: UserID, after: ConversationID?, limit: Int, at moment: Timestamp) async throws
        -> [Conversation]

    /// Adds a member, or updates a present or past one.
    func setMember(_ member: Member, in id: ConversationID, source: String, at moment: Timestamp) async throws

    /// Adds a member or updates one as a person does it.
    ///
    /// - Throws: ``GroupLimitError`` if the person adds more members than one may; ``RepositoryError``.
    func setMember(
        _ member: Member, in id: ConversationID, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws

    /// Ends a membership at `moment`; not being a member is not an error.
    func removeMember(_ userID: UserID, from id: ConversationID, at moment: Timestamp) async throws

    /// Returns whether a conversation is embedded.
    ///
    /// - Parameter id: Its id.
    /// - Returns: The choice, and the resulting state.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func embedding(of id: ConversationID) async throws -> ConversationEmbedding

    /// Excludes a conversation from embedding, includes it, or leaves it to the rule for its kind.
    ///
    /// For a newly excluded conversation the passages, vectors and queue entries are deleted in every generation, in
    /// the same transaction. The messages of a newly included one are queued as backlog. Words are indexed in both
    /// cases.
    ///
    /// - Parameters:
    ///   - choice: The choice for this conversation.
    ///   - id: Its id.
    ///   - moment: The present time.
    /// - Returns: The new state.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func setEmbedding(_ choice: ConversationEmbedding.Choice, of id: ConversationID, at moment: Timestamp) async throws
        -> ConversationEmbedding

    /// Sets the rule for present and future direct conversations; a store initially embeds them, and forgets the rule
    /// when it is closed.
    ///
    /// - Parameters:
    ///   - isExcluded: Whether direct conversations without a choice are excluded.
    ///   - moment: The present time.
    /// - Returns: How many conversations became excluded or included.
    /// - Throws: Storage errors.
    func setDirectExclusion(_ isExcluded: Bool, at moment: Timestamp) async throws -> Int

    /// Stores the names and addresses that a source gives for authors.
    ///
    /// An unknown author becomes the user that the identity names; a known author stays the same user. A missing name
    /// or address leaves the known one unchanged.
    ///
    /// - Parameter authors: Any number; of several entries for one author the last counts.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an invalid id or text; then nothing is stored.
    func storeAuthors(_ authors: [Identity]) async throws

    /// Assigns an author of a source to a user: memberships and messages of that author become the user's.
    ///
    /// - Parameters:
    ///   - identity: The author and the user; name and address are ignored.
    ///   - moment: The present time.
    /// - Returns: How many messages were reassigned.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unknown author.
    func map(_ identity: Identity, at moment: Timestamp) async throws -> Int

    /// Assigns authors to users, all or none.
    ///
    /// - Returns: How many messages were reassigned.
    /// - Throws: As ``map(_:at:)`` with one identity does.
    func map(_ identities: [Identity], at moment: Timestamp) async throws -> Int

    /// Returns all identities, ordered by source and external id.
    func identities() async throws -> [Identity]

    /// Returns the kind of a user.
    func kind(of id: UserID) async throws -> UserKind

    /// Sets the kind of a user regardless of imports; it counts from the next call.
    ///
    /// - Parameters:
    ///   - kind: Nil to leave the kind to imports again.
    ///   - id: The user.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an invalid id.
    func setKind(_ kind: UserKind?, of id: UserID) async throws

    /// Returns the users whose kind was set or is not the default, ordered by id.
    func users() async throws -> [User]
}

extension ConversationRepository {
    /// Returns what a search in `scope` begins with, without changes.
    public func view(of scope: SearchScope, at moment: Timestamp) async throws -> ScopeView {
        try await view(of: scope, followed: nil, at: moment)
    }

    /// Returns nobody: a store whose views have no large conversations.
    public func people(
        named text: String, in conversations: [ConversationNumber], at moment: Timestamp
    ) async throws -> [Person] { [] }

    /// Reads all people of the scope.
    public func names(
        of users: Set<UserID>, in scope: SearchScope, at moment: Timestamp
    ) async throws -> [UserID: [String]] {
        try await people(in: scope, at: moment).filter { users.contains($0.userID) }
            .reduce(into: [:]) { $0[$1.userID] = $1.names }
    }

    /// Reads all members.
    public func roster(
        of id: ConversationID, only users: Set<UserID>, asker: UserID?, at moment: Timestamp
    ) async throws -> ConversationRoster {
        var found =
            if let asker { try await roster(of: id, asker: asker, at: moment) } else { try await roster(of: id) }
        found.members.removeAll { !users.contains($0.userID) }
        return found
    }

    /// Reads all members.
    public func members(
        of id: ConversationID, after user: UserID?, limit: Int, asker: UserID, at moment: Timestamp
    ) async throws -> [Member] {
        let all = try await roster(of: id, asker: asker, at: moment).members
        return Array(all.filter { member in user.map { member.userID > $0 } ?? true }.prefix(limit))
    }

    /// Reads all members.
    public func memberCount(of id: ConversationID, asMember user: UserID, at moment: Timestamp) async throws -> Int? {
        let present = try await roster(of: id, asker: user, at: moment).members.filter { member in
            member.leftAt.map { $0 > moment } ?? true
        }
        return present.contains { $0.userID == user } ? present.count : nil
    }

    /// Adds it without limits.
    public func setMember(
        _ member: Member, in id: ConversationID, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws {
        try await setMember(member, in: id, source: source, at: moment)
    }
}

/// How an item that already exists is treated.
public enum AcceptMode: String, Hashable, Sendable, Codable {
    /// The chat application sends something new: the same id with other content is a conflict.
    case posting
    /// A history is read, perhaps repeatedly: different content replaces the stored content.
    case importing
}
