/// Means over a group of questions.
public struct MetricSummary: Hashable, Sendable {
    /// How many questions the means are over.
    public var questionCount: Int
    /// The mean of each metric by name.
    public var values: [String: Double]

    public init(questionCount: Int, values: [String: Double]) {
        self.questionCount = questionCount
        self.values = values
    }

    /// Averages the values of each question; a metric that a question does not have counts 0 there.
    public init(_ questions: [[String: Double]]) {
        questionCount = questions.count
        values = [:]
        for name in Set(questions.flatMap(\.keys)) {
            values[name] = questions.reduce(0) { $0 + ($1[name] ?? 0) } / Double(questions.count)
        }
    }
}
