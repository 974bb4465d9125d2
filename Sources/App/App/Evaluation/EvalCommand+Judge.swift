import ArgumentParser
import Evaluation
import Foundation
import ModelClients
import Prompting
import Transport
import UseCases

extension EvalCommand {
    /// `nexus eval judge`.
    struct Judge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares the judge of answers with a person.",
            discussion: """
                The configured language model (chat.provider) judges answers that a person judged before, as in eval \
                answer --judge. The report has agreement and Cohen's kappa for each verdict, a table of both verdicts, \
                and the cases on which they differ.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The file of judged answers.", completion: .file()) var cases = "eval/judge-cases.jsonl"
        @Option(help: "Judge the first cases only.") var limit: Int?
        @Option(help: "Write the report as JSON.", completion: .file()) var json: String?

        func validate() throws {
            guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let cases = Array(try JudgeCase.read(URL(filePath: cases)).prefix(limit ?? .max))
                let transport = try CurlTransport()
                let outcome: Result<[String: Judgement], any Error>
                do {
                    outcome = .success(
                        try await judgements(of: cases, by: JudgeModel(settings, transport: transport)))
                } catch {
                    outcome = .failure(error)
                }
                await transport.shutdown()
                let report = try JudgeReport(try outcome.get(), of: cases)
                try EvaluationText.write(report, to: json)
                Console.print(EvaluationText.table(of: report))
            }
        }

        private func judgements(of cases: [JudgeCase], by model: JudgeModel) async throws -> [String: Judgement] {
            let judge = AnswerJudge(model)
            let progress = SharedProgress()
            defer { progress.close() }
            var judgements: [String: Judgement] = [:]
            for (place, labelled) in cases.enumerated() {
                judgements[labelled.id] = try await judge.judgement(of: labelled)
                progress.show(StageProgress(stage: .asking, done: place + 1, total: cases.count))
            }
            return judgements
        }
    }
}

extension JudgeModel {
    /// Uses the language model of the settings.
    ///
    /// - Throws: ``OperatorFailure`` when none is configured, ``PromptError``, ``ModelServiceError``.
    init(_ settings: NexusSettings, transport: CurlTransport) throws {
        guard let chat = settings.chat else {
            throw OperatorFailure(message: "a judge needs a language model: set chat.provider")
        }
        let model = try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: transport)
        self.init(model, prompts: try PromptLibrary(overrides: settings.promptsFolder))
    }
}
