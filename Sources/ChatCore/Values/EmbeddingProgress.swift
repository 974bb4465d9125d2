/// What became of the messages of a generation; the parts add up to all messages.
public struct EmbeddingCoverage: Hashable, Sendable, Codable {
    /// Messages that are not deleted, as far as the generation covers them.
    public var messageCount: Int
    /// Those with their vectors.
    public var embeddedCount: Int
    /// Those that wait, or are in work.
    public var waitingCount: Int
    /// Those that were given up.
    public var failedCount: Int
    /// Those with something to embed in conversations that are excluded.
    public var excludedCount: Int
    /// Those with nothing to embed.
    public var emptyCount: Int

    /// Whether the parts, each counted by itself, add up.
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

/// What embedding took of a service.
public struct EmbeddingUsage: Hashable, Sendable, Codable {
    /// Requests that were answered or refused.
    public var requestCount: Int
    /// Texts in them.
    public var textCount: Int
    /// Their tokens as the service counted them, else by ``TokenEstimate``.
    public var tokenCount: Int

    public init(requestCount: Int = 0, textCount: Int = 0, tokenCount: Int = 0) {
        self.requestCount = requestCount
        self.textCount = textCount
        self.tokenCount = tokenCount
    }

    /// What it costs at the price of a million tokens.
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

/// What embedding took for one generation, messages and questions apart.
public struct GenerationUsage: Hashable, Sendable {
    /// Which generation.
    public let generation: GenerationNumber
    /// On the day that was asked for.
    public var today: EmbeddingUsage
    /// Since the generation began.
    public var total: EmbeddingUsage
    /// What questions took on that day; not counted above.
    public var questionsToday: EmbeddingUsage
    /// What questions took since the generation began; not counted above.
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
    /// Which message.
    public let messageKey: MessageKey
    /// For which generation.
    public let generation: GenerationNumber
    /// How often it was tried.
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
