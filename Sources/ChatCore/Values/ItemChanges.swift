/// What an extraction changes of the items that are known.
public struct ItemChanges: Hashable, Sendable {
    /// Items that are new.
    public var added: [ExtractedItem] = []
    /// Known items that say something else now.
    public var changed: [ExtractedItem] = []
    /// Items whose message says them no more.
    public var removedIDs: [ItemID] = []

    /// Makes no change.
    public init() {}
}

/// What a person changes of an item; nil leaves as it is.
public struct ItemEdit: Hashable, Sendable {
    /// What is to be done, was decided, or is due.
    public var text: String?
    /// Who: a present or past member of the conversation; `.some(nil)` for nobody.
    public var personID: UserID??
    /// By when; `.some(nil)` for no date.
    public var due: Timestamp??
    /// Whether it is done.
    public var status: ExtractedItem.Status?

    public init(
        text: String? = nil, personID: UserID?? = nil, due: Timestamp?? = nil, status: ExtractedItem.Status? = nil
    ) {
        self.text = text
        self.personID = personID
        self.due = due
        self.status = status
    }

    /// What it changes.
    public var fields: Set<ExtractedItem.Field> {
        var fields: Set<ExtractedItem.Field> = []
        if text != nil { fields.insert(.text) }
        if personID != nil { fields.insert(.person) }
        if due != nil { fields.insert(.due) }
        if status != nil { fields.insert(.status) }
        return fields
    }
}

/// An extraction under way: no other of its kind is in the conversation as long as it lasts.
public struct ExtractionLease: Hashable, Sendable {
    /// Its id; a later extraction has another one.
    public let id: String
    /// What is extracted.
    public let kind: ExtractedItem.Kind
    /// Where.
    public let conversationID: ConversationID

    public init(id: String, kind: ExtractedItem.Kind, conversationID: ConversationID) {
        self.id = id
        self.kind = kind
        self.conversationID = conversationID
    }
}

/// What an extraction reads next.
public struct ExtractionBatch: Hashable, Sendable {
    /// Messages that came or changed since the last extraction, by time.
    public var messages: [Message]
    /// Messages that stand before the first of them, by time: for understanding alone.
    public var context: [Message]
    /// All items of the kind in the conversation, those that a person took away too.
    public var known: [ExtractedItem]
    /// The position up to which this is everything.
    public var end: ChangeCursor
    /// Whether nothing is left behind it.
    public var isLast: Bool

    public init(messages: [Message], context: [Message], known: [ExtractedItem], end: ChangeCursor, isLast: Bool) {
        self.messages = messages
        self.context = context
        self.known = known
        self.end = end
        self.isLast = isLast
    }
}
