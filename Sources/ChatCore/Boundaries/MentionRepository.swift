/// Questions to the assistant that people put in conversations, and the answers that are posted there.
///
/// A message is answered once: what became of it is remembered as long as the message. An answer goes with each message
/// that it stands on, in the same transaction. All calls throw ``RepositoryError``.
public protocol MentionRepository: Sendable {
    /// Returns up to which change messages were looked through; before the first time that is now the newest one.
    ///
    /// What was claimed by a process that has gone is due again.
    func beginMentions() async throws -> ChangeNumber

    /// Returns messages of people that came or changed after a change and begin with `@`.
    ///
    /// - Parameters:
    ///   - number: The change.
    ///   - limit: The most changes to look at.
    ///   - oldest: Messages that were written before are left out.
    /// - Returns: The messages, and the last change that was looked at.
    /// - Throws: ``RepositoryError``.
    func messagesBeginningWithAt(after number: ChangeNumber, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeNumber)

    /// Notes mentions, those that are known already left alone, and up to which change messages were looked through.
    func noteMentions(_ messages: [MessageKey], through number: ChangeNumber, at moment: Timestamp) async throws

    /// Claims the mention that has been due longest and counts an attempt.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The mention; nil when none is due. One that was deleted is settled as dropped.
    /// - Throws: ``RepositoryError``.
    func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention?

    /// Counts what was posted in a conversation in answer to mentions since a moment.
    func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int

    /// Returns questions and answers of a thread, oldest first, at most the newest `limit`; without what was posted in
    /// place of an answer.
    func answeredMentions(inThread root: MessageID, of id: ConversationID, limit: Int) async throws
        -> [(question: Message, answer: Message)]

    /// Posts an answer and settles its mention, in one transaction.
    ///
    /// - Parameters:
    ///   - answer: A message of the assistant.
    ///   - question: The mention.
    ///   - state: What became of it: `answered`, or `failed` where `answer` says that there is none.
    ///   - sources: The messages that the answer stands on; it goes with each of them, and with the mention.
    ///   - isDelivered: Whether another system is to be told.
    ///   - moment: The present time.
    /// - Returns: False when the mention was settled before, or one of the messages has gone or changed conversations;
    ///   then nothing is posted.
    /// - Throws: ``RepositoryError``.
    func post(
        _ answer: Message, to question: MessageKey, as state: Mention.State, standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> Bool

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

    /// Says what became of a delivery.
    ///
    /// - Parameters:
    ///   - delivery: As it was claimed; what came about since stays to be told.
    ///   - moment: When to try again; nil when it is done, or given up.
    /// - Throws: ``RepositoryError``.
    func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws
}
