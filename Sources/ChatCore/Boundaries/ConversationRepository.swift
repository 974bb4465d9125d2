/// Conversations and who is in them.
///
/// A store that is shared between processes answers from its present state.
///
/// All calls throw ``RepositoryError``.
public protocol ConversationRepository: Sendable {
    /// Stores conversations with their members; all of them or none.
    ///
    /// A conversation that exists already: with `.posting` it is left alone when it is the same and a conflict when it
    /// differs; with `.importing` its fields are renewed and the members given are added or renewed. None is removed unless
    /// the roster says when its list was complete (``ConversationRoster/listedAt``): then memberships that this source's
    /// imports gave end, and begin again, as that list says. A list older than the last one changes no present
    /// membership. Imports never end memberships that were given otherwise.
    ///
    /// - Parameters:
    ///   - rosters: Conversations with unique ids.
    ///   - source: Where the members' ids come from; see ``Identity``.
    ///   - mode: How what exists is treated.
    ///   - moment: The present time.
    /// - Returns: How many were new.
    /// - Throws: ``RepositoryError/conflict(_:)``, ``RepositoryError/invalid(field:reason:)``, storage errors.
    func store(_ rosters: [ConversationRoster], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> Int

    /// Returns what of `scope` its asker may see at `moment`: conversations that the asker is a member of, and open
    /// ones unless the asker is a guest or a bot.
    ///
    /// The one place where permission is decided.
    func permitted(_ scope: SearchScope, at moment: Timestamp) async throws -> [PermittedConversation]

    /// Returns who is or was in the conversations that `scope` grants at `moment`; ordered by user id.
    func people(in scope: SearchScope, at moment: Timestamp) async throws -> [Person]

    /// Returns a conversation with its members.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - asker: Who wants to see it.
    ///   - moment: The present time.
    /// - Returns: The conversation, with past members.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see it.
    func roster(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> ConversationRoster

    /// Returns a conversation with its members, past ones too, whoever may see it.
    ///
    /// For a server that writes for others; never for what a person is shown.
    ///
    /// - Parameter id: Its id.
    /// - Returns: The conversation.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func roster(of id: ConversationID) async throws -> ConversationRoster

    /// Returns the asker's conversations ordered by id, those after `after`, at most `limit`.
    func conversations(asker: UserID, after: ConversationID?, limit: Int, at moment: Timestamp) async throws
        -> [Conversation]

    /// Adds a member, or renews one who is or was there.
    func setMember(_ member: Member, in id: ConversationID, source: String, at moment: Timestamp) async throws

    /// Lets a member leave at `moment`; who is not there is no error.
    func removeMember(_ userID: UserID, from id: ConversationID, at moment: Timestamp) async throws

    /// Returns whether a conversation is embedded.
    ///
    /// - Parameter id: Its id.
    /// - Returns: What was asked for, and what follows.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func embedding(of id: ConversationID) async throws -> ConversationEmbedding

    /// Excludes a conversation from embedding, includes it, or leaves it to the rule for its kind.
    ///
    /// Of one that becomes excluded the passages, vectors and queue entries go in every generation, in the same
    /// transaction; of one that becomes included the messages are queued, as backlog. Words are indexed either way.
    ///
    /// - Parameters:
    ///   - choice: What is asked for.
    ///   - id: Its id.
    ///   - moment: The present time.
    /// - Returns: What holds now.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func setEmbedding(_ choice: ConversationEmbedding.Choice, of id: ConversationID, at moment: Timestamp) async throws
        -> ConversationEmbedding

    /// Sets the rule for direct conversations, those that are there and those that come; a store begins by embedding
    /// them, and does not remember the rule when it is closed.
    ///
    /// - Parameters:
    ///   - isExcluded: Whether direct conversations of which nothing is said are excluded.
    ///   - moment: The present time.
    /// - Returns: How many conversations became excluded or included by it.
    /// - Throws: Storage errors.
    func setDirectExclusion(_ isExcluded: Bool, at moment: Timestamp) async throws -> Int

    /// Notes what a source tells about authors.
    ///
    /// Who is not known yet becomes known as the user that the identity names; who is known stays the user that was
    /// decided before. A name or address that is not told leaves the one that is known.
    ///
    /// - Parameter authors: Any number, the same one more than once too: the last counts.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unusable id or text; then nothing is noted.
    func note(_ authors: [Identity]) async throws

    /// Joins an author of a source to a user: memberships and messages of that author become the user's.
    ///
    /// - Parameters:
    ///   - identity: The author, and the user that this author is; name and address are not looked at.
    ///   - moment: The present time.
    /// - Returns: How many messages changed hands.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an author that no source has.
    func map(_ identity: Identity, at moment: Timestamp) async throws -> Int

    /// Joins authors to users, all of them or none.
    ///
    /// - Returns: How many messages changed hands.
    /// - Throws: As ``map(_:at:)`` with one identity does.
    func map(_ identities: [Identity], at moment: Timestamp) async throws -> Int

    /// Returns all identities, ordered by source and external id.
    func identities() async throws -> [Identity]

    /// Returns what kind of user somebody is.
    func kind(of id: UserID) async throws -> UserKind

    /// States what kind of user somebody is, whatever imports say; it counts from the next call on.
    ///
    /// - Parameters:
    ///   - kind: Nil to leave it to the imports again.
    ///   - id: The user.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unusable id.
    func setKind(_ kind: UserKind?, of id: UserID) async throws

    /// Returns the users whose kind was stated or is not the usual one, ordered by id.
    func users() async throws -> [User]
}

/// How a repeated or changed item is treated.
public enum AcceptMode: String, Hashable, Sendable, Codable {
    /// The chat application sends something new: the same id with other content is a conflict.
    case posting
    /// A history is read, perhaps again: other content renews what is stored.
    case importing
}
