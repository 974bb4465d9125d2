/// Items that were extracted from messages, and the progress of extraction in each conversation.
///
/// Deleting a message also deletes its items, in the same transaction. When a message's text changes, items whose quote
/// it no longer contains are deleted too, unless a person edited them; those lose the quote. All calls throw
/// ``RepositoryError``.
public protocol ItemRepository: Sendable {
    /// Begins an extraction, and reads its first messages from the same state of the store.
    ///
    /// - Parameters:
    ///   - kind: The kind of item.
    ///   - id: The conversation.
    ///   - asker: The user who wants it; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - leaseID: The id of the lease.
    ///   - end: When the lease ends unless it is renewed by ``commit(_:of:through:until:at:)``.
    ///   - limits: How much it reads.
    ///   - moment: The present time.
    /// - Returns: The lease, and what was read.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` while another extraction of the kind runs there.
    func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        reading limits: ExtractionLimits, at moment: Timestamp
    ) async throws -> ExtractionBeginning

    /// Returns the next messages for a lease's extraction.
    ///
    /// - Parameters:
    ///   - lease: The extraction.
    ///   - limit: The most changed messages; system messages, empty and deleted ones are left out.
    ///   - contextLimit: The most messages before them.
    /// - Returns: The batch, empty when nothing is left.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` when the lease has ended.
    func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws -> ExtractionBatch

    /// Stores the items of a batch, and notes that it was read.
    ///
    /// Items whose message was deleted in the meantime are left out; a person's edits in the meantime are kept.
    ///
    /// - Parameters:
    ///   - changes: The changes to the items.
    ///   - lease: The extraction.
    ///   - cursor: The batch's end.
    ///   - end: When the lease ends after this call; nil ends the extraction.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` when the lease has ended; then nothing was stored.
    func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through cursor: ChangeCursor, until end: Timestamp?,
        at moment: Timestamp
    ) async throws

    /// Ends an extraction; a lease that has already ended is not an error.
    func endExtraction(_ lease: ExtractionLease) async throws

    /// Returns the items of a kind that a scope grants at `moment`, without dismissed ones: open ones first; dated
    /// before undated, the earlier date first; then the newest; then by id.
    func items(of kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
        -> [ExtractedItem]

    /// Returns the changes to a conversation's items since a cursor.
    ///
    /// - Parameters:
    ///   - kind: The kind of item.
    ///   - id: The conversation.
    ///   - asker: The user who follows; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - cursor: The known state; nil for none, which returns all items.
    ///   - limit: The most items, apart from those of the same change; the rest comes after ``ListChanges/next``.
    ///   - moment: The present time.
    /// - Returns: Items without dismissed ones, and the ids of deleted or dismissed ones.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func itemChanges(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, after cursor: ChangeCursor?, limit: Int,
        at moment: Timestamp
    ) async throws -> ListChanges<ExtractedItem>

    /// Changes an item on behalf of a person.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - edit: The changes; an extraction does not overwrite them.
    ///   - kind: The required kind of the item.
    ///   - scope: The user, and the conversations in which the item must be.
    ///   - moment: The present time.
    /// - Returns: The changed item.
    /// - Throws: ``RepositoryError/noSuchItem(_:)`` also for an item outside the scope;
    ///   ``RepositoryError/invalid(field:reason:)`` for an empty or too long text, or a person who was never a member.
    func edit(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) async throws -> ExtractedItem

    /// Dismisses an item on behalf of a person; extraction does not add it again.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - kind: The required kind of the item.
    ///   - scope: The user, and the conversations in which the item must be.
    ///   - moment: The present time.
    /// - Throws: ``RepositoryError/noSuchItem(_:)`` also for an item outside the scope.
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
    /// Returns the item with the fields of an extraction, except for fields that a person edited.
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
