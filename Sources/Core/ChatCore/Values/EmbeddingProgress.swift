/// The messages of a generation by state; the parts add up to all messages.
package struct EmbeddingCoverage: Hashable, Sendable, Codable {
    /// Messages that are not deleted and that the generation covers.
    package var messageCount: Int
    /// Messages with vectors.
    package var embeddedCount: Int
    /// Messages that wait or are being embedded.
    package var waitingCount: Int
    /// Messages that were given up.
    package var failedCount: Int
    /// Messages with something to embed in excluded conversations.
    package var excludedCount: Int
    /// Messages with nothing to embed.
    package var emptyCount: Int

    /// Whether the parts, which are counted separately, add up.
    package var isSound: Bool {
        messageCount == embeddedCount + waitingCount + failedCount + excludedCount + emptyCount
    }

    package init(
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
package struct EmbeddingUsage: Hashable, Sendable, Codable {
    /// Requests that got a reply.
    package var requestCount: Int
    /// Texts in them.
    package var textCount: Int
    /// Their tokens as counted by the service, else by ``TokenEstimate``.
    package var tokenCount: Int

    package init(requestCount: Int = 0, textCount: Int = 0, tokenCount: Int = 0) {
        self.requestCount = requestCount
        self.textCount = textCount
        self.tokenCount = tokenCount
    }

    /// The cost at a price per million tokens.
    package func cost(at pricePerMillion: Double) -> Double { Double(tokenCount) / 1_000_000 * pricePerMillion }

    /// Adds up two usages; a sum that does not fit stays at the largest number.
    package static func + (left: EmbeddingUsage, right: EmbeddingUsage) -> EmbeddingUsage {
        EmbeddingUsage(
            requestCount: left.requestCount.addingClamped(right.requestCount),
            textCount: left.textCount.addingClamped(right.textCount),
            tokenCount: left.tokenCount.addingClamped(right.tokenCount))
    }

    /// Adds another usage.
    package static func += (left: inout EmbeddingUsage, right: EmbeddingUsage) { left = left + right }
}

/// The embedding usage of one generation, separately for messages and questions.
package struct GenerationUsage: Hashable, Sendable {
    /// The generation.
    package let generation: GenerationNumber
    /// The usage on the requested day.
    package var today: EmbeddingUsage
    /// The usage since the generation began.
    package var total: EmbeddingUsage
    /// The usage of questions on that day; not counted above.
    package var questionsToday: EmbeddingUsage
    /// The usage of questions since the generation began; not counted above.
    package var questionsTotal: EmbeddingUsage

    package init(
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
package struct FailedItem: Hashable, Sendable {
    /// The message.
    package let messageKey: MessageKey
    /// The generation.
    package let generation: GenerationNumber
    /// The number of tries.
    package let attempts: Int
    /// See ``ParkedItem/errorCode``.
    package let errorCode: String
    /// See ``ParkedItem/errorReason``.
    package let errorReason: String
    /// When it was given up.
    package let failedAt: Timestamp

    package init(
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
    package var day: Int { Int(microseconds.quotient(flooringBy: 86_400_000_000)) }

    /// The beginning of the next day in UTC.
    package var nextDay: Timestamp {
        Timestamp(microseconds: Int64(day).addingClamped(1).multipliedClamped(by: 86_400_000_000))
    }
}
