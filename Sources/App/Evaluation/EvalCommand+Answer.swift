import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import Retrieval

extension EvalCommand {
    /// `nexus eval answer`.
    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answers the questions of a dataset, and measures the answers.",
            discussion: """
                F1 is computed as in LoCoMo, with the reference answers; citations are compared with the evidence. \
                Without a language model (chat.provider) the answers are quotations, and only the figures of the \
                citations are meaningful. With --judge the model also judges each answer (prompts/judge-answer.md): \
                whether it says the same as the reference, follows from its sources, and answers the question.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: DatasetOptions
        @Flag(help: "Let the configured language model judge the answers.") var judge = false
        @Option(help: "Write the report as JSON.", completion: .file()) var json: String?

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let dataset = try options.read()
                let asked = EvaluationDataset(
                    name: dataset.name, conversations: dataset.conversations, messages: dataset.messages,
                    questions: options.first(dataset.questions))
                let (given, judged) = try await options.withFolder(of: dataset, settings: settings) { folder in
                    try await answers(to: asked.questions, from: folder.workspace)
                }
                var report = try AnswerReport(given, to: asked)
                report.judged = judged
                try EvaluationText.write(report, to: json)
                Console.print(EvaluationText.lines(of: report.values))
                if let count = report.judged?.uselessReplyCount, count > 0 {
                    Console.note("\(count) of the judge's replies could not be read")
                }
                if report.leakCount > 0 { throw ExitCode(1) }
            }
        }

        private func answers(
            to questions: [EvaluationQuestion], from workspace: Workspace
        ) async throws -> ([EvaluatedAnswer], JudgedSummary?) {
            var judge =
                judge ? AnswerJudge(try JudgeModel(workspace.settings, transport: workspace.transport)) : nil
            let progress = SharedProgress()
            defer { progress.close() }
            var answers: [EvaluatedAnswer] = []
            for question in questions {
                let request = AskRequest(
                    question: question.question,
                    scope: SearchScope(
                        asker: question.askerID ?? EvaluationQuestion.defaultAskerID,
                        conversations: options.scope == .all ? .all : .only([question.conversationID])),
                    filter: SearchFilter(to: question.askedAt), limit: 5)
                for try await event in workspace.assistant.answer(request) {
                    guard case .done(let answer) = event else { continue }
                    let given = EvaluatedAnswer(
                        questionID: question.id, text: answer.text, citations: answer.cited(among: question.evidence),
                        abstains: answer.noAnswerReason != .none)
                    answers.append(given)
                    try await judge?.judge(given, to: question, sources: answer.judgedSources)
                }
                progress.show(StageProgress(stage: .asking, done: answers.count, total: questions.count))
            }
            return (answers, judge?.summary)
        }
    }
}
