/// How the embedding of one generation stands, for operators.
public struct EmbeddingReport: Hashable, Sendable, Codable {
    /// The generation's number.
    public var generation: Int64
    /// What it is used for.
    public var state: EmbeddingGeneration.State
    /// What became of the messages.
    public var coverage: EmbeddingCoverage
    /// For how many seconds the oldest waiting message has been waiting; nil when none waits.
    public var oldestWaitingSeconds: Double?
    /// Messages a second over the last minute; 0 when there were none, or another process embeds.
    public var messagesPerSecond: Double
    /// In how many seconds the rest is embedded at this rate; nil when that cannot be told.
    public var secondsLeft: Double?
    /// The codes of given-up messages with their counts.
    public var failures: [String: Int]
    /// What was sent since midnight UTC.
    public var today: EmbeddingUsage
    /// What was sent since the generation began.
    public var total: EmbeddingUsage
    /// What the embedding of questions took since midnight UTC; the built-in encoder's are not counted.
    public var questionsToday: EmbeddingUsage
    /// What the embedding of questions took since the generation began.
    public var questionsTotal: EmbeddingUsage
    /// What all of that cost today, in the currency of the price; nil when no price is known.
    public var costToday: Double?
    /// What all of that cost since the generation began.
    public var costTotal: Double?
    /// Whether the backlog waits for the next day (UTC), the day's tokens being used up.
    public var isBacklogPaused: Bool

    /// Joins what is known of a generation.
    ///
    /// - Parameters:
    ///   - generation: Which.
    ///   - coverage: What became of the messages.
    ///   - oldestWaiting: Since when the oldest waiting message has been waiting.
    ///   - messagesPerSecond: The rate over the last minute.
    ///   - failures: The codes of given-up messages with their counts.
    ///   - usage: What it took.
    ///   - pricePerMillion: What a million tokens cost; nothing for the built-in encoder.
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
