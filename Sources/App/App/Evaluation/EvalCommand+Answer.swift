import AnswerSupport
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
                citations are meaningful. Answers of the model are never replaced by quotations: if the model fails or \
                is slower than its limits (chat.answer-seconds), the command stops, names the questions without an \
                answer, and ends with 2; the figures are those of the answered questions. With --judge the model also \
                judges each answer (prompts/judge-answer.md): whether it says the same as the reference, follows from \
                its sources, and answers the question.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: DatasetOptions
        @Flag(help: "Let the configured language model judge the answers.") var judge = false
        @Option(help: "Write the report as JSON.", completion: .file()) var json: String?

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let dataset = try options.read()
                let asked = options.first(dataset.questions)
                let outcome = try await options.withFolder(of: dataset, settings: settings) { folder in
                    try await answers(to: asked, from: folder.node)
                }
                if outcome.answers.isEmpty, let failure = outcome.failure { throw failure }
                var report = try AnswerReport(
                    outcome.answers, to: dataset.asking(outcome.answered(of: asked)))
                report.unansweredIDs = outcome.unansweredIDs(of: asked)
                report.judged = outcome.judged
                try show(report, of: asked.count, failure: outcome.failure)
            }
        }

        private func show(_ report: AnswerReport, of count: Int, failure: (any Error)?) throws {
            try EvaluationText.write(report, to: json)
            Console.print(EvaluationText.lines(of: report.values))
            if let count = report.judged?.uselessReplyCount, count > 0 {
                Console.note("\(count) of the judge's replies could not be read")
            }
            if let failure {
                Console.note(
                    "\(report.unansweredIDs.count) of \(count) questions have no answer of the model "
                        + "(\(ErrorText.line(for: failure))), and are not in the figures: "
                        + report.unansweredIDs.joined(separator: ", "))
                throw ExitCode(2)
            }
            if report.leakCount > 0 { throw ExitCode(1) }
        }

        /// The answers, and why some are missing.
        private struct Outcome: Sendable {
            var answers: [EvaluatedAnswer] = []
            var judged: JudgedSummary?
            /// The last failure of the model.
            var failure: ModelServiceError?

            func answered(of questions: [EvaluationQuestion]) -> [EvaluationQuestion] {
                let ids = Set(answers.map(\.questionID))
                return questions.filter { ids.contains($0.id) }
            }

            func unansweredIDs(of questions: [EvaluationQuestion]) -> [String] {
                let ids = Set(answers.map(\.questionID))
                return questions.map(\.id).filter { !ids.contains($0) }
            }
        }

        /// Asks until all questions have an answer, or the model's service fails as a whole or is too slow.
        private func answers(
            to questions: [EvaluationQuestion], from node: Node
        ) async throws -> Outcome {
            var judge =
                judge ? AnswerJudge(try JudgeModel(node.workspace.settings, transport: node.transport)) : nil
            let progress = SharedProgress()
            defer { progress.close() }
            var outcome = Outcome()
            for question in questions {
                let given: (answer: EvaluatedAnswer, sources: [JudgedSource])
                do {
                    given = try await answer(to: question, from: node)
                } catch let error as ModelServiceError {
                    outcome.failure = error
                    if error.opensCircuit || error.isSlow { break }
                    continue
                }
                try await judge?.judge(given.answer, to: question, sources: given.sources)
                outcome.answers.append(given.answer)
                progress.show(
                    StageProgress(stage: .asking, done: outcome.answers.count, total: questions.count))
            }
            outcome.judged = judge?.summary
            return outcome
        }

        private func answer(
            to question: EvaluationQuestion, from node: Node
        ) async throws -> (EvaluatedAnswer, [JudgedSource]) {
            var request = AskRequest(
                question: question.question,
                scope: SearchScope(
                    asker: question.askerID ?? EvaluationQuestion.defaultAskerID,
                    conversations: options.scope == .all ? .all : .only([question.conversationID])),
                filter: SearchFilter(to: question.askedAt), limit: 5)
            request.allowsFallback = false
            let (answer, cost) = try await timedAnswer(to: request, from: node)
            var given = EvaluatedAnswer(
                questionID: question.id, text: answer.text, citations: answer.cited(among: question.evidence),
                abstains: answer.noAnswerReason != .none)
            given.shown =
                answer.promptMessageKeys.isEmpty ? answer.sources.map(\.hit.message.key) : answer.promptMessageKeys
            given.sentences = answer.sentences?.map {
                AnsweredQuestion.Sentence($0.range, support: $0.support?.rawValue)
            }
            given.cost = cost
            return (given, answer.judgedSources)
        }

        /// Answers, and measures when its parts came.
        private func timedAnswer(to request: AskRequest, from node: Node) async throws -> (Assistant.Answer, AnswerCost)
        {
            let clock = ContinuousClock()
            let start = clock.now
            var cost = AnswerCost(end: .zero)
            var whole: Assistant.Answer?
            try await node.assistant.answers.answer(request) { event in
                let passed = clock.now - start
                switch event {
                case .retrieved: cost.sources = passed
                case .delta: cost.firstWord = cost.firstWord ?? passed
                case .done(let answer): (whole, cost.end) = (answer, passed)
                default: break
                }
            }
            guard let whole else { throw ModelServiceError.incompleteReply }
            (cost.promptTokens, cost.answerTokens) = (whole.usage?.promptTokens, whole.usage?.completionTokens)
            return (whole, cost)
        }
    }
}

extension EvaluationDataset {
    /// Returns the dataset with some of its questions.
    fileprivate func asking(_ questions: [EvaluationQuestion]) -> EvaluationDataset {
        EvaluationDataset(name: name, conversations: conversations, messages: messages, questions: questions)
    }
}
