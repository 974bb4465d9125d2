package import ChatCore
import Crypto

/// The figures of a run; in JSON the metrics are at the top level by name.
package struct RunReport: Hashable, Sendable {
    /// The dataset that was measured on.
    package struct DatasetFacts: Hashable, Sendable, Codable {
        /// The folder's name.
        package var name: String
        /// The hash of its content.
        package var hash: String
        /// How many conversations it has.
        package var conversations: Int
        /// How many messages it has.
        package var messages: Int
        /// How many questions it has, whether asked or not.
        package var questions: Int
    }

    /// A message that the report names.
    package struct MessageText: Hashable, Sendable, Codable {
        /// The sender.
        package var sender: String
        /// When it was written, in ISO 8601.
        package var timestamp: String
        /// Its text.
        package var text: String
    }

    /// The run's name.
    package var name: String
    /// The means over the answerable questions, adversarial ones left out, by name.
    package var headline: MetricSummary
    /// The same means for each category.
    package var categories: [String: MetricSummary]
    /// The means over the adversarial questions; nil when there are none.
    package var adversarial: MetricSummary?
    /// How many questions have no answer in the dataset, adversarial ones not counted.
    package var unanswerableCount: Int
    /// How many hidden messages were found: 0 unless permissions leak.
    package var leakCount: Int
    /// The dataset.
    package var dataset: DatasetFacts
    /// The configuration.
    package var configuration: RunConfiguration
    /// The ks of the metrics.
    package var cutoffs: [Int]
    /// How many hits were asked for.
    package var depth: Int
    /// How long each stage took, by name; `total` is the time that the caller waited.
    package var latencies: [String: LatencySummary]
    /// Mean tokens for each question, by purpose.
    package var tokenCounts: [String: Double]
    /// Every question that was asked.
    package var questions: [QuestionResult]
    /// The messages named above, by name; nil when the run keeps no texts.
    package var texts: [String: MessageText]?

    /// The report without texts and rankings, which is enough for a baseline.
    package var withoutRankings: RunReport {
        var copy = self
        copy.texts = nil
        for index in copy.questions.indices { copy.questions[index].ranked = [] }
        return copy
    }
}

/// The result of one question.
package struct QuestionResult: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case category, question, answer, isAnswerable, evidence, found, leaked, ranked, metrics, latency, confidence
    }

    /// A place in the ranking.
    package struct Hit: Hashable, Sendable, Codable {
        /// The message's name.
        package var id: String
        /// Its score.
        package var score: Double
        /// The parts of the score.
        package var signals: [String: Double]?
    }

    /// The question's id.
    package var id: String
    /// The conversation it is asked in.
    package var conversationID: String
    /// Its category.
    package var category: String
    /// The text of the question; nil when the run keeps no texts.
    package var question: String?
    /// The reference answer.
    package var answer: String?
    /// Whether it counts for the headline.
    package var isAnswerable: Bool
    /// The names of its evidence.
    package var evidence: [String]
    /// The evidence that is anywhere in the ranking.
    package var found: [String]
    /// Messages in the ranking that the asker may not read.
    package var leaked: [String]
    /// The first places of the ranking.
    package var ranked: [Hit]
    /// Each metric by name; empty for a question without evidence.
    package var metrics: [String: Double]
    /// Milliseconds for each stage.
    package var latency: [String: Double]
    /// How sure the system was of an answer; nil when it found nothing.
    package var confidence: Double?
}

/// How long something took over all questions, in milliseconds.
package struct LatencySummary: Hashable, Sendable, Codable {
    /// The mean.
    package var mean: Double
    /// Half of the questions took no longer.
    package var median: Double
    /// 95 of 100 took no longer.
    package var p95: Double
    /// 99 of 100 took no longer.
    package var p99: Double
    /// The longest.
    package var maximum: Double

    /// Summarises times by nearest rank; nil when there are none.
    package init?(milliseconds: [Double]) {
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
package struct RunConfiguration: Hashable, Sendable {
    /// The effective configuration.
    package var value: JSONValue
    /// Its hash, in hexadecimal.
    package var hash: String
    /// Which messages were searched: `conversation` or `all`.
    package var scope: String

    /// Takes a configuration with the hash that the pipeline gives it.
    package init(value: JSONValue, hash: String, scope: String) {
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
    package init(value: JSONValue, scope: String) throws {
        self.init(value: value, hash: SHA256.hash(data: try JSONLines.encode([value])).hexadecimal, scope: scope)
    }
}
