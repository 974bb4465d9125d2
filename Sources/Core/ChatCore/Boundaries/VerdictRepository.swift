/// What people say about messages that later ones replaced, or did not.
///
/// Only ids, times and positions are stored. A verdict goes in the transaction that deletes one of its messages, changes the
/// words of one, or erases its person. All calls throw ``RepositoryError``.
public protocol VerdictRepository: Sendable {
    /// Stores what a person says, instead of what the same person said of the same statement and message before.
    ///
    /// A verdict about the whole earlier message also replaces the person's verdicts about its statements. That the
    /// earlier one holds also removes the notes that the later one made answers wrong.
    ///
    /// - Parameters:
    ///   - kind: What is said; nil takes it back, and nothing happens if nothing was said.
    ///   - subject: The messages, which the person must be able to read at this moment.
    ///   - user: The person.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``;
    ///   ``RepositoryError/invalid(field:reason:)`` if the messages are in the wrong order or no text of a person or a
    ///   program, if the range is not in the text, or if there are too many verdicts.
    func setVerdict(
        _ kind: ReplacementVerdict.Kind?, on subject: ReplacementVerdict.Subject, by user: UserID,
        at moment: Timestamp) async throws

    /// Returns what people say about earlier messages, in the order in which it was said.
    ///
    /// - Parameters:
    ///   - keys: The earlier messages, which the asker may see.
    ///   - scope: The asker, and the conversations of the later messages.
    ///   - moment: The present time.
    /// - Returns: The verdicts whose later message the scope grants at this moment.
    /// - Throws: ``RepositoryError``.
    func verdicts(
        on keys: [MessageKey], in scope: SearchScope, at moment: Timestamp
    ) async throws -> [ReplacementVerdict]

    /// Returns the last verdict on each earlier message of the same conversation that names one of some later messages.
    ///
    /// - Parameter keys: The later messages.
    /// - Returns: The verdicts by later message, of each by earlier message; empty if there are none.
    /// - Throws: ``RepositoryError``.
    func verdicts(naming keys: [MessageKey]) async throws -> [MessageKey: [MessageKey: ReplacementVerdict.Kind]]
}
