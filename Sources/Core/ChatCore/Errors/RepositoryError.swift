/// Why a store cannot do what was requested.
///
/// No case contains message text.
public enum RepositoryError: Error, Equatable, Sendable {
    /// The conversation does not exist, or the asker may not see it: the two look the same.
    case noSuchConversation(ConversationID)
    /// The message does not exist, or the asker may not see it.
    case noSuchMessage(MessageKey)
    /// The item does not exist, or the asker may not see it.
    case noSuchItem(ItemID)
    /// The thread does not exist, or is another user's: the two look the same.
    case noSuchThread(ThreadID)
    /// The turn does not exist, or is another user's: the two look the same.
    case noSuchTurn(TurnID)
    /// The schedule does not exist, or is another user's: the two look the same.
    case noSuchSchedule(ScheduleID)
    /// The scheduled message does not exist, or is another user's: the two look the same.
    case noSuchScheduledMessage(MessageID)
    /// Another extraction of the kind runs in the conversation, or has replaced this one.
    case extractionUnderWay(ConversationID)
    /// The same id already exists with other content.
    case conflict(String)
    /// A value breaks a rule; `field` names it, `reason` names the rule.
    case invalid(field: String, reason: String)
    /// A cursor belongs to another change log, is after the end of this one, or is older than the changes that are kept:
    /// the list must be read again.
    case expiredCursor
    /// The rights of the caller ended while the request was under way; see ``RequestAuthority``.
    case rightsEnded
    /// The disk, or the allowed size of the store, is full. Nothing of the call was stored.
    case storageFull
    /// The disk cannot be written: it is mounted read-only, or the folder belongs to another user.
    case storageReadOnly
    /// A part of the store was read that is damaged; nothing is stored any more until a backup was restored.
    case storageDamaged
    /// The store was written by a newer program.
    case fromTheFuture(found: String)
    /// The store cannot be read or written; `reason` is the storage engine's message, without data.
    case unavailable(reason: String)

    /// Whether nothing can be stored; stored data can still be read.
    public var isAboutStorage: Bool { [.storageFull, .storageReadOnly, .storageDamaged].contains(self) }
}
