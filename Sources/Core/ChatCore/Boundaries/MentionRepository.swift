/// Questions to the assistant that people write in conversations, and the answers that are posted there.
///
/// A message is answered once: its result is remembered as long as the message. Deleting a message that an answer is
/// based on also deletes the answer, in the same transaction; editing it removes the answer's text. Readers who may no
/// longer see the conversations of all of these messages do not see the answer. All calls throw ``RepositoryError``.
public protocol MentionRepository: Sendable {
    /// Returns the position where the search for mentions continues; the first time this is the end of the log.
    ///
    /// Mentions that an ended process had claimed are due again.
    func beginMentions() async throws -> ChangeCursor

    /// Returns messages of people that were added or changed after a position and begin with `@`.
    ///
    /// - Parameters:
    ///   - cursor: The position.
    ///   - limit: The most changes to look at.
    ///   - oldest: Messages that were written earlier are left out.
    /// - Returns: The messages, and the position up to which changes were looked at.
    /// - Throws: ``RepositoryError``.
    func messagesBeginningWithAt(after cursor: ChangeCursor, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeCursor)

    /// Notes new mentions, and the position up to which changes were looked at.
    func queueMentions(_ messages: [MessageKey], through cursor: ChangeCursor, at moment: Timestamp) async throws

    /// Claims the mention that has been due longest and counts an attempt.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The mention; nil when none is due. One that was deleted is settled as dropped.
    /// - Throws: ``RepositoryError``.
    func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention?

    /// Makes what was claimed due again, for a claim whose outcome is not known, or whose answer could not be stored.
    ///
    /// - Parameters:
    ///   - lease: The lease of the claim.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError``.
    func giveBackMention(claimedUntil lease: Timestamp, at moment: Timestamp) async throws

    /// Returns when the next mention is due; nil when none waits.
    func nextMentionDue() async throws -> Timestamp?

    /// Counts the messages that were posted in a conversation in reply to mentions since a moment.
    func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int

    /// Returns questions and answers of a thread, oldest first; without messages that were posted instead of an answer.
    ///
    /// - Parameters:
    ///   - root: The first message of the thread.
    ///   - id: The conversation.
    ///   - audience: Answers that are based on messages of other conversations than these are left out.
    ///   - limit: The most that are read, the newest ones.
    /// - Returns: Pairs.
    /// - Throws: ``RepositoryError``.
    func answeredMentions(
        inThread root: MessageID, of id: ConversationID, within audience: Set<ConversationID>, limit: Int
    ) async throws -> [(question: Message, answer: Message)]

    /// Returns the conversations that an answer in a conversation may be based on.
    ///
    /// These are the conversations that the asker and all present members may see; in an open conversation only those
    /// that everybody may read. Direct conversations are left out, except for the one with the question.
    ///
    /// - Parameters:
    ///   - id: The conversation in which the answer is posted; always among them.
    ///   - asker: The user who asked.
    ///   - moment: The present time.
    /// - Returns: The ids; empty when the asker may not see the conversation.
    /// - Throws: ``RepositoryError``.
    func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> Set<ConversationID>

    /// Posts an answer and settles its mention, in one transaction that also checks that all present members may see
    /// the messages that the answer is based on; see ``audience(of:asker:at:)``.
    ///
    /// - Parameters:
    ///   - answer: A message of the assistant.
    ///   - question: The mention.
    ///   - attempt: The attempt that was claimed; a claim that a later one replaced posts nothing. Nil for any.
    ///   - state: The new state: `answered`, or another one if `answer` reports a failure.
    ///   - sources: The messages that the answer is based on; deleting one of them, or the mention, deletes the answer.
    ///     If an answer is among them, its sources count too.
    ///   - isDelivered: Whether the answer is delivered to another system.
    ///   - moment: The present time.
    /// - Returns: The result; unless it is posted, nothing changed.
    /// - Throws: ``RepositoryError``.
    func post(
        _ answer: Message, to question: MessageKey, attempt: Int?, as state: Mention.State,
        standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting

    /// Sets the state of a mention that is not answered.
    ///
    /// - Parameters:
    ///   - question: The mention.
    ///   - attempt: The attempt that was claimed; a claim that a later one replaced changes nothing. Nil for any.
    ///   - state: The new state.
    ///   - moment: For `waiting`, the time at which it is due again.
    /// - Throws: ``RepositoryError``.
    func settle(_ question: MessageKey, attempt: Int?, as state: Mention.State, dueAt moment: Timestamp?) async throws

    /// Claims the delivery to another system that has been due longest.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The delivery; nil when none is due.
    /// - Throws: ``RepositoryError``.
    func claimDelivery(until lease: Timestamp, at moment: Timestamp) async throws -> MentionDelivery?

    /// Returns when the next delivery is due; nil when none waits.
    func nextDeliveryDue() async throws -> Timestamp?

    /// Settles a delivery.
    ///
    /// - Parameters:
    ///   - delivery: The delivery as it was claimed; later changes remain to be delivered.
    ///   - moment: When to try again; nil when it is done or given up.
    /// - Throws: ``RepositoryError``.
    func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws
}

extension MentionRepository {
    /// Posts an answer, whichever attempt it comes from.
    public func post(
        _ answer: Message, to question: MessageKey, as state: Mention.State, standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting {
        try await post(
            answer, to: question, attempt: nil, as: state, standingOn: sources, isDelivered: isDelivered, at: moment)
    }

    /// Sets the state of a mention, whichever attempt it comes from.
    public func settle(_ question: MessageKey, as state: Mention.State, dueAt moment: Timestamp?) async throws {
        try await settle(question, attempt: nil, as: state, dueAt: moment)
    }
}

/// The result of posting an answer.
public enum MentionPosting: Hashable, Sendable {
    /// The answer is in the conversation.
    case posted
    /// The mention was settled before, or a source was deleted or edited since the mention was claimed.
    case outdated
    /// A present member may not see a message that the answer is based on.
    case audienceChanged
}
