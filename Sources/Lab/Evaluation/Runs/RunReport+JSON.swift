import ChatCore
package import Foundation

/// A key with any name.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}

extension MetricSummary: Codable {
    private static let countKey = "questionCount"

    /// Reads `questionCount`, and every other number as a metric.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        questionCount = try container.decode(Int.self, forKey: AnyKey(stringValue: Self.countKey))
        values = [:]
        for key in container.allKeys where key.stringValue != Self.countKey && !RunReport.isReserved(key.stringValue) {
            values[key.stringValue] = try container.decode(Double.self, forKey: key)
        }
    }

    /// Writes `questionCount` and each metric by name.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(questionCount, forKey: AnyKey(stringValue: Self.countKey))
        for (name, value) in values { try container.encode(value, forKey: AnyKey(stringValue: name)) }
    }
}

extension RunReport: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, categories, adversarial, unanswerableCount, leakCount, dataset, configuration, configurationHash
        case scope, cutoffs, depth, latency, tokens, questions, texts
    }

    private static let reserved = Set(CodingKeys.allCases.map(\.rawValue))

    /// Whether a key of the top level is not a metric's name.
    static func isReserved(_ key: String) -> Bool {
        reserved.contains(key)
    }

    /// Reads what ``encode(to:)`` writes.
    package init(from decoder: any Decoder) throws {
        headline = try MetricSummary(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        categories = try container.decode([String: MetricSummary].self, forKey: .categories)
        adversarial = try container.decodeIfPresent(MetricSummary.self, forKey: .adversarial)
        unanswerableCount = try container.decode(Int.self, forKey: .unanswerableCount)
        leakCount = try container.decode(Int.self, forKey: .leakCount)
        dataset = try container.decode(DatasetFacts.self, forKey: .dataset)
        configuration = RunConfiguration(
            value: try container.decode(JSONValue.self, forKey: .configuration),
            hash: try container.decode(String.self, forKey: .configurationHash),
            scope: try container.decode(String.self, forKey: .scope))
        cutoffs = try container.decode([Int].self, forKey: .cutoffs)
        depth = try container.decode(Int.self, forKey: .depth)
        latencies = try container.decode([String: LatencySummary].self, forKey: .latency)
        tokenCounts = try container.decode([String: Double].self, forKey: .tokens)
        questions = try container.decode([QuestionResult].self, forKey: .questions)
        texts = try container.decodeIfPresent([String: MessageText].self, forKey: .texts)
    }

    /// Writes the report, its metrics at the top level.
    package func encode(to encoder: any Encoder) throws {
        try headline.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(categories, forKey: .categories)
        try container.encodeIfPresent(adversarial, forKey: .adversarial)
        try container.encode(unanswerableCount, forKey: .unanswerableCount)
        try container.encode(leakCount, forKey: .leakCount)
        try container.encode(dataset, forKey: .dataset)
        try container.encode(configuration.value, forKey: .configuration)
        try container.encode(configuration.hash, forKey: .configurationHash)
        try container.encode(configuration.scope, forKey: .scope)
        try container.encode(cutoffs, forKey: .cutoffs)
        try container.encode(depth, forKey: .depth)
        try container.encode(latencies, forKey: .latency)
        try container.encode(tokenCounts, forKey: .tokens)
        try container.encode(questions, forKey: .questions)
        try container.encodeIfPresent(texts, forKey: .texts)
    }

    /// Reads a report's file.
    ///
    /// - Throws: ``EvaluationError/unreadable(file:)``, ``EvaluationError/invalidFile(file:reason:)``.
    package init(file: URL) throws {
        self = try EvaluationText.read(file)
    }

    /// Returns the report as JSON with sorted keys.
    ///
    /// - Throws: An encoding error when a score or signal is not finite.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
