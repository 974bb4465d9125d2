/// Threads of questions to the assistant; each belongs to one user, who alone sees it.
///
/// Their turns are those of ``TurnRepository``. All calls throw ``RepositoryError``;
/// ``RepositoryError/noSuchThread(_:)`` stands for a thread of another user too.
public protocol ThreadRepository: Sendable {
    /// Makes a thread.
    ///
    /// - Parameter thread: A thread without turns; ``AssistantThread/firstQuestion`` and
    ///   ``AssistantThread/turnCount`` are not looked at.
    /// - Throws: ``RepositoryError/conflict(_:)`` when its id is taken, or its user has a thread with this
    ///   conversation's assistant; ``RepositoryError/invalid(field:reason:)`` for an unusable id or title.
    func create(_ thread: AssistantThread) async throws

    /// Returns a thread of a user.
    func thread(_ id: ThreadID, of user: UserID) async throws -> AssistantThread

    /// Returns a user's threads, the last used first; those of the same moment by descending id.
    ///
    /// - Parameters:
    ///   - user: Whose they are.
    ///   - place: Only those that stand behind it; nil for the first page. What is there now need not stand there.
    ///   - limit: The most threads.
    /// - Returns: A page.
    /// - Throws: ``RepositoryError``.
    func threads(of user: UserID, after place: AssistantThread.Place?, limit: Int) async throws -> [AssistantThread]

    /// Returns what became of a user's threads since a change.
    ///
    /// - Parameters:
    ///   - user: Whose they are.
    ///   - cursor: What is known already; nil for nothing, which gives all threads that there are.
    ///   - limit: The most threads, but for those of the same change; the rest comes after ``ListChanges/next``.
    /// - Returns: Threads that came, were used, renamed, or lost a turn's text, and the ids of those that went.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func threadChanges(of user: UserID, after cursor: ChangeCursor?, limit: Int) async throws
        -> ListChanges<AssistantThread>

    /// Gives a thread a title, or takes it away, so that the first question names the thread again.
    ///
    /// - Parameters:
    ///   - id: The thread.
    ///   - user: Whose it is.
    ///   - title: 1 to ``AssistantThread/titleLimit`` characters; nil for none.
    /// - Returns: The thread as it is now; its place in the list stays.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unusable title.
    func rename(_ id: ThreadID, of user: UserID, title: String?) async throws -> AssistantThread

    /// Deletes a thread with its turns.
    func delete(_ id: ThreadID, of user: UserID) async throws

    /// Returns the one thread that a user has with a conversation's own assistant; nil before the first question.
    ///
    /// - Parameters:
    ///   - user: Who asks there.
    ///   - conversation: The conversation.
    ///   - moment: The present time.
    /// - Returns: The thread.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation.
    func exchange(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> AssistantThread?

    /// Returns the one thread that a user has with a conversation's own assistant, which is made where there is none.
    ///
    /// - Parameters:
    ///   - user: Who asks there.
    ///   - conversation: The conversation.
    ///   - id: The id of a thread that is made.
    ///   - moment: The present time.
    /// - Returns: The thread.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation.
    func openExchange(of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp) async throws
        -> AssistantThread

    /// Returns what became of the turns that a user has with a conversation's own assistant since a change.
    ///
    /// What is shown of them is decided by ``TurnRepository/readable(_:at:)``.
    ///
    /// - Parameters:
    ///   - user: Who asks there.
    ///   - conversation: The conversation.
    ///   - cursor: What is known already; nil for nothing, which gives all turns that there are.
    ///   - limit: The most turns, but for those of the same change; the rest comes after ``ListChanges/next``.
    ///   - moment: The present time.
    /// - Returns: Turns that came, were judged or redacted, and the ids of those that were cleared away.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` unless the user may see the conversation;
    ///   ``RepositoryError/expiredCursor``.
    func exchangeChanges(
        of user: UserID, in conversation: ConversationID, after cursor: ChangeCursor?, limit: Int, at moment: Timestamp
    ) async throws -> ListChanges<Turn>
}

extension ThreadRepository where Self: ConversationRepository {
    /// Returns threads as their owners may be shown them at a moment: without a title where the thread is with the
    /// assistant of a conversation that they may not see any more.
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
