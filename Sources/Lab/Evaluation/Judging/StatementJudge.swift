import ChatCore
import Prompting

/// Asks a language model which statements of summaries follow from the messages that they cite.
package struct StatementJudge: Sendable {
    /// The most statements in one prompt.
    private static let batchCount = 20
    /// The most tokens of a verdict on one statement.
    private static let tokenCount = 24

    private let model: JudgeModel
    /// The verdicts so far.
    package private(set) var judged = JudgedStatements()

    package init(_ model: JudgeModel) {
        self.model = model
    }

    /// Judges the statements of a summary that cite something; a batch that is too long for the model is halved.
    ///
    /// - Parameters:
    ///   - summary: The summary.
    ///   - sources: The messages that it cites, with the numbers that it uses.
    /// - Throws: ``ModelServiceError``.
    package mutating func judge(_ summary: EvaluatedSummary, sources: [JudgedSource]) async throws {
        let statements = SummaryStatement.list(in: summary).filter { !$0.cited.isEmpty }
        var batches = stride(from: 0, to: statements.count, by: Self.batchCount).map {
            statements[$0..<min($0 + Self.batchCount, statements.count)]
        }
        while !batches.isEmpty {
            let batch = batches.removeFirst()
            do {
                judged.add(try await reply(to: batch, sources: sources), of: batch.map(\.text))
            } catch ModelServiceError.tooLong where batch.count > 1 {
                let half = batch.count / 2
                batches.insert(contentsOf: [batch.prefix(half), batch.dropFirst(half)], at: 0)
            }
        }
    }

    private func reply(to batch: ArraySlice<SummaryStatement>, sources: [JudgedSource]) async throws -> String {
        let cited = Set(batch.flatMap(\.cited))
        var generator = PromptKeyGenerator()
        let prompt = model.builder.judgeSummaryPrompt(
            statements: batch.map(\.text), sources: sources.filter { cited.contains($0.key) }.map(\.text),
            using: &generator)
        return try await model.reply(
            to: prompt, schema: JudgedStatements.replySchema, tokenCount: 32 + Self.tokenCount * batch.count)
    }
}
