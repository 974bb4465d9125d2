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
    /// The messages that it was written from.
    package var shown: [MessageKey] = []
    /// Its sentences; nil if they were not checked.
    package var sentences: [AnsweredQuestion.Sentence]?
    /// What it cost; nil if that was not measured.
    package var cost: AnswerCost?

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
        /// Share of the checked sentences that the messages support, of those that need a source.
        package static let supported = "supported"
        /// Seconds until the list of sources.
        package static let sourceSeconds = "seconds-to-sources"
        /// Seconds until the first word.
        package static let firstWordSeconds = "seconds-to-first-word"
        /// Seconds until the end.
        package static let answerSeconds = "seconds-to-answer"
        /// Tokens that the model read.
        package static let promptTokens = "prompt-tokens"
        /// Tokens that it wrote.
        package static let answerTokens = "answer-tokens"

        /// The figures of quality, in the order in which they are compared.
        static let quality = [f1, citationPrecision, citationRecall, supported, wrongAbstention, rightAbstention]
        /// The figures of cost.
        static let cost = [sourceSeconds, firstWordSeconds, answerSeconds, promptTokens, answerTokens]
        /// Those that not every answer has.
        static let optional = Set(cost).union([supported])
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
    /// Means over all questions whose cost was measured; nil if there is none.
    package var cost: MetricSummary?
    /// The questions with their answers, in the order of the dataset.
    package var questions: [AnsweredQuestion]
    /// The messages that the questions name, by name.
    package var texts: [String: RunReport.MessageText]
    /// The dataset.
    package var dataset: RunReport.DatasetFacts

    /// Measures answers; a missing answer counts as an abstention.
    ///
    /// - Parameters:
    ///   - answers: One answer for each question; of several the last counts.
    ///   - dataset: The questions.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` when the dataset has no questions.
    package init(_ answers: [EvaluatedAnswer], to dataset: EvaluationDataset) throws {
        guard !dataset.questions.isEmpty else { throw EvaluationError.nothingToMeasure("questions") }
        let given = Dictionary(answers.map { ($0.questionID, $0) }, uniquingKeysWith: { $1 })
        let pairs = dataset.questions.map { question in
            (question, given[question.id] ?? EvaluatedAnswer(questionID: question.id, text: "", abstains: true))
        }
        leakCount = pairs.reduce(0) { $0 + Set($1.1.citations).intersection($1.0.hiddenEvidence).count }
        questions = pairs.map { AnsweredQuestion($0, $1, in: dataset) }
        let answerable = questions.filter(\.isAnswerable)
        headline = Self.means(answerable, of: Metric.quality) ?? MetricSummary([])
        categories = Dictionary(grouping: answerable, by: \.category).compactMapValues {
            Self.means($0, of: Metric.quality)
        }
        unanswerable = Self.means(questions.filter { !$0.isAnswerable }, of: Metric.quality)
        cost = Self.means(questions.filter { $0.metrics[Metric.answerSeconds] != nil }, of: Metric.cost)
        texts = dataset.texts(named: Set(questions.flatMap { $0.evidence + $0.citations }))
        self.dataset = try RunReport.DatasetFacts(dataset)
    }

    /// Averages figures; one of ``Metric/optional`` over the questions that have it, others over all.
    private static func means(_ questions: [AnsweredQuestion], of names: [String]) -> MetricSummary? {
        guard !questions.isEmpty else { return nil }
        var means = MetricSummary(questions.map { $0.metrics.filter { names.contains($0.key) } })
        for name in means.values.keys where Metric.optional.contains(name) {
            let values = questions.compactMap { $0.metrics[name] }
            means.values[name] = values.reduce(0, +) / Double(values.count)
        }
        return means
    }

    /// The figures by name, as they are printed.
    package var values: [(name: String, value: Double)] {
        let groups: [[String: Double]] = [
            headline.values, unanswerable?.values ?? [:], cost?.values ?? [:], judged?.values ?? [:],
        ]
        return groups.flatMap { group in
            group.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        }
    }
}

extension AnsweredQuestion {
    private typealias Metric = AnswerReport.Metric

    fileprivate init(_ question: EvaluationQuestion, _ given: EvaluatedAnswer, in dataset: EvaluationDataset) {
        (id, category, self.question) = (question.id, question.category, question.question)
        (reference, isAnswerable) = (question.answer, question.isAnswerable)
        evidence = question.evidence.map(dataset.documentName(of:))
        (answer, sentences) = (given.text, given.sentences)
        abstains = given.abstains || AnswerScore.saysNothingIsKnown(given.text)
        var named: Set<MessageKey> = []
        citations = given.citations.filter { named.insert($0).inserted }.map(dataset.documentName(of:))
        shown = given.shown.map(dataset.documentName(of:))
        metrics = given.cost?.metrics ?? [:]
        if isAnswerable {
            metrics.merge(quality) { $1 }
        } else {
            metrics[Metric.rightAbstention] = abstains ? 1 : 0
        }
    }

    /// Measures the answer to an answerable question; one that abstains has 0 throughout.
    private var quality: [String: Double] {
        let right = Double(Set(citations).intersection(evidence).count)
        var values = [
            Metric.wrongAbstention: abstains ? 1.0 : 0,
            Metric.citationPrecision: abstains || citations.isEmpty ? 0 : right / Double(citations.count),
            Metric.citationRecall: abstains ? 0 : right / Double(Set(evidence).count),
        ]
        if let reference {
            values[Metric.f1] =
                abstains ? 0 : AnswerScore.value(answer: answer, reference: reference, category: category)
        }
        let verdicts = (sentences ?? []).compactMap(\.support)
        if !verdicts.isEmpty, !abstains {
            values[Metric.supported] = Double(verdicts.count { $0 == "supported" }) / Double(verdicts.count)
        }
        return values
    }
}
