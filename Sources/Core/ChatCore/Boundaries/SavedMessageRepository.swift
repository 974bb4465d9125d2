/// Messages that people saved for themselves: nobody else learns of it.
///
/// A saved message follows its message: who may no longer read it does not see it in the list, and its deletion ends
/// that it is saved. All calls throw ``RepositoryError``.
public protocol SavedMessageRepository: Sendable {
    /// Saves a message for a person; one that is saved stays as it is.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - user: The person.
    ///   - limit: The most saved messages of a person.
    ///   - moment: The present time.
    /// - Returns: When it was saved, and whether that was now.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``;
    ///   ``RepositoryError/invalid(field:reason:)`` if the person has reached the limit.
    func save(
        _ key: MessageKey, for user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> (savedAt: Timestamp, isNew: Bool)

    /// Ends that a message is saved for a person; one that is not is no error.
    func endSaving(_ key: MessageKey, for user: UserID) async throws

    /// Returns the saved messages that a person may read, the last saved first.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - number: The number before which the page ends; nil for the first page.
    ///   - limit: The most messages.
    ///   - moment: The present time.
    /// - Returns: The messages.
    /// - Throws: ``RepositoryError``.
    func savedMessages(
        of user: UserID, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage]
}

/// A message that a person saved.
public struct SavedMessage: Hashable, Sendable {
    /// The most saved messages of a person.
    public static let limit = 2_000

    /// Its place among the saved messages of the person: a later one has a higher number.
    public let number: Int64
    /// The message.
    public var message: Message
    /// When it was saved.
    public let savedAt: Timestamp

    public init(number: Int64, message: Message, savedAt: Timestamp) {
        (self.number, self.message, self.savedAt) = (number, message, savedAt)
    }
}
