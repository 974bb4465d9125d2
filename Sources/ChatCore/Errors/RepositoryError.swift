/// What a store answers when it cannot do what was asked.
///
/// No case carries message text.
public enum RepositoryError: Error, Equatable, Sendable {
    /// The conversation does not exist, or the asker may not see it: the two are never told apart.
    case noSuchConversation(ConversationID)
    /// The message does not exist where the asker may see.
    case noSuchMessage(MessageKey)
    /// The item does not exist, or not where the asker may see.
    case noSuchItem(ItemID)
    /// The thread does not exist, or is another user's: the two are never told apart.
    case noSuchThread(ThreadID)
    /// The turn does not exist, or is another user's: the two are never told apart.
    case noSuchTurn(TurnID)
    /// Another extraction of the kind is under way in the conversation, or took over from this one.
    case extractionUnderWay(ConversationID)
    /// The same id stands for other content already.
    case conflict(String)
    /// Something given breaks a rule; `field` names it, `reason` says which.
    case invalid(field: String, reason: String)
    /// A cursor belongs to another change log, or lies after the end of this one: the list has to be read again.
    case expiredCursor
    /// The disk, or the size that the store is allowed, is full. Nothing of the call was kept.
    case storageFull
    /// The disk takes no writing: it is mounted read-only, or the folder belongs to another user.
    case storageReadOnly
    /// The store was written by a newer program.
    case fromTheFuture(found: String)
    /// The store cannot be read or written; `reason` is the storage engine's own word, without data.
    case unavailable(reason: String)

    /// Whether the disk refuses to store anything; what is stored can still be read.
    public var isAboutStorage: Bool { self == .storageFull || self == .storageReadOnly }
}
