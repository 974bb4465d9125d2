/// A task, a decision or a date that follows from a message.
///
/// It is based on one message, and is deleted with it.
public struct ExtractedItem: Hashable, Sendable, Codable {
    /// The kind of item.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Something that somebody has to do.
        case actionItem = "action-item"
        /// Something that was decided.
        case decision
        /// Something that is due at a time.
        case deadline
    }

    /// How important an item is.
    public enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        /// It cannot wait.
        case high
        /// The message does not say.
        case medium
        /// It can wait.
        case low
    }

    /// Whether it is done.
    public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        /// It is to be done.
        case open
        /// It was done.
        case done
    }

    /// A field that a person can change.
    public enum Field: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
        /// The description.
        case text
        /// The person.
        case person
        /// The due date.
        case due
        /// Whether it is done.
        case status

        /// Orders fields by their names.
        public static func < (left: Field, right: Field) -> Bool { left.rawValue < right.rawValue }
    }

    /// The most bytes of a text, of a quote, and of a name.
    public static let textByteLimit = 2_048

    /// Its id.
    public let id: ItemID
    /// The kind of item.
    public let kind: Kind
    /// The message that it is based on.
    public let key: MessageKey
    /// When that message was written.
    public var sentAt: Timestamp
    /// The description of the task, decision or date.
    public var text: String
    /// The name of the participant who has to do it, decided it, or has to keep the date; nil when nobody is named.
    public var personName: String?
    /// The id of that participant.
    public var personID: UserID?
    /// The due date; nil for none.
    public var due: Timestamp?
    /// How important it is.
    public var priority: Priority
    /// The words of the message that support it.
    public var quote: String
    /// Whether it is done.
    public var status: Status
    /// The later item that replaced it: another decision, or the same item with another date.
    public var supersededByID: ItemID?
    /// The fields that a person changed; a later extraction does not overwrite them.
    public var editedFields: Set<Field>
    /// Whether a person dismissed it: it is stored so that it is not found again, and shown to nobody.
    public var isDismissed: Bool
    /// When it was extracted.
    public let extractedAt: Timestamp

    public init(
        id: ItemID, kind: Kind, key: MessageKey, sentAt: Timestamp, text: String, personName: String? = nil,
        personID: UserID? = nil, due: Timestamp? = nil, priority: Priority = .medium, quote: String,
        status: Status = .open, supersededByID: ItemID? = nil, editedFields: Set<Field> = [],
        isDismissed: Bool = false, extractedAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.key = key
        self.sentAt = sentAt
        self.text = text
        self.personName = personName
        self.personID = personID
        self.due = due
        self.priority = priority
        self.quote = quote
        self.status = status
        self.supersededByID = supersededByID
        self.editedFields = editedFields
        self.isDismissed = isDismissed
        self.extractedAt = extractedAt
    }
}

/// The id of an extracted item, unique in a data folder.
public typealias ItemID = Identifier<ExtractedItem>

extension ExtractedItem {
    /// Whether somebody who may read these times, or all for nil, may see it: it shows its message.
    public func isReadable(at spans: ReadingSpans?) -> Bool { spans?.contains(sentAt) ?? true }
}
