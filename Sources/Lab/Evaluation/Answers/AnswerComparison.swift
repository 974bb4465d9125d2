/// Two systems' answers to the same questions, side by side.
package struct AnswerComparison: Sendable {
    /// What changed from the first answer to the second.
    package enum Change: String, CaseIterable, Sendable {
        /// The second says that it has no answer.
        case abstains
        /// Only the second answers.
        case answers
        /// The first was written from evidence that the second was not shown.
        case evidenceLost = "evidence-lost"
        /// The second was written from evidence that the first was not shown.
        case evidenceFound = "evidence-found"
        /// Both were shown the evidence, and the second cites less of it.
        case citesLess = "cites-less"
        /// Both were shown the evidence, and the second cites more of it.
        case citesMore = "cites-more"
        /// The second cites more messages that are no evidence.
        case citesOthers = "cites-others"
        /// More sentences of the second lack support.
        case lessSupport = "less-support"
        /// Fewer sentences of the second lack support.
        case moreSupport = "more-support"
        /// The same citations in other words.
        case words

        /// The change in words, about the second answer.
        package var sentence: String {
            switch self {
            case .abstains: "says that there is no answer"
            case .answers: "answers, where the first had no answer"
            case .evidenceLost: "was not shown evidence that the first had"
            case .evidenceFound: "was shown evidence that the first did not have"
            case .citesLess: "was shown the same evidence, and cites less of it"
            case .citesMore: "was shown the same evidence, and cites more of it"
            case .citesOthers: "cites more messages that are no evidence"
            case .lessSupport: "has more sentences that its sources do not support"
            case .moreSupport: "has fewer sentences that its sources do not support"
            case .words: "cites the same in other words"
            }
        }
    }

    /// A question with both answers.
    package struct Pair: Sendable {
        /// The answers.
        package let first, second: AnsweredQuestion
        /// What changed; empty if both answers have the same text and citations.
        package let changes: [Change]

        /// How much better the second answer is: the sum of the differences of the figures of quality.
        package var gain: Double {
            typealias Metric = AnswerReport.Metric
            let names = [Metric.f1, Metric.citationPrecision, Metric.citationRecall, Metric.rightAbstention]
            return names.reduce(0) { $0 + (second.metrics[$1] ?? 0) - (first.metrics[$1] ?? 0) }
        }
    }

    /// A figure of both systems.
    package struct Row: Sendable {
        /// Its name.
        package let metric: String
        /// The means over the questions that have the figure in both reports.
        package let first, second: Double
        /// The differences, second minus first.
        package let difference: PairedStatistics
    }

    /// The reports' names.
    package let names: (first: String, second: String)
    /// The reports.
    package let first, second: AnswerReport
    /// The questions, those with the greatest loss first, then those with the greatest gain; ties in the dataset's order.
    package let pairs: [Pair]
    /// The figures that both reports have.
    package let rows: [Row]

    /// Compares two reports.
    ///
    /// - Parameters:
    ///   - first: The report to compare with.
    ///   - second: The other one.
    ///   - names: What to call them.
    ///   - seed: Decides the random samples of the intervals.
    /// - Throws: ``EvaluationError/differentDatasets(_:_:)``,
    ///   ``EvaluationError/differentQuestions(onlyFirst:onlySecond:)``.
    package init(
        _ first: AnswerReport, _ second: AnswerReport, names: (first: String, second: String), seed: UInt64 = 1
    ) throws(EvaluationError) {
        guard first.dataset.hash == second.dataset.hash else {
            throw .differentDatasets(first.dataset.hash, second.dataset.hash)
        }
        let later = Dictionary(second.questions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let pairs = first.questions.compactMap { question in later[question.id].map { Pair(question, $0) } }
        guard pairs.count == first.questions.count, pairs.count == later.count else {
            throw .differentQuestions(
                onlyFirst: first.questions.count - pairs.count, onlySecond: later.count - pairs.count)
        }
        (self.first, self.second, self.names) = (first, second, names)
        self.pairs = pairs.enumerated().sorted { left, right in
            let gains = (left.element.gain, right.element.gain)
            let isChanged = (!left.element.changes.isEmpty, !right.element.changes.isEmpty)
            if (gains.0 < 0) != (gains.1 < 0) { return gains.0 < 0 }
            if gains.0.magnitude != gains.1.magnitude { return gains.0.magnitude > gains.1.magnitude }
            return isChanged.0 != isChanged.1 ? isChanged.0 : left.offset < right.offset
        }.map(\.element)
        rows = (AnswerReport.Metric.quality + AnswerReport.Metric.cost).compactMap { Self.row($0, pairs, seed) }
    }

    private static func row(_ metric: String, _ pairs: [Pair], _ seed: UInt64) -> Row? {
        let values = pairs.compactMap { pair in
            pair.first.metrics[metric].flatMap { first in pair.second.metrics[metric].map { (first, $0) } }
        }
        guard !values.isEmpty else { return nil }
        var generator = SeededGenerator(seed: seed, stream: metric)
        return Row(
            metric: metric, first: values.reduce(0) { $0 + $1.0 } / Double(values.count),
            second: values.reduce(0) { $0 + $1.1 } / Double(values.count),
            difference: PairedStatistics(differences: values.map { $1 - $0 }, generator: &generator))
    }

    /// The figures as a table for a terminal.
    package var text: String {
        let width = rows.map(\.metric.count).max() ?? 0
        let head = "".padded(width) + "       n         A         B     B - A   95 % interval"
        return
            (["A  \(names.first)", "B  \(names.second)", "", head]
            + rows.map { row in
                row.metric.padded(width) + "  " + String(row.difference.count).leftPadded(6)
                    + [row.first.fixed, row.second.fixed, row.difference.mean.signed].map { $0.leftPadded(10) }.joined()
                    + "   [\(row.difference.lower.signed), \(row.difference.upper.signed)]"
            }
            + Change.allCases.compactMap { change in
                let count = pairs.count { $0.changes.contains(change) }
                return count == 0 ? nil : "\(count) of \(pairs.count): the second \(change.sentence)"
            }).joined(separator: "\n")
    }
}

extension AnswerComparison.Pair {
    fileprivate init(_ first: AnsweredQuestion, _ second: AnsweredQuestion) {
        (self.first, self.second) = (first, second)
        changes = Self.changes(first, second)
    }

    private static func changes(
        _ first: AnsweredQuestion, _ second: AnsweredQuestion
    ) -> [AnswerComparison.Change] {
        guard first.answer != second.answer || first.citations != second.citations || first.abstains != second.abstains
        else { return [] }
        if first.abstains != second.abstains { return [second.abstains ? .abstains : .answers] }
        var changes: [AnswerComparison.Change] = []
        let evidence = Set(first.evidence)
        let shown = (evidence.intersection(first.shown), evidence.intersection(second.shown))
        if !shown.0.isSubset(of: shown.1) { changes.append(.evidenceLost) }
        if !shown.1.isSubset(of: shown.0) { changes.append(.evidenceFound) }
        let right = (evidence.intersection(first.citations).count, evidence.intersection(second.citations).count)
        if shown.0 == shown.1, right.0 != right.1 { changes.append(right.1 < right.0 ? .citesLess : .citesMore) }
        if second.citations.count - right.1 > first.citations.count - right.0 { changes.append(.citesOthers) }
        let unsupported = (first.unsupportedCount, second.unsupportedCount)
        if unsupported.0 != unsupported.1 {
            changes.append(unsupported.1 > unsupported.0 ? .lessSupport : .moreSupport)
        }
        return changes.isEmpty ? [.words] : changes
    }
}

extension AnsweredQuestion {
    /// How many of its sentences its sources do not support.
    var unsupportedCount: Int {
        (sentences ?? []).count { $0.support == "unsupported" || $0.support == "contradicted" }
    }
}
