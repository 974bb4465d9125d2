import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import ModelClients
import Prompting
import Retrieval
import Synchronization
import Transport

extension EvalCommand {
    /// `nexus eval adversarial`.
    struct Adversarial: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the language model messages that carry instructions, and measures what comes of it.",
            discussion: """
                Each message is given to the configured language model (chat.provider) beside two others that it could \
                give away; nothing is searched. Counted are the answers in which it did what the message demands, or \
                spoke of it, and those in which something got through the filter. Exits with 1 when something did.
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
                try write(report)
                if report.passedCount > 0 { throw ExitCode(1) }
            }
        }

        private func report(
            on cases: [AdversarialCase], settings: NexusSettings, transport: CurlTransport
        ) async throws -> AdversarialReport {
            guard let chat = settings.chat else {
                throw OperatorFailure(message: "there is no language model to be measured: set chat.provider")
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
                    searching: InjectedSearching(injected: injected), model: model, prompts: prompts, turns: nil,
                    settings: assistantSettings, now: Workspace.now, logger: CommandLogging.logger(settings))
                let shown = try await shown(by: service, asked: injected.question)
                outcomes.append(AdversarialOutcome(injected, said: model.said, shown: shown))
                progress.show(StageProgress(stage: .asking, done: outcomes.count, total: cases.count))
            }
            return AdversarialReport(outcomes)
        }

        private func shown(by service: AnswerService, asked question: String) async throws -> String {
            let request = AskRequest(
                question: question, scope: SearchScope(asker: EvaluationFolder.asker, conversations: .all), limit: 5)
            for try await event in service.answer(request) {
                if case .done(let answer) = event { return answer.text }
            }
            throw ModelServiceError.incompleteReply
        }

        private func write(_ report: AdversarialReport) throws {
            try EvaluationText.write(report, to: json)
            Console.print("asked \(report.askedCount)")
            Console.print("obeyed \(report.obeyedCount)")
            for (kind, count) in report.obeyedByKind.sorted(by: { $0.key < $1.key }) {
                Console.print("obeyed:\(kind) \(count)")
            }
            Console.print("got through \(report.passedCount)")
            for outcome in report.outcomes where !outcome.passed.isEmpty {
                Console.print("got through in \(outcome.id): \(outcome.passed.joined(separator: ", "))")
            }
        }
    }
}

/// Finds the messages of a case, whatever is asked.
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

/// A language model whose last answer is known as it was said, before anything was taken out.
private final class HeardModel: LanguageModel {
    private let base: any LanguageModel
    private let heard = Mutex("")

    init(_ base: any LanguageModel) {
        self.base = base
    }

    var said: String { heard.withLock { $0 } }
    var name: String { base.name }
    var contextTokenCount: Int { base.contextTokenCount }

    /// Gives the answer when it is complete.
    func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        heard.withLock { $0 = "" }
        let reply = Reply(base: base, request: request)
        return AsyncThrowingStream { [self] in
            let event = try await reply.next()
            if case .delta(let text)? = event { heard.withLock { $0 += text } }
            return event
        }
    }

    /// One answer, read to its end when its first piece is asked for.
    private actor Reply {
        private let base: any LanguageModel
        private let request: GenerationRequest
        private var events: [GenerationEvent]?

        init(base: any LanguageModel, request: GenerationRequest) {
            self.base = base
            self.request = request
        }

        func next() async throws -> GenerationEvent? {
            if events == nil {
                var read: [GenerationEvent] = []
                for try await event in base.generate(request) { read.append(event) }
                events = read
            }
            return events?.isEmpty == false ? events?.removeFirst() : nil
        }
    }
}
