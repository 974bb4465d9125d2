/// The stored unit of embedding: a message, or a piece of a long one.
public struct Passage: Hashable, Sendable {
    /// The store's number.
    public let number: PassageNumber
    /// The UTF-8 bytes of the message's searchable text that it covers.
    public let range: Range<Int>

    public init(number: PassageNumber, range: Range<Int>) {
        self.number = number
        self.range = range
    }
}

/// A passage to store with its vector.
public struct PassageDraft: Hashable, Sendable {
    /// Its place among the passages of the message, from 0.
    public var ordinal: Int
    /// The UTF-8 bytes of the message's searchable text that it covers.
    public var range: Range<Int>
    /// SHA-256 of the text that was embedded, 32 bytes.
    public var contentHash: [UInt8]
    /// The vector: unit length, with as many components as the generation has dimensions.
    public var vector: [Float]

    public init(ordinal: Int, range: Range<Int>, contentHash: [UInt8], vector: [Float]) {
        self.ordinal = ordinal
        self.range = range
        self.contentHash = contentHash
        self.vector = vector
    }
}

/// A passage in the form that the vector index and its filters need.
public struct IndexedPassage: Sendable, Hashable {
    /// Its number, the row's key.
    public let number: PassageNumber
    /// The number of its conversation, the row's group.
    public let conversation: ConversationNumber
    /// The number of its message.
    public let message: MessageNumber
    /// The key of its message.
    public let messageKey: MessageKey
    /// The sender.
    public let senderID: UserID
    /// When the message was written.
    public let timestamp: Timestamp
    /// The vector of unit length.
    public let vector: [Float]

    public init(
        number: PassageNumber, conversation: ConversationNumber, message: MessageNumber, messageKey: MessageKey,
        senderID: UserID, timestamp: Timestamp, vector: [Float]
    ) {
        self.number = number
        self.conversation = conversation
        self.message = message
        self.messageKey = messageKey
        self.senderID = senderID
        self.timestamp = timestamp
        self.vector = vector
    }
}

/// A message that a reader may see.
public struct VisibleMessage: Sendable, Hashable {
    /// Its number.
    public let number: MessageNumber
    /// The message.
    public let message: Message
    /// The number of its conversation.
    public let conversation: ConversationNumber
    /// Its passages in the requested generation, by ordinal.
    public let passages: [Passage]

    public init(
        number: MessageNumber, message: Message, conversation: ConversationNumber, passages: [Passage]
    ) {
        self.number = number
        self.message = message
        self.conversation = conversation
        self.passages = passages
    }
}

/// The longest passage, in the tokens of the model that reads it.
public struct PassageLimit: Sendable {
    /// For services whose models read much more: a passage about one subject is found better than one about many.
    public static let defaultTokenCount = 512

    /// A service that refuses even a passage of so few tokens as too long cannot be used for it.
    public static let leastTokenCount = 32

    /// The most tokens of a passage including its sender's name.
    public let tokenCount: Int
    /// Counts the tokens of a text; never more than its UTF-8 bytes.
    public let count: @Sendable (String) -> Int

    /// - Parameters:
    ///   - tokenCount: The most tokens, 1 or more.
    ///   - count: Counts tokens; without the model's own tokenizer it estimates them, upwards.
    /// - Precondition: `tokenCount` is at least 1.
    public init(
        tokenCount: Int = defaultTokenCount, count: @escaping @Sendable (String) -> Int = { TokenEstimate.count($0) }
    ) {
        precondition(tokenCount >= 1, "a passage has a token")
        self.tokenCount = tokenCount
        self.count = count
    }

    /// Returns whether a text is within the limit.
    public func admits(_ text: String) -> Bool {
        text.utf8.count <= tokenCount || count(text) <= tokenCount
    }
}
