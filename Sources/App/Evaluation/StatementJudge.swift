import Assistant
import ChatCore
import Evaluation
import Prompting

/// Asks the configured language model which statements of summaries follow from the messages that they cite.
struct StatementJudge {
    /// The most statements that the model is shown at a time.
    private static let batchCount = 20
    /// The most tokens of a verdict on one statement.
    private static let tokenCount = 24

    private let model: JudgeModel
    /// What was judged so far.
    private(set) var judged = JudgedStatements()

    /// Makes a judge of a workspace's language model.
    ///
    /// - Throws: ``OperatorFailure`` when none is configured, ``PromptError``, ``ModelServiceError``.
    init(_ workspace: Workspace) throws {
        model = try JudgeModel(workspace.settings, transport: workspace.transport)
    }

    /// Judges the statements of a summary, those that cite something.
    ///
    /// Where they do not fit the model they are shown to it in halves.
    ///
    /// - Throws: ``ModelServiceError``.
    mutating func judge(_ answer: Answer) async throws {
        let statements = SummaryStatement.list(in: answer.summary).filter { !$0.cited.isEmpty }
        var batches = stride(from: 0, to: statements.count, by: Self.batchCount).map {
            statements[$0..<min($0 + Self.batchCount, statements.count)]
        }
        while !batches.isEmpty {
            let batch = batches.removeFirst()
            do {
                judged.add(try await reply(to: batch, of: answer), of: batch.map(\.text))
            } catch ModelServiceError.tooLong where batch.count > 1 {
                let half = batch.count / 2
                batches.insert(contentsOf: [batch.prefix(half), batch.dropFirst(half)], at: 0)
            }
        }
    }

    private func reply(to batch: ArraySlice<SummaryStatement>, of answer: Answer) async throws -> String {
        let cited = Set(batch.flatMap(\.cited))
        let numbers = Set(answer.citations.filter { cited.contains($0.messageKey) }.map(\.number))
        var generator = SystemRandomNumberGenerator()
        let prompt = model.builder.judgeSummaryPrompt(
            statements: batch.map(\.text), sources: answer.numberedSources.filter { numbers.contains($0.number) },
            using: &generator)
        return try await model.reply(to: prompt, tokenCount: 32 + Self.tokenCount * batch.count)
    }
}
