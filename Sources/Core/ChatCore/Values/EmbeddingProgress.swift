/// The messages of a generation by state; the parts add up to all messages.
public struct EmbeddingCoverage: Hashable, Sendable, Codable {
    /// Messages that are not deleted and that the generation covers.
    public var messageCount: Int
    /// Messages with vectors.
    public var embeddedCount: Int
    /// Messages that wait or are being embedded.
    public var waitingCount: Int
    /// Messages that were given up.
    public var failedCount: Int
    /// Messages with something to embed in excluded conversations.
    public var excludedCount: Int
    /// Messages with nothing to embed.
    public var emptyCount: Int

    /// Whether the parts, which are counted separately, add up.
    public var isSound: Bool {
        messageCount == embeddedCount + waitingCount + failedCount + excludedCount + emptyCount
    }

    public init(
        messageCount: Int = 0, embeddedCount: Int = 0, waitingCount: Int = 0, failedCount: Int = 0,
        excludedCount: Int = 0, emptyCount: Int = 0
    ) {
        self.messageCount = messageCount
        self.embeddedCount = embeddedCount
        self.waitingCount = waitingCount
        self.failedCount = failedCount
        self.excludedCount = excludedCount
        self.emptyCount = emptyCount
    }
}

/// The embedding requests to a service.
public struct EmbeddingUsage: Hashable, Sendable, Codable {
    /// Requests that got a reply.
    public var requestCount: Int
    /// Texts in them.
    public var textCount: Int
    /// Their tokens as counted by the service, else by ``TokenEstimate``.
    public var tokenCount: Int

    public init(requestCount: Int = 0, textCount: Int = 0, tokenCount: Int = 0) {
        self.requestCount = requestCount
        self.textCount = textCount
        self.tokenCount = tokenCount
    }

    /// The cost at a price per million tokens.
    public func cost(at pricePerMillion: Double) -> Double { Double(tokenCount) / 1_000_000 * pricePerMillion }

    /// Adds up two usages; a sum that does not fit stays at the largest number.
    public static func + (left: EmbeddingUsage, right: EmbeddingUsage) -> EmbeddingUsage {
        EmbeddingUsage(
            requestCount: left.requestCount.addingClamped(right.requestCount),
            textCount: left.textCount.addingClamped(right.textCount),
            tokenCount: left.tokenCount.addingClamped(right.tokenCount))
    }

    /// Adds another usage.
    public static func += (left: inout EmbeddingUsage, right: EmbeddingUsage) { left = left + right }
}

/// The embedding usage of one generation, separately for messages and questions.
public struct GenerationUsage: Hashable, Sendable {
    /// The generation.
    public let generation: GenerationNumber
    /// The usage on the requested day.
    public var today: EmbeddingUsage
    /// The usage since the generation began.
    public var total: EmbeddingUsage
    /// The usage of questions on that day; not counted above.
    public var questionsToday: EmbeddingUsage
    /// The usage of questions since the generation began; not counted above.
    public var questionsTotal: EmbeddingUsage

    public init(
        generation: GenerationNumber, today: EmbeddingUsage, total: EmbeddingUsage,
        questionsToday: EmbeddingUsage = EmbeddingUsage(), questionsTotal: EmbeddingUsage = EmbeddingUsage()
    ) {
        self.generation = generation
        self.today = today
        self.total = total
        self.questionsToday = questionsToday
        self.questionsTotal = questionsTotal
    }
}

/// A message that was given up for one generation.
public struct FailedItem: Hashable, Sendable {
    /// The message.
    public let messageKey: MessageKey
    /// The generation.
    public let generation: GenerationNumber
    /// The number of tries.
    public let attempts: Int
    /// See ``ParkedItem/errorCode``.
    public let errorCode: String
    /// See ``ParkedItem/errorReason``.
    public let errorReason: String
    /// When it was given up.
    public let failedAt: Timestamp

    public init(
        messageKey: MessageKey, generation: GenerationNumber, attempts: Int, errorCode: String, errorReason: String,
        failedAt: Timestamp
    ) {
        self.messageKey = messageKey
        self.generation = generation
        self.attempts = attempts
        self.errorCode = errorCode
        self.errorReason = errorReason
        self.failedAt = failedAt
    }
}

extension Timestamp {
    /// The day in UTC: whole days since 1970.
    public var day: Int { Int(microseconds.quotient(flooringBy: 86_400_000_000)) }

    /// The beginning of the next day in UTC.
    public var nextDay: Timestamp {
        Timestamp(microseconds: Int64(day).addingClamped(1).multipliedClamped(by: 86_400_000_000))
    }
}
