/// A limit on how much worse a metric may get: `recall@10=-0.01`, or `temporal:recall@10=-0.02` for one category.
public struct MetricGate: Hashable, Sendable {
    /// The category, `adversarial` too; nil for the headline.
    public var category: String?
    /// The metric's name.
    public var metric: String
    /// The least difference, second run minus first, that passes.
    public var leastDifference: Double

    public init(category: String? = nil, metric: String, leastDifference: Double) {
        self.category = category
        self.metric = metric
        self.leastDifference = leastDifference
    }

    /// Reads a gate as it is written on the command line.
    ///
    /// - Throws: ``EvaluationError/invalidGate(_:)``.
    public init(text: String) throws(EvaluationError) {
        guard let equals = text.lastIndex(of: "="), let least = Double(text[text.index(after: equals)...]),
            least.isFinite
        else { throw .invalidGate(text) }
        let name = text[..<equals]
        let colon = name.lastIndex(of: ":")
        let metric = colon.map { name[name.index(after: $0)...] } ?? name
        let category = colon.map { name[..<$0] }
        guard !metric.isEmpty, category?.isEmpty != true else { throw .invalidGate(text) }
        self.init(category: category.map(String.init), metric: String(metric), leastDifference: least)
    }
}

/// A gate that was missed.
public struct MissedGate: Hashable, Sendable, Codable {
    /// The group: a category, or `all` for the headline.
    public var group: String
    /// The metric's name.
    public var metric: String
    /// The least difference that would have passed.
    public var leastDifference: Double
    /// The difference that was found.
    public var difference: Double
}
