/// The changes that an extraction makes to the known items.
package struct ItemChanges: Hashable, Sendable {
    /// New items.
    package var added: [ExtractedItem] = []
    /// Known items with new content.
    package var changed: [ExtractedItem] = []
    /// Items that their messages no longer support.
    package var removedIDs: [ItemID] = []

    package init() {}
}

/// A person's changes to an item; nil leaves a field unchanged.
package struct ItemEdit: Hashable, Sendable {
    /// The new description.
    package var text: String?
    /// The new person, a present or past member of the conversation; `.some(nil)` for nobody.
    package var personID: UserID??
    /// The new due date; `.some(nil)` for none.
    package var due: Timestamp??
    /// The new status.
    package var status: ExtractedItem.Status?

    package init(
        text: String? = nil, personID: UserID?? = nil, due: Timestamp?? = nil, status: ExtractedItem.Status? = nil
    ) {
        self.text = text
        self.personID = personID
        self.due = due
        self.status = status
    }

    /// The fields that it changes.
    package var fields: Set<ExtractedItem.Field> {
        var fields: Set<ExtractedItem.Field> = []
        if text != nil { fields.insert(.text) }
        if personID != nil { fields.insert(.person) }
        if due != nil { fields.insert(.due) }
        if status != nil { fields.insert(.status) }
        return fields
    }
}

/// A running extraction; no other extraction of its kind can run in the conversation.
package struct ExtractionLease: Hashable, Sendable {
    /// Its id; a later extraction has another one.
    package let id: String
    /// The kind of item.
    package let kind: ExtractedItem.Kind
    /// The conversation.
    package let conversationID: ConversationID

    package init(id: String, kind: ExtractedItem.Kind, conversationID: ConversationID) {
        self.id = id
        self.kind = kind
        self.conversationID = conversationID
    }
}

/// The next messages for an extraction.
package struct ExtractionBatch: Hashable, Sendable {
    /// Messages that were added or changed since the last extraction, by time; the same people may read them all.
    package var messages: [Message]
    /// Messages before the first of them, by time, only as context.
    package var context: [Message]
    /// All items of the kind in the conversation, including dismissed ones.
    package var known: [ExtractedItem]
    /// Known items that the model must not be shown, because not everybody may read them who may read the messages.
    package var unshownIDs: Set<ItemID> = []
    /// Known items that the messages must not change, because others may read them; contains ``unshownIDs``.
    package var apartIDs: Set<ItemID> = []
    /// The position up to which all changes are included.
    package var end: ChangeCursor
    /// Whether there are no further messages after it.
    package var isLast: Bool

    package init(messages: [Message], context: [Message], known: [ExtractedItem], end: ChangeCursor, isLast: Bool) {
        self.messages = messages
        self.context = context
        self.known = known
        self.end = end
        self.isLast = isLast
    }
}
