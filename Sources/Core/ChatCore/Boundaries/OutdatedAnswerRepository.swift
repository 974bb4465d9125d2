/// Which later messages made stored answers wrong.
///
/// Only ids are stored. A row goes with its answer and with either message, in the same transaction. An edit of a message
/// that a turn is based on is noted in the transaction of the edit. Who may see a note is decided when it is read: see
/// ``ReadableTurn/outdated`` and ``MessagePosition/outdated``. All calls throw ``RepositoryError``.
public protocol OutdatedAnswerRepository: Sendable {
    /// Returns the position where the comparison continues; the first time this is the end of the log.
    func beginOutdatedAnswers() async throws -> ChangeCursor

    /// Returns messages of people that were added or changed after a position, of conversations with answers.
    ///
    /// - Parameters:
    ///   - cursor: The position.
    ///   - limit: The most changes to look at.
    /// - Returns: The messages, and the position up to which changes were looked at.
    /// - Throws: ``RepositoryError``.
    func messagesToCompare(after cursor: ChangeCursor, limit: Int) async throws
        -> (messages: [Message], through: ChangeCursor)

    /// Returns the newest answers that are based on messages of a message's conversation and not on the message itself.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - limit: The most messages that the answers are based on; answers beyond them are left out.
    ///   - preceding: How many messages before the message are returned.
    /// - Returns: The answers; nil if the message was deleted, or if there are none.
    /// - Throws: ``RepositoryError``.
    func citingAnswers(of key: MessageKey, limit: Int, preceding: Int) async throws -> CitingAnswers?

    /// Notes which answers a message makes wrong, instead of those that were noted before.
    ///
    /// Each answer is noted once for a message, however often this is called. Nothing changes if the message was edited or
    /// deleted since it was read.
    ///
    /// - Parameters:
    ///   - answers: The answers; those that are gone or lost their text are left out, and answers that were posted in
    ///     another conversation than the message's.
    ///   - message: The later message, as it was read.
    ///   - moment: The present time.
    /// - Returns: How many answers were noted that were not before.
    /// - Throws: ``RepositoryError``.
    func noteOutdated(_ answers: [OutdatedAnswer], by message: Message, at moment: Timestamp) async throws -> Int

    /// Notes the position up to which messages were compared.
    func noteCompared(through cursor: ChangeCursor) async throws
}
