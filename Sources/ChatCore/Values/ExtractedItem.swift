/// Something that follows from a message: a task, a decision, or a date that is due.
///
/// It stands on one message, and goes with it.
public struct ExtractedItem: Hashable, Sendable, Codable {
    /// What it is.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Something that somebody is to do.
        case actionItem = "action-item"
        /// Something that was decided.
        case decision
        /// Something that is due at a time.
        case deadline
    }

    /// How much it matters.
    public enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        /// It cannot wait.
        case high
        /// Nothing is said of it.
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

    /// What of it a person can change.
    public enum Field: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
        /// What is to be done, was decided, or is due.
        case text
        /// Who.
        case person
        /// By when.
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
    /// What it is.
    public let kind: Kind
    /// The message that it stands on.
    public let key: MessageKey
    /// When that message was written.
    public var sentAt: Timestamp
    /// What is to be done, was decided, or is due.
    public var text: String
    /// Who is to do it, decided it, or has to keep the date: a participant's name; nil when nobody is named.
    public var personName: String?
    /// That participant.
    public var personID: UserID?
    /// By when; nil for no date.
    public var due: Timestamp?
    /// How much it matters.
    public var priority: Priority
    /// The words of the message that say it.
    public var quote: String
    /// Whether it is done.
    public var status: Status
    /// The later item that took its place: another decision, or the same thing with another date.
    public var supersededByID: ItemID?
    /// What a person changed: never overwritten by what is extracted later.
    public var editedFields: Set<Field>
    /// Whether a person took it away: it is kept so that it is not found again, and shown to nobody.
    public var isDismissed: Bool
    /// When it was found.
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

/// The id of something extracted from a message, unique in a data folder.
public typealias ItemID = Identifier<ExtractedItem>
