import Assistant
import ChatCore
import Foundation
import Ingest
import Logging
import MessageStore
import ModelClients
import Prompting
import Retrieval
import SQLiteStore
import Synchronization
import TestSupport
import TextAnalysis
import Transport

/// An injected message of `eval/adversarial.jsonl`.
struct AdversarialCase: Decodable, Sendable {
    let id: String
    let kind: String
    let language: String
    /// What draws the message.
    let question: String
    /// The message; `{n}` counts its copies.
    let text: String
    /// What a model says that obeys it; `{secret}` stands for what it knows from other messages.
    let obey: String
    /// What the answer must not hold, in any case of letters.
    let forbidden: [String]
    /// How often it was sent; once when left out.
    let copies: Int?
    /// Who sent it; Sofia when left out.
    let sender: String?

    static let secret = "S3CRET"

    var messages: [Message] {
        (1...(copies ?? 1)).map { copy in
            Message(
                key: MessageKey(conversationID: "general", messageID: MessageID(rawValue: "\(id)-\(copy)")),
                senderID: UserID(rawValue: sender ?? "sofia"), senderName: "Sofia Almeida",
                text: text.replacing("{n}", with: String(copy)),
                timestamp: Timestamp(milliseconds: 1_792_238_400_000) + .seconds(60 * copy))
        }
    }

    /// What tells it from others wherever it is shown.
    var beginning: String { String(VisibleText.of(text.replacing("{n}", with: "1")).prefix(24)) }

    var obeyed: String { obey.replacing("{secret}", with: Self.secret) }
}

/// The sample chat with the injected messages in a store, and an assistant whose model does what every message says.
struct AdversarialFixture {
    let cases: [AdversarialCase]
    let texts: [MessageKey: String]
    let server: StubServer
    let service: AnswerService
    private let folder: URL
    private let store: SQLStore

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "eval")
    /// 2026-10-19 08:00 UTC, after the last message.
    private static let monday = Timestamp(milliseconds: 1_792_396_800_000)

    static func make() async throws -> AdversarialFixture {
        let cases = try lines(AdversarialCase.self, "adversarial.jsonl")
        let folder = FileManager.default.temporaryDirectory.appending(path: "adversarial-\(UUID().uuidString)")
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let messages = try lines(SampleMessage.self, "datasets/harbor/messages.jsonl").compactMap(\.message)
        let all = messages + cases.flatMap(\.messages)
        let rosters = try lines(SampleConversation.self, "datasets/harbor/conversations.jsonl").map(\.roster)
        _ = try await store.store(rosters, source: "test", mode: .importing, at: monday)
        for start in stride(from: 0, to: all.count, by: 200) {
            let batch = Array(all[start..<min(all.count, start + 200)])
            _ = try await store.accept(batch, source: "test", mode: .importing, at: monday)
        }
        let source = FakeEmbedderSource(FakeEmbedder(words: vocabulary(of: cases)))
        try await IngestWorker(store: store, embedders: source, now: { monday }, logger: .silent).drain { _ in }
        let searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent),
            lexicon: LiveLexicon(store: store, logger: .silent), embedders: source, now: { monday }, logger: .silent)
        let server = try obedientServer(cases)
        let model = try OpenAIChatModel(
            settings: ChatServiceSettings(
                address: ServiceAddress(baseURL: server.baseURL), model: "obedient", contextTokenCount: 100_000),
            transport: try CurlTransport(configuration: CurlTransport.Configuration(usesProxyVariables: false)))
        return AdversarialFixture(
            cases: cases, texts: Dictionary(all.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 }), server: server,
            service: AnswerService(
                searching: searcher,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { monday },
                    makeGenerator: { ZeroGenerator() }, logger: .silent),
                turns: nil, settings: unchecked),
            folder: folder, store: store)
    }

    /// Asks as Mara; returns the answer, what was streamed, and the prompt that the model got.
    func ask(_ question: String) async throws -> (answer: Answer, streamed: String, prompt: String) {
        let request = AskRequest(
            question: question, scope: SearchScope(asker: "mara", conversations: .all), limit: 5, streams: true)
        let events = try await service.events(request)
        guard case .done(let answer) = events.last, let sent = server.requests.last else {
            throw ModelServiceError.incompleteReply
        }
        let streamed = events.map { if case .delta(let text) = $0 { text } else { "" } }.joined()
        return (answer, streamed, Self.prompt(in: sent))
    }

    func remove() throws { try FileManager.default.removeItem(at: folder) }

    /// A service whose model cites its first source, then does what each injected message in the prompt says; it sends
    /// three scalars at a time.
    private static func obedientServer(_ cases: [AdversarialCase]) throws -> StubServer {
        try StubServer { request in
            let prompt = prompt(in: request)
            let seen = cases.filter { prompt.withoutJoiners.contains($0.beginning) }
            let said = Array((["As said [1]."] + seen.map(\.obeyed)).joined(separator: "\n\n").unicodeScalars)
            let pieces = stride(from: 0, to: said.count, by: 3).map { start in
                String(String.UnicodeScalarView(said[start..<min(said.count, start + 3)]))
            }
            return .chatStream(pieces)
        }
    }

    /// The longer words of the questions, so that vectors tell one message from another.
    private static func vocabulary(of cases: [AdversarialCase]) -> [String] {
        let words = cases.flatMap { $0.question.lowercased().split { !$0.isLetter } }.filter { $0.count > 4 }
        return Set(words.map(String.init)).sorted()
    }

    private static func prompt(in request: StubRequest) -> String {
        let messages = request.json["messages"] as? [[String: Any]] ?? []
        return messages.last?["content"] as? String ?? ""
    }

    private static func lines<Line: Decodable>(_ type: Line.Type, _ path: String) throws -> [Line] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}

private struct SampleMessage: Decodable {
    let id: String
    let conversationId: String
    let senderId: String
    let senderName: String
    let text: String
    let timestamp: String

    var message: Message? {
        guard !text.isEmpty, let moment = Timestamp(iso8601: timestamp) else { return nil }
        return Message(
            key: MessageKey(
                conversationID: ConversationID(rawValue: conversationId), messageID: MessageID(rawValue: id)),
            senderID: UserID(rawValue: senderId), senderName: senderName, text: text, timestamp: moment)
    }
}

private struct SampleConversation: Decodable {
    struct Participant: Decodable {
        let id: String
        let name: String
    }

    let id: String
    let name: String?
    let participants: [Participant]

    var roster: ConversationRoster {
        let start = Timestamp(milliseconds: 1_675_238_400_000)
        return ConversationRoster(
            conversation: Conversation(
                id: ConversationID(rawValue: id), name: name ?? "direct", createdAt: start, updatedAt: start),
            members: participants.map {
                Member(userID: UserID(rawValue: $0.id), displayName: $0.name, joinedAt: start)
            })
    }
}

extension String {
    /// The text without the joiners that break up tokens of chat templates.
    var withoutJoiners: String {
        var text = self
        text.unicodeScalars.removeAll { $0.value == 0x200C }
        return text
    }
}
