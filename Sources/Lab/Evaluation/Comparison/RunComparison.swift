/// A comparison of two runs over the same questions.
package struct RunComparison: Hashable, Sendable, Codable {
    /// The name of the group of the headline's questions.
    package static let headlineGroup = "all"

    /// One metric over one group of questions.
    package struct Row: Hashable, Sendable, Codable {
        /// The group: a category, or ``RunComparison/headlineGroup``.
        package var group: String
        /// The metric's name.
        package var metric: String
        /// The first run's mean.
        package var first: Double
        /// The second run's mean.
        package var second: Double
        /// The difference, second minus first, with its interval.
        package var difference: PairedStatistics
    }

    /// A question whose result changed.
    package struct Change: Hashable, Sendable, Codable {
        /// The question's id.
        package var id: String
        /// Its category.
        package var category: String
        /// The text of the question; nil when the runs kept no texts.
        package var question: String?
        /// The metric before.
        package var first: Double
        /// The metric after.
        package var second: Double
    }

    /// The first run's name.
    package var firstName: String
    /// The second run's name.
    package var secondName: String
    /// The hash of the dataset of both.
    package var datasetHash: String
    /// Each metric of the headline, then of each category by name, `adversarial` last.
    package var rows: [Row]
    /// The metric of ``losses`` and ``gains``.
    package var changeMetric: String
    /// The questions that lost most, the greatest loss first; ties by id.
    package var losses: [Change]
    /// The questions that gained most, the greatest gain first; ties by id.
    package var gains: [Change]
    /// The gates that were missed; the second run is acceptable if there are none.
    package var missedGates: [MissedGate]

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - first: The run to compare with.
    ///   - second: The run that is judged.
    ///   - gates: The limits that the second run must keep.
    ///   - seed: Decides the random samples.
    ///   - resamples: How many of them are drawn.
    ///   - changeLimit: How many losses and how many gains are listed.
    /// - Throws: ``EvaluationError/differentDatasets(_:_:)``, ``EvaluationError/differentQuestions(onlyFirst:onlySecond:)``,
    ///   ``EvaluationError/unknownMetric(_:)`` for a gate.
    package init(
        _ first: RunReport, _ second: RunReport, gates: [MetricGate] = [], seed: UInt64 = 1,
        resamples: Int = PairedStatistics.defaultResamples, changeLimit: Int = 10
    ) throws {
        guard first.dataset.hash == second.dataset.hash else {
            throw EvaluationError.differentDatasets(first.dataset.hash, second.dataset.hash)
        }
        let pairs = try Self.pairs(first, second)
        firstName = first.name
        secondName = second.name
        datasetHash = first.dataset.hash
        let names = MetricName.all(cutoffs: first.cutoffs.filter(second.cutoffs.contains))
        let groups = Self.groups(of: pairs)
        rows = groups.flatMap { group, members in
            names.map { Self.row(group, $0, members, seed: seed, resamples: resamples) }
        }
        let recalls = names.filter { $0.hasPrefix("recall@") }
        changeMetric =
            recalls.contains(MetricName.recall(10))
            ? MetricName.recall(10) : recalls.last ?? MetricName.averagePrecision
        let changes = Self.changes(in: pairs, of: changeMetric)
        losses = Array(changes.filter { $0.second < $0.first }.prefix(changeLimit))
        gains = Array(changes.filter { $0.second > $0.first }.prefix(changeLimit))
        missedGates = []
        missedGates = try gates.compactMap(missed)
    }

    private typealias Pair = (first: QuestionResult, second: QuestionResult)

    /// Joins the two runs' questions by id.
    private static func pairs(_ first: RunReport, _ second: RunReport) throws -> [Pair] {
        let later = Dictionary(second.questions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let pairs = first.questions.compactMap { question in later[question.id].map { (question, $0) } }
        guard pairs.count == first.questions.count, pairs.count == later.count else {
            throw EvaluationError.differentQuestions(
                onlyFirst: first.questions.count - pairs.count, onlySecond: later.count - pairs.count)
        }
        return pairs
    }

    /// The headline's questions, then those of each category, then the adversarial ones.
    private static func groups(of pairs: [Pair]) -> [(String, [Pair])] {
        let answerable = pairs.filter(\.first.isAnswerable)
        let categories = Dictionary(grouping: answerable, by: \.first.category).sorted { $0.key < $1.key }
        let adversarial = pairs.filter { !$0.first.isAnswerable && !$0.first.evidence.isEmpty }
        let groups =
            [(headlineGroup, answerable)] + categories.map { ($0.key, $0.value) }
            + [(EvaluationQuestion.adversarialCategory, adversarial)]
        return groups.filter { !$0.1.isEmpty }
    }

    private static func row(
        _ group: String, _ metric: String, _ pairs: [Pair], seed: UInt64, resamples: Int
    ) -> Row {
        let first = pairs.map { $0.first.metrics[metric] ?? 0 }
        let second = pairs.map { $0.second.metrics[metric] ?? 0 }
        var generator = SeededGenerator(seed: seed, stream: "\(group):\(metric)")
        return Row(
            group: group, metric: metric, first: first.reduce(0, +) / Double(pairs.count),
            second: second.reduce(0, +) / Double(pairs.count),
            difference: PairedStatistics(
                differences: zip(first, second).map { $1 - $0 }, resamples: resamples, generator: &generator))
    }

    /// The questions that changed, the greatest change first; ties by id.
    private static func changes(in pairs: [Pair], of metric: String) -> [Change] {
        let changes = pairs.map { pair in
            Change(
                id: pair.first.id, category: pair.first.category, question: pair.first.question,
                first: pair.first.metrics[metric] ?? 0, second: pair.second.metrics[metric] ?? 0)
        }
        return changes.sorted {
            let sizes = (($0.second - $0.first).magnitude, ($1.second - $1.first).magnitude)
            return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : $0.id < $1.id
        }
    }

    /// Returns the row of a metric and a group; nil when there is none.
    package func row(_ metric: String, group: String = headlineGroup) -> Row? {
        rows.first { $0.metric == metric && $0.group == group }
    }

    /// Returns a gate as missed; nil when it holds, with a tolerance for rounding.
    private func missed(_ gate: MetricGate) throws -> MissedGate? {
        let group = gate.category ?? Self.headlineGroup
        guard let row = row(gate.metric, group: group) else {
            throw EvaluationError.unknownMetric(gate.category.map { "\($0):\(gate.metric)" } ?? gate.metric)
        }
        let difference = row.second - row.first
        guard difference < gate.leastDifference - 1e-12 else { return nil }
        return MissedGate(
            group: group, metric: gate.metric, leastDifference: gate.leastDifference, difference: difference)
    }
}

/// A limit on how much worse a metric may get: `recall@10=-0.01`, or `temporal:recall@10=-0.02` for one category.
package struct MetricGate: Hashable, Sendable {
    /// The category, `adversarial` too; nil for the headline.
    package var category: String?
    /// The metric's name.
    package var metric: String
    /// The least difference, second run minus first, that passes.
    package var leastDifference: Double

    package init(category: String? = nil, metric: String, leastDifference: Double) {
        self.category = category
        self.metric = metric
        self.leastDifference = leastDifference
    }

    /// Reads a gate as it is written on the command line.
    ///
    /// - Throws: ``EvaluationError/invalidGate(_:)``.
    package init(text: String) throws(EvaluationError) {
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
package struct MissedGate: Hashable, Sendable, Codable {
    /// The group: a category, or `all` for the headline.
    package var group: String
    /// The metric's name.
    package var metric: String
    /// The least difference that would have passed.
    package var leastDifference: Double
    /// The difference that was found.
    package var difference: Double
}
