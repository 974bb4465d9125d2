/// The embedded unit as it is stored: a message, or a piece of a long one.
public struct Passage: Hashable, Sendable {
    /// The store's number.
    public let number: PassageNumber
    /// Which UTF-8 bytes of the message's searchable text it is.
    public let range: Range<Int>

    public init(number: PassageNumber, range: Range<Int>) {
        self.number = number
        self.range = range
    }
}

/// A passage that is to be stored with its vector.
public struct PassageDraft: Hashable, Sendable {
    /// Its place among the passages of the message, from 0.
    public var ordinal: Int
    /// Which UTF-8 bytes of the message's searchable text it covers.
    public var range: Range<Int>
    /// SHA-256 of the text that was embedded, 32 bytes.
    public var contentHash: [UInt8]
    /// Unit length, as many components as the generation has dimensions.
    public var vector: [Float]

    public init(ordinal: Int, range: Range<Int>, contentHash: [UInt8], vector: [Float]) {
        self.ordinal = ordinal
        self.range = range
        self.contentHash = contentHash
        self.vector = vector
    }
}

/// What the vector index and its filters know of a passage.
public struct IndexedPassage: Sendable, Hashable {
    /// Its number, the row's key.
    public let number: PassageNumber
    /// The number of its conversation, the row's group.
    public let conversation: ConversationNumber
    /// The number of the message it is of.
    public let message: MessageNumber
    /// The key of that message.
    public let messageKey: MessageKey
    /// Who wrote it.
    public let senderID: UserID
    /// When.
    public let timestamp: Timestamp
    /// Unit length.
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
    /// Its passages in the generation that was asked for, by ordinal.
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

/// How long a passage may be, in the tokens of the model that reads it.
public struct PassageLimit: Sendable {
    /// For services whose models read much more: what is about one thing is found better than what is about many.
    public static let defaultTokenCount = 512

    /// The most tokens of a passage with its sender's name.
    public let tokenCount: Int
    /// Counts the tokens of a text: at most as many as it has UTF-8 bytes.
    public let count: @Sendable (String) -> Int

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - tokenCount: The most tokens, 1 or more.
    ///   - count: Counts tokens; without the model's own tokenizer they are guessed, upwards.
    /// - Precondition: `tokenCount` is at least 1.
    public init(
        tokenCount: Int = defaultTokenCount, count: @escaping @Sendable (String) -> Int = { TokenEstimate.count($0) }
    ) {
        precondition(tokenCount >= 1, "a passage has a token")
        self.tokenCount = tokenCount
        self.count = count
    }

    /// Returns whether a text is within the limit.
    package func admits(_ text: String) -> Bool {
        text.utf8.count <= tokenCount || count(text) <= tokenCount
    }
}
