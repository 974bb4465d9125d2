/// A question with its answer and its figures, as a report keeps it.
package struct AnsweredQuestion: Hashable, Sendable, Codable {
    /// A sentence of the answer that was checked.
    package struct Sentence: Hashable, Sendable, Codable {
        /// Its characters in the answer.
        package var start, end: Int
        /// What the messages say about it, as the API names it; nil if it needs no source or could not be compared.
        package var support: String?

        package init(_ range: Range<Int>, support: String?) {
            (start, end) = (range.lowerBound, range.upperBound)
            self.support = support
        }
    }

    /// The question's id.
    package var id: String
    /// Its category.
    package var category: String
    /// Its text.
    package var question: String
    /// The answer of the dataset.
    package var reference: String?
    /// Whether the dataset has an answer; adversarial questions have none.
    package var isAnswerable: Bool
    /// The names of the messages with the answer.
    package var evidence: [String]
    /// The text of the system's answer.
    package var answer: String
    /// Whether it says that it has no answer.
    package var abstains: Bool
    /// The names of the messages that it cites, each once.
    package var citations: [String]
    /// The names of the messages that it was written from.
    package var shown: [String]
    /// The sentences; nil if they were not checked.
    package var sentences: [Sentence]?
    /// Each figure by name; those of an unanswerable question are ``AnswerReport/Metric/rightAbstention`` and the cost.
    package var metrics: [String: Double]
}

/// What an answer cost: seconds, and the tokens that the model's service counted.
package struct AnswerCost: Hashable, Sendable {
    /// From the question to the list of sources.
    package var sources: Duration?
    /// From the question to the first word.
    package var firstWord: Duration?
    /// From the question to the end of the answer.
    package var end: Duration
    /// Tokens that the model read and wrote; nil without a model.
    package var promptTokens, answerTokens: Int?

    package init(
        sources: Duration? = nil, firstWord: Duration? = nil, end: Duration, promptTokens: Int? = nil,
        answerTokens: Int? = nil
    ) {
        (self.sources, self.firstWord, self.end) = (sources, firstWord, end)
        (self.promptTokens, self.answerTokens) = (promptTokens, answerTokens)
    }

    /// The figures by name.
    var metrics: [String: Double] {
        let seconds = [
            (AnswerReport.Metric.sourceSeconds, sources), (AnswerReport.Metric.firstWordSeconds, firstWord),
            (AnswerReport.Metric.answerSeconds, end),
        ].map { ($0, $1.map { $0 / .seconds(1) }) }
        let tokens = [
            (AnswerReport.Metric.promptTokens, promptTokens), (AnswerReport.Metric.answerTokens, answerTokens),
        ].map { ($0, $1.map(Double.init)) }
        return (seconds + tokens).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
}
