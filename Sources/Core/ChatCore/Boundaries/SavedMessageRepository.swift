/// Messages that people saved for themselves, some with a reminder: nobody else learns of it.
///
/// A saved message follows its message: who may no longer read it does not see it in the list, and its deletion ends
/// that it is saved. All calls throw ``RepositoryError``.
public protocol SavedMessageRepository: Sendable {
    /// Saves a message for a person; one that is saved keeps its place.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - user: The person.
    ///   - reminder: What becomes of the reminder.
    ///   - limit: The most saved messages of a person.
    ///   - moment: The present time.
    /// - Returns: When it was saved, whether that was now, and when the person is reminded of it.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``;
    ///   ``RepositoryError/invalid(field:reason:)`` if the person has reached the limit.
    func save(
        _ key: MessageKey, for user: UserID, reminder: ReminderChange, limit: Int, at moment: Timestamp
    ) async throws -> MessageSave

    /// Ends that a message is saved for a person; one that is not is no error.
    func endSaving(_ key: MessageKey, for user: UserID) async throws

    /// Returns the saved messages that a person may read, the last saved first.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - hasReminder: Whether only messages with a reminder are wanted.
    ///   - number: The number before which the page ends; nil for the first page.
    ///   - limit: The most messages.
    ///   - moment: The present time.
    /// - Returns: The messages.
    /// - Throws: ``RepositoryError``.
    func savedMessages(
        of user: UserID, hasReminder: Bool, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage]

    /// Ends the reminders that are due, and notifies the people who may still read the messages.
    ///
    /// The end of a reminder and its notification are stored in one transaction.
    ///
    /// - Parameters:
    ///   - limit: The most reminders.
    ///   - moment: The present time.
    /// - Returns: How many reminders ended; fewer than the limit if no more are due.
    /// - Throws: ``RepositoryError``.
    func remindDue(limit: Int, at moment: Timestamp) async throws -> Int

    /// Returns when the next reminder is due; nil if none waits.
    func nextReminder() async throws -> Timestamp?
}

/// What becomes of the reminder of a saved message.
public enum ReminderChange: Hashable, Sendable {
    /// It stays as it is.
    case unchanged
    /// The person is reminded at this time; nil for no reminder.
    case at(Timestamp?)
}

/// The result of saving a message.
public struct MessageSave: Hashable, Sendable {
    /// When it was saved.
    public let savedAt: Timestamp
    /// Whether it was not saved before.
    public let isNew: Bool
    /// When the person is reminded of it; nil if there is no reminder.
    public let remindAt: Timestamp?

    public init(savedAt: Timestamp, isNew: Bool, remindAt: Timestamp?) {
        (self.savedAt, self.isNew, self.remindAt) = (savedAt, isNew, remindAt)
    }
}

/// A message that a person saved.
public struct SavedMessage: Hashable, Sendable {
    /// The most saved messages of a person.
    public static let limit = 2_000
    /// The most days between now and a reminder.
    public static let reminderDayLimit = 366

    /// Its place among the saved messages of the person: a later one has a higher number.
    public let number: Int64
    /// The message.
    public var message: Message
    /// When it was saved.
    public let savedAt: Timestamp
    /// When the person is reminded of it; nil if there is no reminder.
    public let remindAt: Timestamp?

    public init(number: Int64, message: Message, savedAt: Timestamp, remindAt: Timestamp? = nil) {
        (self.number, self.message, self.savedAt, self.remindAt) = (number, message, savedAt, remindAt)
    }
}
