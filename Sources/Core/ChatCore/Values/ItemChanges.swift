/// The changes that an extraction makes to the known items.
public struct ItemChanges: Hashable, Sendable {
    /// New items.
    public var added: [ExtractedItem] = []
    /// Known items with new content.
    public var changed: [ExtractedItem] = []
    /// Items that their messages no longer support.
    public var removedIDs: [ItemID] = []

    public init() {}
}

/// A person's changes to an item; nil leaves a field unchanged.
public struct ItemEdit: Hashable, Sendable {
    /// The new description.
    public var text: String?
    /// The new person, a present or past member of the conversation; `.some(nil)` for nobody.
    public var personID: UserID??
    /// The new due date; `.some(nil)` for none.
    public var due: Timestamp??
    /// The new status.
    public var status: ExtractedItem.Status?

    public init(
        text: String? = nil, personID: UserID?? = nil, due: Timestamp?? = nil, status: ExtractedItem.Status? = nil
    ) {
        self.text = text
        self.personID = personID
        self.due = due
        self.status = status
    }

    /// The fields that it changes.
    public var fields: Set<ExtractedItem.Field> {
        var fields: Set<ExtractedItem.Field> = []
        if text != nil { fields.insert(.text) }
        if personID != nil { fields.insert(.person) }
        if due != nil { fields.insert(.due) }
        if status != nil { fields.insert(.status) }
        return fields
    }
}

/// A running extraction; no other extraction of its kind can run in the conversation.
public struct ExtractionLease: Hashable, Sendable {
    /// Its id; a later extraction has another one.
    public let id: String
    /// The kind of item.
    public let kind: ExtractedItem.Kind
    /// The conversation.
    public let conversationID: ConversationID

    public init(id: String, kind: ExtractedItem.Kind, conversationID: ConversationID) {
        self.id = id
        self.kind = kind
        self.conversationID = conversationID
    }
}

/// The next messages for an extraction.
public struct ExtractionBatch: Hashable, Sendable {
    /// Messages that were added or changed since the last extraction, by time; the same people may read them all.
    public var messages: [Message]
    /// Messages before the first of them, by time, only as context.
    public var context: [Message]
    /// All items of the kind in the conversation, including dismissed ones.
    public var known: [ExtractedItem]
    /// Known items that the model must not be shown, because not everybody may read them who may read the messages.
    public var unshownIDs: Set<ItemID> = []
    /// Known items that the messages must not change, because others may read them; contains ``unshownIDs``.
    public var apartIDs: Set<ItemID> = []
    /// The position up to which all changes are included.
    public var end: ChangeCursor
    /// Whether there are no further messages after it.
    public var isLast: Bool

    public init(messages: [Message], context: [Message], known: [ExtractedItem], end: ChangeCursor, isLast: Bool) {
        self.messages = messages
        self.context = context
        self.known = known
        self.end = end
        self.isLast = isLast
    }
}

extension ExtractionBatch {
    /// The newest known items that are open and valid, at most so many, which the model is shown with their messages.
    public func shownItems(limit: Int) -> ArraySlice<ExtractedItem> {
        known.filter {
            !$0.isDismissed && $0.status == .open && $0.supersededByID == nil && !unshownIDs.contains($0.id)
        }.suffix(max(0, limit))
    }
}

/// How much an extraction reads at once.
public struct ExtractionLimits: Hashable, Sendable {
    /// The most changed messages.
    public var messages: Int
    /// The most messages before them.
    public var context: Int
    /// The most known items that are shown with their messages.
    public var known: Int

    public init(messages: Int, context: Int, known: Int) {
        (self.messages, self.context, self.known) = (messages, context, known)
    }
}

/// A new extraction, and what it begins with.
public struct ExtractionBeginning: Hashable, Sendable {
    /// The right to write its items.
    public let lease: ExtractionLease
    /// The conversation with its members.
    public let roster: ConversationRoster
    /// The items of the kind that the asker may see, in no order, without dismissed ones.
    public let items: [ExtractedItem]
    /// The first messages.
    public let batch: ExtractionBatch
    /// The messages of ``ExtractionBatch/shownItems(limit:)`` that the asker may read.
    public let knownMessages: [MessageKey: Message]

    public init(
        lease: ExtractionLease, roster: ConversationRoster, items: [ExtractedItem], batch: ExtractionBatch,
        knownMessages: [MessageKey: Message]
    ) {
        (self.lease, self.roster, self.items) = (lease, roster, items)
        (self.batch, self.knownMessages) = (batch, knownMessages)
    }
}
