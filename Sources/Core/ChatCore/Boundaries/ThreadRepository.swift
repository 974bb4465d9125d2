/// Threads of questions to the assistant; each belongs to one user, and only this user sees it.
///
/// Their turns are those of ``TurnRepository``. All calls throw ``RepositoryError``;
/// ``RepositoryError/noSuchThread(_:)`` also means a thread of another user.
public protocol ThreadRepository: Sendable {
    /// Creates a thread.
    ///
    /// - Parameter thread: A thread without turns; ``AssistantThread/firstQuestion`` and ``AssistantThread/turnCount``
    ///   are ignored.
    /// - Throws: ``RepositoryError/conflict(_:)`` when its id is taken, or its user has a thread with this
    ///   conversation's assistant; ``RepositoryError/invalid(field:reason:)`` for an invalid id or title.
    func create(_ thread: AssistantThread) async throws

    /// Creates a thread that begins with a turn of its owner, which had no thread before.
    ///
    /// - Throws: ``RepositoryError/conflict(_:)`` also when the turn has a thread;
    ///   ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func create(_ thread: AssistantThread, beginningWith turn: TurnID) async throws

    /// Returns a thread of a user.
    func thread(_ id: ThreadID, of user: UserID) async throws -> AssistantThread

    /// Returns a user's threads, the last used first; threads of the same moment by descending id.
    ///
    /// - Parameters:
    ///   - user: The owner.
    ///   - place: Only threads after it; nil for the first page. The thread of this place may have moved.
    ///   - limit: The most threads.
    /// - Returns: A page.
    /// - Throws: ``RepositoryError``.
    func threads(of user: UserID, after place: AssistantThread.Place?, limit: Int) async throws -> [AssistantThread]

    /// Returns the changes to a user's threads since a cursor.
    ///
    /// - Parameters:
    ///   - user: The owner.
    ///   - cursor: The known state; nil for none, which returns all threads.
    ///   - limit: The most threads, apart from those of the same change; the rest comes after ``ListChanges/next``.
    /// - Returns: Threads that were added, used, renamed, or lost a turn's text, and the ids of deleted ones.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func threadChanges(of user: UserID, after cursor: ChangeCursor?, limit: Int) async throws
        -> ListChanges<AssistantThread>

    /// Sets the title of a thread, or removes it so that the first question is the title again.
    ///
    /// - Parameters:
    ///   - id: The thread.
    ///   - user: The owner.
    ///   - title: 1 to ``AssistantThread/titleLimit`` characters; nil for none.
    /// - Returns: The changed thread; its place in the list stays the same.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an invalid title.
    func rename(_ id: ThreadID, of user: UserID, title: String?) async throws -> AssistantThread

    /// Deletes a thread with its turns.
    func delete(_ id: ThreadID, of user: UserID) async throws

    /// Returns the one thread that a user has with a conversation's own assistant; nil before the first question.
    ///
    /// - Parameters:
    ///   - user: The owner.
    ///   - conversation: The conversation.
    ///   - moment: The present time.
    /// - Returns: The thread.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation.
    func exchange(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> AssistantThread?

    /// Returns the one thread that a user has with a conversation's own assistant, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - user: The owner.
    ///   - conversation: The conversation.
    ///   - id: The id for a new thread.
    ///   - moment: The present time.
    /// - Returns: The thread.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation.
    func openExchange(of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp) async throws
        -> AssistantThread

    /// Returns the changes to the turns that a user has with a conversation's own assistant since a cursor.
    ///
    /// ``TurnRepository/readable(_:at:)`` decides what is shown of them.
    ///
    /// - Parameters:
    ///   - user: The owner.
    ///   - conversation: The conversation.
    ///   - cursor: The known state; nil for none, which returns all turns.
    ///   - limit: The most turns, apart from those of the same change; the rest comes after ``ListChanges/next``.
    ///   - moment: The present time.
    /// - Returns: Turns that were added, judged or redacted, and the ids of deleted ones.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation;
    ///   ``RepositoryError/expiredCursor``.
    func exchangeChanges(
        of user: UserID, in conversation: ConversationID, after cursor: ChangeCursor?, limit: Int, at moment: Timestamp
    ) async throws -> ListChanges<Turn>

    /// Returns what an answer inside a conversation begins with, in one call.
    ///
    /// - Parameters:
    ///   - user: The asker.
    ///   - conversation: The conversation.
    ///   - moment: The present time.
    /// - Returns: The conversation, its members and the asker's thread, as of one moment.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation.
    func beginning(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> ExchangeBeginning

    /// Stores a turn in the thread that its asker has with a conversation's own assistant, and makes the thread if there
    /// is none, in one transaction.
    ///
    /// - Parameters:
    ///   - turn: The turn; its thread is ignored.
    ///   - trace: How it came about; nil when unknown.
    ///   - conversation: The conversation.
    ///   - newID: The id for a new thread.
    ///   - moment: The present time.
    /// - Throws: As ``TurnRepository/record(_:trace:)`` and ``openExchange(of:in:id:at:)``; then nothing is stored.
    func record(
        _ turn: Turn, trace: TurnTrace?, inExchangeWith conversation: ConversationID, newID: ThreadID,
        at moment: Timestamp
    ) async throws
}

/// What an answer inside a conversation begins with.
public struct ExchangeBeginning: Sendable {
    /// The conversation, as its asker may read it.
    public let conversation: PermittedConversation
    /// The conversation with its members.
    public let roster: ConversationRoster
    /// The asker's thread with its assistant; nil if there is none.
    public let thread: AssistantThread?

    public init(conversation: PermittedConversation, roster: ConversationRoster, thread: AssistantThread?) {
        self.conversation = conversation
        self.roster = roster
        self.thread = thread
    }
}

extension ThreadRepository where Self: ConversationRepository {
    /// Returns threads in the form that their owners may see at a moment: without a title if the thread is with the
    /// assistant of a conversation that the owner may no longer see.
    public func shown(_ threads: [AssistantThread], at moment: Timestamp) async throws -> [AssistantThread] {
        var permitted: [UserID: Set<ConversationID>] = [:]
        for (owner, own) in Dictionary(grouping: threads, by: \.ownerID) {
            let places = Set(own.compactMap(\.conversationID))
            guard !places.isEmpty else { continue }
            let scope = SearchScope(asker: owner, conversations: .only(places))
            permitted[owner] = Set(try await self.permitted(scope, at: moment).map(\.id))
        }
        return threads.map { thread in
            guard let place = thread.conversationID, permitted[thread.ownerID]?.contains(place) != true else {
                return thread
            }
            var shown = thread
            (shown.givenTitle, shown.firstQuestion) = (nil, nil)
            return shown
        }
    }
}
