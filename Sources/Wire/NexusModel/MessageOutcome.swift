/// What became of one posted message: the reply of `POST …/messages`.
public struct MessageOutcome: Hashable, Sendable, Codable {
    /// What the server did; a later server may send other words.
    public struct Status: RawRepresentable, Hashable, Sendable, Codable, CaseIterable {
        /// The word.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is stored.
        public static let inserted = Status(rawValue: "inserted")
        /// The same message was stored before.
        public static let unchanged = Status(rawValue: "unchanged")
        /// A stored message was changed.
        public static let updated = Status(rawValue: "updated")
        /// It was deleted before, and stays deleted.
        public static let deletedBefore = Status(rawValue: "deleted_before")
        /// Another message has its id.
        public static let conflict = Status(rawValue: "conflict")
        /// The writer does not see the conversation.
        public static let conversationForbidden = Status(rawValue: "conversation_forbidden")
        /// Its sender is not the caller.
        public static let senderForbidden = Status(rawValue: "sender_forbidden")
        /// It has a field that a person may not set.
        public static let fieldForbidden = Status(rawValue: "field_forbidden")
        /// A field breaks a rule.
        public static let invalid = Status(rawValue: "invalid")

        /// The words of this version.
        public static let allCases: [Status] = [
            .inserted, .unchanged, .updated, .deletedBefore, .conflict, .conversationForbidden, .senderForbidden,
            .fieldForbidden, .invalid,
        ]
    }

    /// What the server did; empty from a server that does not say.
    public var status: Status
    /// Its position among the live messages of the conversation.
    public var seq: Int64?
    /// The id under which it is stored; nil if it had none and was not stored.
    public var messageId: String?
    /// The id that the sending client chose; nil for messages that were not stored.
    public var localId: String?
    /// The field that breaks a rule.
    public var field: String?
    /// The rule, as the rest of a sentence.
    public var reason: String?

    public init(
        status: Status, seq: Int64? = nil, messageId: String? = nil, localId: String? = nil, field: String? = nil,
        reason: String? = nil
    ) {
        self.status = status
        self.seq = seq
        self.messageId = messageId
        self.localId = localId
        self.field = field
        self.reason = reason
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        status = try fields.decodeIfPresent(Status.self, forKey: .status) ?? Status(rawValue: "")
        seq = try fields.decodeIfPresent(Int64.self, forKey: .seq)
        messageId = try fields.decodeIfPresent(String.self, forKey: .messageId)
        localId = try fields.decodeIfPresent(String.self, forKey: .localId)
        field = try fields.decodeIfPresent(String.self, forKey: .field)
        reason = try fields.decodeIfPresent(String.self, forKey: .reason)
    }
}

/// The outcomes of a batch of messages, in its order.
public struct MessageOutcomeList: Hashable, Sendable, Codable {
    /// One for each message.
    public var outcomes: [MessageOutcome]

    public init(outcomes: [MessageOutcome]) { self.outcomes = outcomes }
}
