/// The embedding progress of one generation, for operators.
public struct EmbeddingReport: Hashable, Sendable, Codable {
    /// The generation's number.
    public var generation: Int64
    /// The use of the generation.
    public var state: EmbeddingGeneration.State
    /// The messages by state.
    public var coverage: EmbeddingCoverage
    /// How long the oldest waiting message has been waiting, in seconds; nil when none waits.
    public var oldestWaitingSeconds: Double?
    /// Messages per second over the last minute; 0 when there were none, or another process embeds.
    public var messagesPerSecond: Double
    /// The remaining seconds at this rate; nil when unknown.
    public var secondsLeft: Double?
    /// The codes of given-up messages with their counts.
    public var failures: [String: Int]
    /// The usage of messages since midnight UTC.
    public var today: EmbeddingUsage
    /// The usage of messages since the generation began.
    public var total: EmbeddingUsage
    /// The usage of questions since midnight UTC; questions to the built-in encoder are not counted.
    public var questionsToday: EmbeddingUsage
    /// The usage of questions since the generation began.
    public var questionsTotal: EmbeddingUsage
    /// The cost of messages and questions today, in the currency of the price; nil when no price is known.
    public var costToday: Double?
    /// The cost of messages and questions since the generation began.
    public var costTotal: Double?
    /// Whether the backlog waits for the next day (UTC) because the day's tokens are used up.
    public var isBacklogPaused: Bool

    /// - Parameters:
    ///   - generation: The generation.
    ///   - coverage: The messages by state.
    ///   - oldestWaiting: When the oldest waiting message was queued.
    ///   - messagesPerSecond: The rate over the last minute.
    ///   - failures: The codes of given-up messages with their counts.
    ///   - usage: The usage of messages and questions.
    ///   - pricePerMillion: The price of a million tokens; ignored for the built-in encoder.
    ///   - isBacklogPaused: Whether the day's tokens are used up.
    ///   - moment: The present time.
    public init(
        of generation: EmbeddingGeneration, coverage: EmbeddingCoverage, oldestWaiting: Timestamp?,
        messagesPerSecond: Double, failures: [String: Int], usage: GenerationUsage?, pricePerMillion: Double?,
        isBacklogPaused: Bool, at moment: Timestamp
    ) {
        self.generation = generation.number.rawValue
        state = generation.state
        self.coverage = coverage
        oldestWaitingSeconds = oldestWaiting.map { max(0, (moment - $0) / .seconds(1)) }
        self.messagesPerSecond = messagesPerSecond
        let isDone = coverage.waitingCount == 0
        secondsLeft = messagesPerSecond > 0 ? Double(coverage.waitingCount) / messagesPerSecond : (isDone ? 0 : nil)
        self.failures = failures
        let usage =
            usage ?? GenerationUsage(generation: generation.number, today: EmbeddingUsage(), total: EmbeddingUsage())
        (today, total) = (usage.today, usage.total)
        (questionsToday, questionsTotal) = (usage.questionsToday, usage.questionsTotal)
        let price = generation.baseURL == nil ? 0 : pricePerMillion
        costToday = price.map { (usage.today + usage.questionsToday).cost(at: $0) }
        costTotal = price.map { (usage.total + usage.questionsTotal).cost(at: $0) }
        self.isBacklogPaused = isBacklogPaused && generation.baseURL != nil
    }
}
