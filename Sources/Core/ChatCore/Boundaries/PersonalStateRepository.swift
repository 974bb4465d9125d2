/// What one person sees: the beginning of the feed, and the receipts of messages.
///
/// A person who hides read receipts is shown to others as having read nothing, and is shown others the same way. What was
/// delivered stays visible, because devices receive messages without the person; of a person who hides read receipts it
/// follows from the devices alone, so that reading does not move it. All calls throw ``RepositoryError``.
public protocol PersonalStateRepository: Sendable {
    /// Returns everything that a client shows first, from one read transaction.
    func personalState(of user: UserID, at moment: Timestamp) async throws -> PersonalState

    /// Dismisses all notifications of a person, on all devices.
    func dismissAllNotifications(of user: UserID, at moment: Timestamp) async throws

    /// Returns how far a person's own live messages have come; other messages are left out.
    func statuses(
        of keys: [MessageKey], sender: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageStatus]

    /// Returns what a reader is shown beside messages, from one read transaction; nothing for messages without a row.
    func details(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageDetails]

    /// Returns the first unread message of a person in a conversation, with its neighbours; nil if all is read.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - user: The person.
    ///   - earlier: The most messages before it.
    ///   - later: The most messages after it.
    ///   - moment: The present time.
    /// - Returns: The messages, from one read transaction.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func firstUnread(
        in id: ConversationID, of user: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings?

    /// Returns who has received and read a message; nobody for a message of an imported history.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - asker: The person who wants to know.
    ///   - moment: The present time.
    /// - Returns: The people, as the asker may see them.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    func receipts(of key: MessageKey, asker: UserID, at moment: Timestamp) async throws -> MessageReceipts
}
