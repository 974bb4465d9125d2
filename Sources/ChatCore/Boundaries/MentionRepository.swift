/// Questions to the assistant that people put in conversations, and the answers that are posted there.
///
/// A message is answered once: what became of it is remembered as long as the message. An answer goes with each message
/// that it is based on, in the same transaction, and loses its text when one of them is edited. Readers who may not see
/// the conversations of all of these messages do not see the answer. All calls throw ``RepositoryError``.
public protocol MentionRepository: Sendable {
    /// Returns where to look for mentions next; the first time that is the end of the log.
    ///
    /// What was claimed by a process that has gone is due again.
    func beginMentions() async throws -> ChangeCursor

    /// Returns messages of people that came or changed after a position and begin with `@`.
    ///
    /// - Parameters:
    ///   - cursor: The position.
    ///   - limit: The most changes to look at.
    ///   - oldest: Messages that were written before are left out.
    /// - Returns: The messages, and the position up to which changes were looked at.
    /// - Throws: ``RepositoryError``.
    func messagesBeginningWithAt(after cursor: ChangeCursor, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeCursor)

    /// Notes new mentions, and the position up to which changes were looked at.
    func noteMentions(_ messages: [MessageKey], through cursor: ChangeCursor, at moment: Timestamp) async throws

    /// Claims the mention that has been due longest and counts an attempt.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The mention; nil when none is due. One that was deleted is settled as dropped.
    /// - Throws: ``RepositoryError``.
    func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention?

    /// Returns when the next mention is due; nil when none waits.
    func nextMentionDue() async throws -> Timestamp?

    /// Counts what was posted in a conversation in answer to mentions since a moment.
    func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int

    /// Returns questions and answers of a thread, oldest first; without what was posted instead of an answer.
    ///
    /// - Parameters:
    ///   - root: The message that the thread begins with.
    ///   - id: Where it is.
    ///   - audience: Answers that are based on messages of other conversations than these are left out.
    ///   - limit: The most that are looked at, the newest ones.
    /// - Returns: Pairs.
    /// - Throws: ``RepositoryError``.
    func answeredMentions(
        inThread root: MessageID, of id: ConversationID, within audience: Set<ConversationID>, limit: Int
    ) async throws -> [(question: Message, answer: Message)]

    /// Returns the conversations that an answer in a conversation may be based on.
    ///
    /// These are the ones that all its present members may see, and the asker; where everybody may read it, only those
    /// that everybody may read. Direct conversations are left out, except the one that is asked in.
    ///
    /// - Parameters:
    ///   - id: Where the answer is posted; always among them.
    ///   - asker: Who asked.
    ///   - moment: The present time.
    /// - Returns: Their ids; empty when the asker may not see the conversation.
    /// - Throws: ``RepositoryError``.
    func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> Set<ConversationID>

    /// Posts an answer and settles its mention, in one transaction that also checks that all present members may see what
    /// it is based on; see ``audience(of:asker:at:)``.
    ///
    /// - Parameters:
    ///   - answer: A message of the assistant.
    ///   - question: The mention.
    ///   - state: What became of it: `answered`, or another one where `answer` says that there is none.
    ///   - sources: The messages that the answer is based on; it goes with each of them, and with the mention. What an
    ///     answer among them is based on counts too.
    ///   - isDelivered: Whether another system is to be told.
    ///   - moment: The present time.
    /// - Returns: What became of it; unless it was posted nothing changed.
    /// - Throws: ``RepositoryError``.
    func post(
        _ answer: Message, to question: MessageKey, as state: Mention.State, standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting

    /// Says what became of a mention that is not answered.
    ///
    /// - Parameters:
    ///   - question: The mention.
    ///   - state: What became of it.
    ///   - moment: With `waiting`, when it is due again.
    /// - Throws: ``RepositoryError``.
    func settle(_ question: MessageKey, as state: Mention.State, dueAt moment: Timestamp?) async throws

    /// Claims the answer that another system has to be told of longest.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The delivery; nil when none is due.
    /// - Throws: ``RepositoryError``.
    func claimDelivery(until lease: Timestamp, at moment: Timestamp) async throws -> MentionDelivery?

    /// Returns when the next delivery is due; nil when none waits.
    func nextDeliveryDue() async throws -> Timestamp?

    /// Says what became of a delivery.
    ///
    /// - Parameters:
    ///   - delivery: As it was claimed; what came about since stays to be told.
    ///   - moment: When to try again; nil when it is done, or given up.
    /// - Throws: ``RepositoryError``.
    func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws
}

/// What became of an answer that was to be posted.
public enum MentionPosting: Hashable, Sendable {
    /// It is posted.
    case posted
    /// The mention was settled before, or one of the messages has gone or was edited since the mention was claimed.
    case outdated
    /// Somebody is there who may not see a message that it is based on.
    case audienceChanged
}
