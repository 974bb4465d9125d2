/// What was extracted from messages, and how far extraction has come in each conversation.
///
/// An item goes with its message, in the same transaction. When a message's text changes, items whose quote it does not
/// hold any more go too, unless a person edited them; those lose the quote. All calls throw ``RepositoryError``.
public protocol ItemRepository: Sendable {
    /// Begins an extraction.
    ///
    /// - Parameters:
    ///   - kind: What is extracted.
    ///   - id: The conversation.
    ///   - asker: Who wants it; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - leaseID: The id that the lease gets.
    ///   - end: When the lease ends unless it is renewed by ``commit(_:of:through:until:at:)``.
    ///   - moment: The present time.
    /// - Returns: The lease.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` while another extraction of the kind is under way there.
    func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        at moment: Timestamp
    ) async throws -> ExtractionLease

    /// Returns what a lease's extraction reads next.
    ///
    /// - Parameters:
    ///   - lease: The extraction.
    ///   - limit: The most changed messages; system messages, empty and deleted ones are left out.
    ///   - contextLimit: The most messages before them.
    /// - Returns: The batch, empty when nothing is left.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` when the lease is no more.
    func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws -> ExtractionBatch

    /// Stores what was found in a batch, and notes that it was read.
    ///
    /// Items whose message was deleted meanwhile are left out; what a person edited meanwhile stays.
    ///
    /// - Parameters:
    ///   - changes: What was found.
    ///   - lease: The extraction.
    ///   - cursor: The batch's end.
    ///   - end: When the lease ends now.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` when the lease is no more; nothing was stored then.
    func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through cursor: ChangeCursor, until end: Timestamp,
        at moment: Timestamp
    ) async throws

    /// Ends an extraction; one whose lease is no more is no error.
    func endExtraction(_ lease: ExtractionLease) async throws

    /// Returns the items of a kind that a scope grants at `moment`, without those that a person took away: open ones
    /// first; dated before undated, the earlier date first; then the newest found; then by id.
    func items(of kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
        -> [ExtractedItem]

    /// Returns what became of a conversation's items since a change.
    ///
    /// - Parameters:
    ///   - kind: What the items are.
    ///   - id: The conversation.
    ///   - asker: Who follows; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - cursor: What is known already; nil for nothing, which gives all items that there are.
    ///   - limit: The most items, but for those of the same change; the rest comes after ``ListChanges/next``.
    ///   - moment: The present time.
    /// - Returns: Items without those that a person took away, and the ids of those that went or were taken away.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func itemChanges(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, after cursor: ChangeCursor?, limit: Int,
        at moment: Timestamp
    ) async throws -> ListChanges<ExtractedItem>

    /// Changes an item for a person.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - edit: What changes; an extraction does not overwrite it.
    ///   - kind: What the item has to be.
    ///   - scope: Who, and where the item has to be.
    ///   - moment: The present time.
    /// - Returns: The item as it is now.
    /// - Throws: ``RepositoryError/noSuchItem(_:)`` also for what the scope does not grant;
    ///   ``RepositoryError/invalid(field:reason:)`` for an empty or too long text and for who was never a member.
    func edit(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) async throws -> ExtractedItem

    /// Takes an item away for a person; extraction does not bring it back.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - kind: What the item has to be.
    ///   - scope: Who, and where the item has to be.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError/noSuchItem(_:)`` also for what the scope does not grant.
    func dismiss(_ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
}

extension ExtractedItem {
    /// Whether a list shows it before `other`; see ``ItemRepository/items(of:in:at:)``.
    public func precedes(_ other: ExtractedItem) -> Bool {
        if status != other.status { return status == .open }
        if due != other.due {
            guard let due else { return false }
            return other.due.map { due < $0 } ?? true
        }
        return (other.extractedAt, id) < (extractedAt, other.id)
    }
}

extension ExtractedItem {
    /// Returns the item with what an extraction found, but for what a person edited before or meanwhile.
    public func taking(_ found: ExtractedItem) -> ExtractedItem {
        guard !isDismissed else { return self }
        var item = found
        item.isDismissed = false
        item.status = status
        item.editedFields = editedFields
        if editedFields.contains(.text) { item.text = text }
        if editedFields.contains(.due) { item.due = due }
        if editedFields.contains(.person) { (item.personName, item.personID) = (personName, personID) }
        return item
    }
}
