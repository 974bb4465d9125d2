/// What became of one posted message: the reply of `POST …/messages`.
public struct MessageOutcome: Hashable, Sendable, Codable {
    /// What the server did; a later server may send other words.
    public enum Status: OpenWord {
        /// It is stored.
        case inserted
        /// The same message was stored before.
        case unchanged
        /// A stored message was changed.
        case updated
        /// It was deleted before, and stays deleted.
        case deletedBefore
        /// Another message has its id.
        case conflict
        /// The writer does not see the conversation.
        case conversationForbidden
        /// Its sender is not the caller.
        case senderForbidden
        /// It has a field that a person may not set.
        case fieldForbidden
        /// A field breaks a rule.
        case invalid
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Status] = [
            .inserted, .unchanged, .updated, .deletedBefore, .conflict, .conversationForbidden, .senderForbidden,
            .fieldForbidden, .invalid,
        ]

        /// The word.
        public var rawValue: String {
            switch self {
            case .inserted: "inserted"
            case .unchanged: "unchanged"
            case .updated: "updated"
            case .deletedBefore: "deleted_before"
            case .conflict: "conflict"
            case .conversationForbidden: "conversation_forbidden"
            case .senderForbidden: "sender_forbidden"
            case .fieldForbidden: "field_forbidden"
            case .invalid: "invalid"
            case .unknown(let word): word
            }
        }
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
