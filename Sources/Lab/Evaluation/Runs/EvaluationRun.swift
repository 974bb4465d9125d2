import ChatCore

/// A run of a system over a dataset: the questions that are asked, and the results that are kept.
package struct EvaluationRun: Sendable {
    /// The run's name, in the report and as the TREC file's tag.
    package var name: String
    /// The ks of the metrics, 1 or more each.
    package var cutoffs: [Int]
    /// The most hits asked for; the whole-ranking metrics see no further.
    package var depth: Int
    /// Asks only the first questions; nil asks all.
    package var questionLimit: Int?
    /// How many places of each ranking the report shows.
    package var keptRanks: Int
    /// Whether the report keeps the texts of questions and messages.
    package var keepsTexts: Bool
    /// How many questions are asked at a time; more than 1 makes the times longer.
    package var concurrency: Int

    package init(
        name: String, cutoffs: [Int] = [5, 10, 20], depth: Int = 100, questionLimit: Int? = nil, keptRanks: Int = 20,
        keepsTexts: Bool = true, concurrency: Int = 1
    ) {
        self.name = name
        self.cutoffs = Set(cutoffs).filter { $0 > 0 }.sorted()
        self.depth = max(1, depth)
        self.questionLimit = questionLimit
        self.keptRanks = keptRanks
        self.keepsTexts = keepsTexts
        self.concurrency = max(1, concurrency)
    }

    /// The result of a run: the report, and files for other tools that hold the same questions.
    package struct Outcome: Sendable {
        /// The report.
        package var report: RunReport
        /// The rankings of the answerable questions that were asked.
        package var rankings: TRECRun
        /// The evidence of the same questions.
        package var qrels: TRECQrels
    }

    /// Asks the questions and measures the answers.
    ///
    /// - Parameters:
    ///   - dataset: The dataset; the system must hold its messages.
    ///   - system: The system.
    ///   - configuration: The configuration of the system.
    ///   - clock: Measures how long a question takes as a whole.
    ///   - progress: Called after each question with the number of questions done.
    /// - Returns: The report and the rankings.
    /// - Throws: Errors of the system; ``EvaluationError/invalidRanking(question:reason:)``,
    ///   ``EvaluationError/nothingToMeasure(_:)`` when no question is asked.
    package func measure(
        _ dataset: EvaluationDataset, with system: some EvaluatedSystem, configuration: RunConfiguration,
        clock: some Clock<Duration> = ContinuousClock(), progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Outcome {
        let questions = Array(dataset.questions.prefix(questionLimit ?? .max))
        guard !questions.isEmpty else { throw EvaluationError.nothingToMeasure("questions") }
        let lists = try await rank(questions, with: system, clock: clock, progress: progress)
        var results: [QuestionResult] = []
        var rankings: [String: [TRECRun.Entry]] = [:]
        for (question, list) in zip(questions, lists) {
            let hits = try ordered(list, of: question, in: dataset)
            results.append(result(of: question, list: list, hits: hits, in: dataset))
            guard question.isAnswerable else { continue }
            rankings[TRECName.escaped(question.id)] = hits.map { .init(document: $0.id, score: $0.score) }
        }
        let report = try report(results, dataset: dataset, lists: lists, configuration: configuration)
        return Outcome(
            report: report, rankings: TRECRun(comparable: rankings), qrels: TRECQrels(dataset, of: questions))
    }

    /// Asks a bounded number of questions at a time; returns the lists in the order of the questions.
    private func rank(
        _ questions: [EvaluationQuestion], with system: some EvaluatedSystem, clock: some Clock<Duration>,
        progress: @Sendable (Int) -> Void
    ) async throws -> [RankedList] {
        let depth = depth
        var lists: [Int: RankedList] = [:]
        try await withThrowingTaskGroup(of: (Int, RankedList).self) { group in
            for (index, question) in questions.enumerated() {
                if index >= concurrency, let (done, list) = try await group.next() {
                    lists[done] = list
                    progress(lists.count)
                }
                group.addTask {
                    let start = clock.now
                    var list = try await system.rank(question, limit: depth)
                    list.latencies["total"] = start.duration(to: clock.now)
                    return (index, list)
                }
            }
            for try await (done, list) in group {
                lists[done] = list
                progress(lists.count)
            }
        }
        return questions.indices.compactMap { lists[$0] }
    }

    /// Names the hits, checks that they are a ranking, and puts equal scores in trec_eval's order.
    private func ordered(
        _ list: RankedList, of question: EvaluationQuestion, in dataset: EvaluationDataset
    ) throws -> [QuestionResult.Hit] {
        var seen: Set<MessageKey> = []
        var last = Double.infinity
        func fault(_ reason: String) -> EvaluationError { .invalidRanking(question: question.id, reason: reason) }
        guard list.confidence?.isFinite ?? true else { throw fault("its confidence is not a number") }
        for hit in list.hits {
            guard hit.score.isFinite, hit.signals.values.allSatisfy(\.isFinite) else {
                throw fault("a score is not a number")
            }
            guard hit.score <= last else { throw fault("a score is higher than the one before") }
            guard seen.insert(hit.key).inserted else { throw fault("a message appears twice") }
            guard dataset.message(at: hit.key) != nil else { throw fault("a message is not in the dataset") }
            last = hit.score
        }
        return list.hits.prefix(depth).flatMap { hit in
            hit.shown(of: question.evidence).map { key in
                QuestionResult.Hit(
                    id: dataset.documentName(of: key), score: hit.score,
                    signals: hit.signals.isEmpty ? nil : hit.signals)
            }
        }.sorted { RankingOrder.precedes(($0.id, $0.score), ($1.id, $1.score)) }
    }

    /// Measures one question.
    private func result(
        of question: EvaluationQuestion, list: RankedList, hits: [QuestionResult.Hit], in dataset: EvaluationDataset
    ) -> QuestionResult {
        let evidence = question.evidence.map(dataset.documentName(of:))
        let hidden = Set(question.hiddenEvidence.map(dataset.documentName(of:)))
        let names = hits.map(\.id)
        let ranked = Set(names)
        // People can open the messages that a hit stands for.
        let listed = list.hits.prefix(depth).flatMap { [$0.key] + $0.duplicates }.map(dataset.documentName(of:))
        return QuestionResult(
            id: question.id, conversationID: question.conversationID.rawValue, category: question.category,
            question: keepsTexts ? question.question : nil, answer: keepsTexts ? question.answer : nil,
            isAnswerable: question.isAnswerable, evidence: evidence, found: evidence.filter(ranked.contains),
            leaked: listed.filter(hidden.contains), ranked: Array(hits.prefix(keptRanks)),
            metrics: evidence.isEmpty
                ? [:]
                : RankingMetrics.values(ranked: names, relevant: dataset.relevance(to: question), cutoffs: cutoffs),
            latency: list.latencies.mapValues(\.inMilliseconds),
            confidence: list.confidence ?? hits.first?.score)
    }
}

extension RankedHit {
    /// The messages that it counts as: the evidence that it is or stands for, else itself.
    fileprivate func shown(of evidence: [MessageKey]) -> [MessageKey] {
        let found = ([key] + duplicates).filter(evidence.contains)
        return found.isEmpty ? [key] : found
    }
}

extension Duration {
    /// The duration in milliseconds.
    var inMilliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
    }
}
