package import ChatCore

/// A retrieval that can be measured; its adapter knows the scope and the configuration.
package protocol EvaluatedSystem: Sendable {
    /// Ranks the messages that may answer a question.
    ///
    /// - Parameters:
    ///   - question: The question; its evidence must not be looked at.
    ///   - limit: The most hits wanted.
    /// - Returns: The hits, with times and tokens.
    /// - Throws: An error that keeps the system from ranking; it ends the run.
    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList
}

/// A message that a system found.
package struct RankedHit: Hashable, Sendable {
    /// The message.
    package var key: MessageKey
    /// The score that ranked it: finite, higher is better.
    package var score: Double
    /// The parts of the score by name; may be empty.
    package var signals: [String: Double]
    /// Other messages that say the same, for which it stands.
    package var duplicates: [MessageKey]

    package init(
        key: MessageKey, score: Double, signals: [String: Double] = [:], duplicates: [MessageKey] = []
    ) {
        self.key = key
        self.score = score
        self.signals = signals
        self.duplicates = duplicates
    }
}

/// The hits of a system for one question.
package struct RankedList: Sendable {
    /// The hits, best first, each message once; scores never rise.
    ///
    /// If the order does not follow from the scores, as with a reranker, the system gives other scores, such as 1 ÷ rank.
    package var hits: [RankedHit]
    /// How long each stage took, by name.
    package var latencies: [String: Duration]
    /// How many tokens were spent, by purpose.
    package var tokenCounts: [String: Int]
    /// How sure the system is that there is an answer, for calibration; nil takes the best hit's score.
    package var confidence: Double?

    package init(
        hits: [RankedHit], latencies: [String: Duration] = [:], tokenCounts: [String: Int] = [:],
        confidence: Double? = nil
    ) {
        self.hits = hits
        self.latencies = latencies
        self.tokenCounts = tokenCounts
        self.confidence = confidence
    }
}
