package import ChatCore

/// How good summaries of conversations are, by labelled facts and by citations.
package struct SummaryReport: Hashable, Sendable, Codable {
    /// Labelled facts, of whole conversations or of one third of them.
    package struct Coverage: Hashable, Sendable, Codable {
        /// How many are labelled.
        package var factCount: Int
        /// How many of them the summaries tell.
        package var coveredCount: Int
        /// The share of them; nil without any.
        package var share: Double?

        init(_ facts: [FactLabel], covered: Set<String>) {
            factCount = facts.count
            coveredCount = facts.count { covered.contains($0.id) }
            share = facts.isEmpty ? nil : Double(coveredCount) / Double(factCount)
        }
    }

    /// A summary that was measured.
    package struct Entry: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case conversationID = "conversationId"
            case text, statementCount, citedCount, isIncomplete, missed
        }

        /// The conversation.
        package var conversationID: ConversationID
        /// The summary.
        package var text: String
        /// How many statements it makes.
        package var statementCount: Int
        /// How many of them cite a message of the conversation.
        package var citedCount: Int
        /// Whether it says that it does not cover the whole conversation.
        package var isIncomplete: Bool
        /// The ids of the facts that it does not tell.
        package var missed: [String]
    }

    /// The dataset.
    package var dataset: String
    /// The summaries, in the order of the conversations.
    package var summaries: [Entry]
    /// Over all facts.
    package var coverage: Coverage
    /// Over the facts of the first, the second and the last third of their conversations' messages.
    package var coverageByThird: [Coverage]
    /// How many statements the summaries make.
    package var statementCount: Int
    /// The share of them that cite a message of the conversation; nil without statements.
    package var citedShare: Double?
    /// A language model's verdicts on the statements with citations; nil without a judge.
    package var judged: JudgedStatements?

    /// Measures summaries.
    ///
    /// - Parameters:
    ///   - written: The summary of each conversation.
    ///   - facts: The facts that they should tell; those of other conversations are left out.
    ///   - dataset: The conversations.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without a fact.
    package init(
        _ written: [ConversationID: EvaluatedSummary], facts: [FactLabel], dataset: EvaluationDataset
    ) throws(EvaluationError) {
        let facts = facts.filter { written[$0.conversationID] != nil }
        guard !facts.isEmpty else { throw .nothingToMeasure("facts") }
        let texts = written.mapValues { SaidText($0.text) }
        let covered = Set(facts.filter { texts[$0.conversationID]?.says($0.says) == true }.map(\.id))
        let summaries = dataset.conversations.compactMap { conversation in
            written[conversation.id].map { summary in
                Entry(summary, of: conversation.id, in: dataset, facts: facts.filter { !covered.contains($0.id) })
            }
        }
        let thirds = Self.thirds(of: facts, in: dataset)
        self.dataset = dataset.name
        self.summaries = summaries
        coverage = Coverage(facts, covered: covered)
        coverageByThird = (0..<3).map { third in
            Coverage(facts.filter { thirds[$0.id] == third }, covered: covered)
        }
        let count = summaries.reduce(0) { $0 + $1.statementCount }
        statementCount = count
        citedShare = count == 0 ? nil : Double(summaries.reduce(0) { $0 + $1.citedCount }) / Double(count)
    }

    /// Returns for each fact the third of its conversation that holds its first message, from 0.
    private static func thirds(of facts: [FactLabel], in dataset: EvaluationDataset) -> [String: Int] {
        var thirds: [String: Int] = [:]
        for (id, facts) in Dictionary(grouping: facts, by: \.conversationID) {
            let ids = dataset.messages(of: id).map(\.id)
            for fact in facts {
                thirds[fact.id] = ids.firstIndex { $0 == fact.messageIDs.first }.map { 3 * $0 / ids.count }
            }
        }
        return thirds
    }

    /// The figures by name, as they are printed.
    package var values: [(name: String, value: Double)] {
        let names = ["coverage", "coverage first third", "coverage second third", "coverage last third"]
        var values = zip(names, [coverage] + coverageByThird).compactMap { name, coverage in
            coverage.share.map { (name, $0) }
        }
        if let citedShare { values.append(("cited statements", citedShare)) }
        if let judged, judged.judgedCount > 0 {
            let count = Double(judged.judgedCount)
            values.append(("supported statements", Double(judged.supportedCount) / count))
            values.append(("partly supported statements", Double(judged.partlyCount) / count))
            values.append(("unsupported statements", Double(judged.unsupported.count) / count))
        }
        return values
    }
}

extension SummaryReport.Entry {
    fileprivate init(
        _ summary: EvaluatedSummary, of id: ConversationID, in dataset: EvaluationDataset, facts missed: [FactLabel]
    ) {
        let statements = SummaryStatement.list(in: summary)
        conversationID = id
        text = summary.text
        statementCount = statements.count
        citedCount = statements.count { statement in
            statement.cited.contains { $0.conversationID == id && dataset.message(at: $0) != nil }
        }
        isIncomplete = summary.isIncomplete
        self.missed = missed.filter { $0.conversationID == id }.map(\.id)
    }
}
