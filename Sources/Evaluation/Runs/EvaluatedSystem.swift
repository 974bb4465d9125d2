public import ChatCore

/// A retrieval that can be measured; its adapter knows the scope and the configuration.
public protocol EvaluatedSystem: Sendable {
    /// Ranks the messages that may answer a question.
    ///
    /// - Parameters:
    ///   - question: The question; its evidence must not be looked at.
    ///   - limit: The most hits wanted.
    /// - Returns: The hits with what they cost.
    /// - Throws: Whatever keeps the system from ranking; the run ends with it.
    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList
}

/// A message that a system found.
public struct RankedHit: Hashable, Sendable {
    /// Where the message is.
    public var key: MessageKey
    /// What it was ranked by: higher is better; finite.
    public var score: Double
    /// What the score was made of, by name; may be empty.
    public var signals: [String: Double]

    public init(key: MessageKey, score: Double, signals: [String: Double] = [:]) {
        self.key = key
        self.score = score
        self.signals = signals
    }
}

/// What a system found for one question.
public struct RankedList: Sendable {
    /// The hits, best first, each message once; scores never rise.
    ///
    /// A system whose order does not follow from its scores (a reranker's, say) gives scores that do, such as 1 ÷ rank.
    public var hits: [RankedHit]
    /// How long each stage took, by name.
    public var latencies: [String: Duration]
    /// How many tokens were spent, by what on.
    public var tokenCounts: [String: Int]
    /// How sure the system is that there is an answer: what calibration cuts; nil takes the best hit's score.
    public var confidence: Double?

    public init(
        hits: [RankedHit], latencies: [String: Duration] = [:], tokenCounts: [String: Int] = [:],
        confidence: Double? = nil
    ) {
        self.hits = hits
        self.latencies = latencies
        self.tokenCounts = tokenCounts
        self.confidence = confidence
    }
}
