import AnswerSupport
import Assistant
import ChatCore
import Foundation
import Logging
import Prompting
import Retrieval
import Synchronization
import TestSupport
import Testing

/// A conversation `c` of Ada and Bob in a store, and an assistant in it.
struct ConversationFixture {
    let store: InMemoryStore
    let model: any LanguageModel
    var searching = FakeSearching(hits: [])
    var settings = ConversationSettings()
    var fallback = AnswerFallback.quote
    var verification = SupportMode.off

    init(_ replies: FakeLanguageModel.Reply..., contextTokenCount: Int = 16_384) {
        store = InMemoryStore()
        model = FakeLanguageModel(contextTokenCount: contextTokenCount, replies: replies)
    }

    init(model: any LanguageModel, store: InMemoryStore = InMemoryStore()) {
        self.store = store
        self.model = model
    }

    /// The requests to a model that plays replies.
    var requests: [GenerationRequest] { (model as? FakeLanguageModel)?.requests ?? [] }

    func take(_ messages: [Message], members: [UserID] = ["ada", "bob"]) async throws {
        _ = try await store.store(
            [.of("c", members, name: "Harbor works"), .of("d", ["eve"])], source: "test", mode: .posting,
            at: .second(0))
        for outcome in try await store.accept(messages, source: "test", mode: .posting, at: .second(0)) {
            #expect(outcome == .inserted)
        }
    }

    func assistant(hasModel: Bool = true, allowance: TokenAllowance? = nil) throws -> ConversationAssistant {
        let service = AnswerService(
            searching: searching,
            session: ModelSession(
                model: hasModel ? model : nil, prompts: try PromptLibrary(overrides: nil), allowance: allowance,
                now: { thursday }, makeGenerator: { ZeroGenerator() },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            turns: store,
            settings: AssistantSettings(fallback: fallback, verification: verification),
            makeID: { UUID() })
        return ConversationAssistant(assistant: service, store: store, settings: settings)
    }

    /// Returns all events of an answer to Ada; of a summary without a text.
    func events(
        _ text: String?, as asker: UserID = "ada", filter: ConversationFilter = ConversationFilter(),
        hasModel: Bool = true, allowance: TokenAllowance? = nil
    ) async throws -> [AnswerEvent] {
        let question = ConversationQuestion(
            text: text, conversationID: "c", asker: asker, filter: filter, streams: true)
        var events: [AnswerEvent] = []
        try await assistant(hasModel: hasModel, allowance: allowance).answer(question) { events.append($0) }
        return events
    }

    func answer(
        _ text: String? = "When do we sail?", as asker: UserID = "ada",
        filter: ConversationFilter = ConversationFilter(), hasModel: Bool = true, allowance: TokenAllowance? = nil
    ) async throws -> Answer {
        let events = try await events(text, as: asker, filter: filter, hasModel: hasModel, allowance: allowance)
        guard case .done(let answer) = events.last else { throw ModelServiceError.incompleteReply }
        return answer
    }

    /// The summaries that are kept.
    func summaries() async throws -> [SpanSummary] {
        let recipe = "\(model.name) \(PromptBuilder(library: try PromptLibrary(overrides: nil)).notesFingerprint)"
        return try await store.summaries(of: "c", by: recipe, asker: "ada", at: thursday)
    }
}

/// A model that keeps every statement that it is given with a fact in it, and counts what it is asked.
final class KeepingModel: LanguageModel {
    struct Counts: Equatable {
        static func == (first: Counts, second: Counts) -> Bool {
            (first.parts, first.merges, first.answers) == (second.parts, second.merges, second.answers)
        }

        var parts = 0
        var merges = 0
        var answers = 0
        var promptTokens = 0
    }

    let name = "keeping"
    let contextTokenCount: Int
    private let state = Mutex((counts: Counts(), answered: [String]()))

    init(contextTokenCount: Int = 16_384) {
        self.contextTokenCount = contextTokenCount
    }

    /// What it was asked since the last look.
    func takeCounts() -> Counts {
        state.withLock { state in
            defer { state.counts = Counts() }
            return state.counts
        }
    }

    /// The last prompt that asked for an answer, without instructions.
    var lastPrompt: String { state.withLock { $0.answered.last ?? "" } }

    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let prompt = request.messages.last?.content ?? ""
        let tokens = request.messages.reduce(0) { $0 + TokenEstimate.count($1.content) }
        let reply = state.withLock { state in
            state.counts.promptTokens += tokens
            if prompt.hasPrefix("Below is a part") {
                state.counts.parts += 1
                return Self.facts(prompt, of: /\[(\d+)\] \d\d:\d\d [^:]*: (.*FACT.*)/, or: "- Small talk [1]")
            }
            if prompt.hasPrefix("Below are notes") {
                state.counts.merges += 1
                let lines = prompt.split(separator: "\n").filter { $0.hasPrefix("- ") && $0.contains("[") }
                return lines.filter { $0.contains("FACT") || $0 == lines.last }.joined(separator: "\n")
            }
            state.counts.answers += 1
            state.answered.append(prompt)
            return prompt.matches(of: /- (FACT\w+) [^\n]*(\[\d+\])/).map { "\($0.1) \($0.2)." }.joined(separator: " ")
                + " Done."
        }
        await deliver(.delta(reply))
        await deliver(.finished(.stop, TokenUsage(promptTokens: tokens, completionTokens: 10)))
    }

    private static func facts(_ prompt: String, of pattern: Regex<(Substring, Substring, Substring)>, or talk: String)
        -> String
    {
        let found = prompt.matches(of: pattern).map { "- \($0.2) [\($0.1)]" }
        return (found.isEmpty ? [talk] : found).joined(separator: "\n")
    }
}
