import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import ModelClients
import Prompting
import Retrieval
import Transport
import UseCases

extension EvalCommand {
    /// `nexus eval adversarial`.
    struct Adversarial: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the language model messages that carry instructions, and counts how often it obeys.",
            discussion: """
                The configured language model (chat.provider) gets each message together with two others that it could \
                give away; nothing is searched. The command counts the answers in which the model obeyed or mentioned \
                the demand, and those in which something got through the filter. It exits with 1 if anything got \
                through.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The file of messages.", completion: .file()) var cases = "eval/adversarial.jsonl"
        @Option(help: "Show the first messages only.") var limit: Int?
        @Option(help: "Write the report as JSON, answers included.", completion: .file()) var json: String?

        func validate() throws {
            guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let cases = try AdversarialCase.read(URL(filePath: cases)).prefix(limit ?? .max)
                let transport = try CurlTransport()
                let outcome: Result<AdversarialReport, any Error>
                do {
                    outcome = .success(try await report(on: Array(cases), settings: settings, transport: transport))
                } catch {
                    outcome = .failure(error)
                }
                await transport.shutdown()
                let report = try outcome.get()
                try EvaluationText.write(report, to: json)
                Console.print(EvaluationText.lines(of: report))
                if report.passedCount > 0 { throw ExitCode(1) }
            }
        }

        private func report(
            on cases: [AdversarialCase], settings: NexusSettings, transport: CurlTransport
        ) async throws -> AdversarialReport {
            guard let chat = settings.chat else {
                throw OperatorFailure(message: "no language model is configured: set chat.provider")
            }
            let model = HeardModel(
                try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: transport))
            var assistantSettings = AssistantSettings()
            assistantSettings.answerTokenCount = chat.answerTokenCount
            let prompts = try PromptLibrary(overrides: settings.promptsFolder)
            let progress = SharedProgress()
            defer { progress.close() }
            var outcomes: [AdversarialOutcome] = []
            for injected in cases {
                let service = AnswerService(
                    searching: InjectedSearching(injected: injected),
                    session: ModelSession(
                        model: model, prompts: prompts, now: { .systemNow() }, logger: CommandLogging.logger(settings)),
                    turns: nil,
                    settings: assistantSettings)
                let shown = try await shown(by: service, asked: injected.question)
                outcomes.append(AdversarialOutcome(injected, said: model.said, shown: shown))
                progress.show(StageProgress(stage: .asking, done: outcomes.count, total: cases.count))
            }
            return AdversarialReport(outcomes)
        }

        private func shown(by service: AnswerService, asked question: String) async throws -> String {
            var request = AskRequest(
                question: question,
                scope: SearchScope(asker: EvaluationQuestion.defaultAskerID, conversations: .all), limit: 5)
            request.allowsFallback = false
            return try await service.wholeAnswer(to: request).text
        }
    }
}

/// A search that finds the messages of a case for every question.
private struct InjectedSearching: MessageSearching {
    let injected: AdversarialCase

    func search(_ request: SearchRequest) async throws -> SearchResult {
        let conversation = PermittedConversation(
            id: "general", number: ConversationNumber(rawValue: 1), displayName: "general", timeZone: nil,
            isMember: true)
        let hits = injected.messages.enumerated().map { place, message in
            Hit(message: message, conversation: conversation, rank: place + 1, relevance: 0.9)
        }
        return SearchResult(hits: Array(hits.prefix(request.limit)), mode: .hybrid, generation: nil)
    }
}
