import ChatCore

extension EvaluationRun {
    /// Sums up the questions.
    func report(
        _ results: [QuestionResult], dataset: EvaluationDataset, lists: [RankedList], configuration: RunConfiguration
    ) throws -> RunReport {
        let answerable = results.filter(\.isAnswerable)
        let adversarial = results.filter { !$0.isAnswerable && !$0.evidence.isEmpty }
        return RunReport(
            name: name, headline: MetricSummary(answerable.map(\.metrics)),
            categories: Dictionary(grouping: answerable, by: \.category).mapValues { MetricSummary($0.map(\.metrics)) },
            adversarial: adversarial.isEmpty ? nil : MetricSummary(adversarial.map(\.metrics)),
            unanswerableCount: results.count - answerable.count - adversarial.count,
            leakCount: results.reduce(0) { $0 + $1.leaked.count },
            dataset: try RunReport.DatasetFacts(dataset), configuration: configuration, cutoffs: cutoffs, depth: depth,
            latencies: latencies(results), tokenCounts: tokenCounts(lists), questions: results,
            texts: keepsTexts ? texts(results, in: dataset) : nil)
    }

    private func latencies(_ results: [QuestionResult]) -> [String: LatencySummary] {
        let stages = Set(results.flatMap(\.latency.keys))
        return Dictionary(
            uniqueKeysWithValues: stages.compactMap { stage in
                LatencySummary(milliseconds: results.compactMap { $0.latency[stage] }).map { (stage, $0) }
            })
    }

    /// Averages tokens over all questions; one that spent none of a kind counts as 0.
    private func tokenCounts(_ lists: [RankedList]) -> [String: Double] {
        lists.reduce(into: [String: Double]()) { sums, list in
            for (kind, count) in list.tokenCounts { sums[kind, default: 0] += Double(count) }
        }.mapValues { $0 / Double(lists.count) }
    }

    /// The messages that the results name.
    private func texts(
        _ results: [QuestionResult], in dataset: EvaluationDataset
    ) -> [String: RunReport.MessageText] {
        dataset.texts(named: Set(results.flatMap { $0.evidence + $0.leaked + $0.ranked.map(\.id) }))
    }
}

extension RunReport.DatasetFacts {
    /// - Throws: An encoding error, which these values do not cause.
    init(_ dataset: EvaluationDataset) throws {
        self.init(
            name: dataset.name, hash: try dataset.contentHash(), conversations: dataset.conversations.count,
            messages: dataset.messages.count, questions: dataset.questions.count)
    }
}

extension EvaluationDataset {
    /// The messages with these names, by name.
    func texts(named names: Set<String>) -> [String: RunReport.MessageText] {
        var texts: [String: RunReport.MessageText] = [:]
        for message in messages {
            let name = documentName(of: message.key)
            guard names.contains(name) else { continue }
            texts[name] = RunReport.MessageText(
                sender: message.senderName, timestamp: message.timestamp.iso8601, text: message.text)
        }
        return texts
    }
}
