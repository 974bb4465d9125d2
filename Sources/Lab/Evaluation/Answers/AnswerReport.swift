package import ChatCore

/// The answer of a system to one question.
package struct EvaluatedAnswer: Hashable, Sendable {
    /// The question's id.
    package var questionID: String
    /// The answer's text.
    package var text: String
    /// The messages that it cites.
    package var citations: [MessageKey]
    /// Whether the system says that it has no answer.
    package var abstains: Bool

    package init(questionID: String, text: String, citations: [MessageKey] = [], abstains: Bool = false) {
        self.questionID = questionID
        self.text = text
        self.citations = citations
        self.abstains = abstains
    }
}

/// How good the answers to a dataset's questions are, without a judge.
package struct AnswerReport: Hashable, Sendable, Codable {
    /// The names of the metrics.
    package enum Metric {
        /// LoCoMo's score against the reference answer.
        package static let f1 = "F1"
        /// Share of the cited messages that are evidence; an answer without a citation has 0.
        package static let citationPrecision = "citation-precision"
        /// Share of the evidence that is cited.
        package static let citationRecall = "citation-recall"
        /// Share of the answerable questions that were not answered.
        package static let wrongAbstention = "wrong-abstention"
        /// Share of the unanswerable questions that were correctly not answered.
        package static let rightAbstention = "right-abstention"
    }

    /// Means over the answerable questions.
    package var headline: MetricSummary
    /// The same means for each category.
    package var categories: [String: MetricSummary]
    /// Means over the adversarial questions and those without evidence: ``Metric/rightAbstention``; nil when there are none.
    package var unanswerable: MetricSummary?
    /// How many cited messages the asker may not read: 0 unless permissions leak.
    package var leakCount: Int
    /// The questions that the language model gave no answer to; they are in no figure.
    package var unansweredIDs: [String] = []
    /// A language model's verdicts on the answers; nil without a judge.
    package var judged: JudgedSummary?

    /// Measures answers; a missing answer counts as an abstention.
    ///
    /// - Parameters:
    ///   - answers: One answer for each question; of several the last counts.
    ///   - dataset: The questions.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` when the dataset has no questions.
    package init(_ answers: [EvaluatedAnswer], to dataset: EvaluationDataset) throws(EvaluationError) {
        guard !dataset.questions.isEmpty else { throw .nothingToMeasure("questions") }
        let given = Dictionary(answers.map { ($0.questionID, $0) }, uniquingKeysWith: { $1 })
        var answerable: [(category: String, values: [String: Double])] = []
        var others: [[String: Double]] = []
        leakCount = 0
        for question in dataset.questions {
            let answer = given[question.id] ?? EvaluatedAnswer(questionID: question.id, text: "", abstains: true)
            leakCount += Set(answer.citations).intersection(question.hiddenEvidence).count
            if question.isAnswerable {
                answerable.append((question.category, Self.values(of: answer, to: question)))
            } else {
                let abstains = answer.abstains || AnswerScore.saysNothingIsKnown(answer.text)
                others.append([Metric.rightAbstention: abstains ? 1 : 0])
            }
        }
        headline = MetricSummary(answerable.map(\.values))
        categories = Dictionary(grouping: answerable, by: \.category).mapValues { MetricSummary($0.map(\.values)) }
        unanswerable = others.isEmpty ? nil : MetricSummary(others)
    }

    /// Measures the answer to an answerable question; one that abstains has 0 throughout.
    private static func values(of answer: EvaluatedAnswer, to question: EvaluationQuestion) -> [String: Double] {
        let abstains = answer.abstains || AnswerScore.saysNothingIsKnown(answer.text)
        let cited = Set(answer.citations)
        let right = Double(cited.intersection(question.evidence).count)
        var values = [
            Metric.wrongAbstention: abstains ? 1.0 : 0,
            Metric.citationPrecision: abstains || cited.isEmpty ? 0 : right / Double(cited.count),
            Metric.citationRecall: abstains ? 0 : right / Double(question.evidence.count),
        ]
        if let reference = question.answer {
            values[Metric.f1] =
                abstains ? 0 : AnswerScore.value(answer: answer.text, reference: reference, category: question.category)
        }
        return values
    }

    /// The figures by name, as they are printed.
    package var values: [(name: String, value: Double)] {
        let groups: [[String: Double]] = [headline.values, unanswerable?.values ?? [:], judged?.values ?? [:]]
        return groups.flatMap { group in
            group.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        }
    }
}
