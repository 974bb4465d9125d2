public import ChatCore
import Crypto

/// The figures of a run; in JSON the metrics are at the top level by name.
public struct RunReport: Hashable, Sendable {
    /// The dataset that was measured on.
    public struct DatasetFacts: Hashable, Sendable, Codable {
        /// The folder's name.
        public var name: String
        /// The hash of its content.
        public var hash: String
        /// How many conversations it has.
        public var conversations: Int
        /// How many messages it has.
        public var messages: Int
        /// How many questions it has, whether asked or not.
        public var questions: Int
    }

    /// A message that the report names.
    public struct MessageText: Hashable, Sendable, Codable {
        /// The sender.
        public var sender: String
        /// When it was written, in ISO 8601.
        public var timestamp: String
        /// Its text.
        public var text: String
    }

    /// The run's name.
    public var name: String
    /// The means over the answerable questions, adversarial ones left out, by name.
    public var headline: MetricSummary
    /// The same means for each category.
    public var categories: [String: MetricSummary]
    /// The means over the adversarial questions; nil when there are none.
    public var adversarial: MetricSummary?
    /// How many questions have no answer in the dataset, adversarial ones not counted.
    public var unanswerableCount: Int
    /// How many hidden messages were found: 0 unless permissions leak.
    public var leakCount: Int
    /// The dataset.
    public var dataset: DatasetFacts
    /// The configuration.
    public var configuration: RunConfiguration
    /// The ks of the metrics.
    public var cutoffs: [Int]
    /// How many hits were asked for.
    public var depth: Int
    /// How long each stage took, by name; `total` is the time that the caller waited.
    public var latencies: [String: LatencySummary]
    /// Mean tokens for each question, by purpose.
    public var tokenCounts: [String: Double]
    /// Every question that was asked.
    public var questions: [QuestionResult]
    /// The messages named above, by name; nil when the run keeps no texts.
    public var texts: [String: MessageText]?

    /// The report without texts and rankings, which is enough for a baseline.
    public var withoutRankings: RunReport {
        var copy = self
        copy.texts = nil
        for index in copy.questions.indices { copy.questions[index].ranked = [] }
        return copy
    }
}

/// The result of one question.
public struct QuestionResult: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case category, question, answer, isAnswerable, evidence, found, leaked, ranked, metrics, latency, confidence
    }

    /// A place in the ranking.
    public struct Hit: Hashable, Sendable, Codable {
        /// The message's name.
        public var id: String
        /// Its score.
        public var score: Double
        /// The parts of the score.
        public var signals: [String: Double]?
    }

    /// The question's id.
    public var id: String
    /// The conversation it is asked in.
    public var conversationID: String
    /// Its category.
    public var category: String
    /// The text of the question; nil when the run keeps no texts.
    public var question: String?
    /// The reference answer.
    public var answer: String?
    /// Whether it counts for the headline.
    public var isAnswerable: Bool
    /// The names of its evidence.
    public var evidence: [String]
    /// The evidence that is anywhere in the ranking.
    public var found: [String]
    /// Messages in the ranking that the asker may not read.
    public var leaked: [String]
    /// The first places of the ranking.
    public var ranked: [Hit]
    /// Each metric by name; empty for a question without evidence.
    public var metrics: [String: Double]
    /// Milliseconds for each stage.
    public var latency: [String: Double]
    /// How sure the system was of an answer; nil when it found nothing.
    public var confidence: Double?
}

/// How long something took over all questions, in milliseconds.
public struct LatencySummary: Hashable, Sendable, Codable {
    /// The mean.
    public var mean: Double
    /// Half of the questions took no longer.
    public var median: Double
    /// 95 of 100 took no longer.
    public var p95: Double
    /// 99 of 100 took no longer.
    public var p99: Double
    /// The longest.
    public var maximum: Double

    /// Summarises times by nearest rank; nil when there are none.
    public init?(milliseconds: [Double]) {
        let sorted = milliseconds.sorted()
        guard let last = sorted.last else { return nil }
        func atRank(_ share: Double) -> Double {
            // bounded: a share of the list
            sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
        }
        mean = sorted.reduce(0, +) / Double(sorted.count)
        median = atRank(0.5)
        p95 = atRank(0.95)
        p99 = atRank(0.99)
        maximum = last
    }
}

/// The configuration of a run: everything besides the dataset that decides its rankings.
public struct RunConfiguration: Hashable, Sendable {
    /// The effective configuration.
    public var value: JSONValue
    /// Its hash, in hexadecimal.
    public var hash: String
    /// Which messages were searched: `conversation` or `all`.
    public var scope: String

    /// Takes a configuration with the hash that the pipeline gives it.
    public init(value: JSONValue, hash: String, scope: String) {
        self.value = value
        self.hash = hash
        self.scope = scope
    }

    /// Takes a configuration and hashes it: SHA-256 of its JSON with sorted keys.
    ///
    /// - Parameters:
    ///   - value: The effective configuration.
    ///   - scope: Which messages are searched.
    /// - Throws: An encoding error when a number is not finite.
    public init(value: JSONValue, scope: String) throws {
        self.init(value: value, hash: SHA256.hash(data: try JSONLines.encode([value])).hexadecimal, scope: scope)
    }
}
