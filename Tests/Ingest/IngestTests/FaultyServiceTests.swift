import ChatCore
import Foundation
import Ingest
import MessageStore
import ModelClients
import SQLiteStore
import Synchronization
import TestSupport
import Testing
import Transport

/// A service that fails in every way that services fail, on a schedule that a seed decides.
@Suite(.hangGuard) struct FaultyServiceTests {
    private static let dimensions = 16

    /// A number that depends on the request's place alone.
    private static func draw(_ number: Int) -> UInt64 {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 20_260_101
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return state ^ (state >> 31)
    }

    private static func answer(_ request: StubRequest) -> StubResponse {
        let texts = request.input
        if texts.contains(where: { $0.contains("refused") }) { return .openAIError(400, code: "bad") }
        var vectors = texts.map { StubVectors.vector(for: $0, dimensions: dimensions) }
        if texts.contains(where: { $0.contains("nothing") }) { vectors = vectors.map { $0.map { _ in 0 } } }
        let good = StubResponse.embeddings(vectors, tokenCount: texts.count * 3)
        // A bad text alone always fails by its own fault, so that its last reason does not hang on the schedule.
        if texts.count == 1, texts[0].contains("nothing") { return good }
        switch draw(request.number) % 100 {
        case 0, 1: return .resets
        case 2: return .closes
        case 3: return .garbage
        case 4, 5: return .openAIError(429, headers: [("retry-after-ms", "4")])
        case 6, 7: return .openAIError(500)
        case 8: return .openAIError(503)
        case 9: return .text(#"{"object": "list", "data": [{"index": 0, "embed"#)
        case 10: return .embeddings(vectors.map { $0.map { _ in 0 } })
        case 11: return .embeddings(vectors.map { Array($0.dropLast()) })
        case 12: return .embeddings(vectors, indexes: vectors.map { _ in 0 })
        case 13: return .embeddings(Array(vectors.dropLast()))
        case 14: return draw(request.number) % 7 == 0 ? .neverAnswers : good
        case 15: return dripping(vectors)
        case 16: return .goesAway
        default: return good
        }
    }

    /// The right answer in many small pieces.
    private static func dripping(_ vectors: [[Float]]) -> StubResponse {
        let items = vectors.enumerated().map { ["index": $0, "embedding": $1.map(Double.init)] as [String: Any] }
        let body = (try? JSONSerialization.data(withJSONObject: ["data": items])) ?? Data()
        let pieces = stride(from: 0, to: body.count, by: 97).map { body[$0..<min($0 + 97, body.count)] }
        return .chunked(pieces.map { .bytes(Data($0)) })
    }

    @Test func endsWithEveryMessageEmbeddedOnceAndEveryFailureExplained() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let server = try StubServer { Self.answer($0) }
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let recorder = CommitRecorder(store)
        let client = RestartingClient(try embedder(server, transport), server: server)
        let worker = worker(recorder, client)
        let searches = SearchesByVectors(over: store, dimensions: Self.dimensions, now: Self.now)
        let texts = (0..<20_000).map { number in
            switch number % 4_000 {
            case 1_234: "refused \(number)"
            case 2_345: "nothing \(number)"
            default: "text \(number)"
            }
        }
        try await post(texts, in: store)

        var pendingCount = -1
        var nextSearches = 3_000
        while pendingCount != 0 {
            do {
                try await worker.drain { _ in
                    let committed = recorder.commits
                    guard committed.count >= nextSearches else { return }
                    nextSearches += 4_000
                    try await searches.expectBruteForce(
                        Self.questions, over: Self.passages(of: committed.keys, texts))
                }
            } catch is ModelServiceError {}
            let serving = try await store.generations().first { $0.state == .serving }
            pendingCount = if let serving { try await store.pendingCount(of: serving.number) } else { -1 }
        }

        // Searches were made at five places of the run; the service was away, and refused connections, often.
        #expect(nextSearches == 23_000)
        #expect(client.restartCount >= 5)
        try await searches.expectBruteForce(Self.questions, over: Self.passages(of: recorder.commits.keys, texts))
        #expect(recorder.commits.count == 19_990)
        #expect(recorder.commits.values.allSatisfy { $0 == 1 })
        let generation = try #require(try await store.generations().first).number
        let failed = try await store.failedItems(of: generation)
        let reasons = Dictionary(grouping: failed, by: \.errorReason).mapValues(\.count)
        #expect(
            reasons == [
                "the service refused the text with status 400": 5, "the answer was unusable: a vector of zeros": 5,
            ])
        let coverage = try await store.coverage(of: generation)
        #expect(coverage == EmbeddingCoverage(messageCount: 20_000, embeddedCount: 19_990, failedCount: 10))
        #expect(coverage.isSound)
        try await expectVectors(of: texts, in: store, generation)
        let usage = try await store.usage(on: Self.now().day)
        #expect(usage.reduce(0) { $0 + $1.total.tokenCount } >= 19_990 * 3)
        #expect(try await store.inspect("SELECT COUNT(*) FROM queue WHERE state <> 3") == ["0"])
        server.stop()
        await transport.shutdown()
        await store.close()
    }

    private static let now: @Sendable () -> Timestamp = {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }

    /// One that is the text of a message, so that its vector must be found; others that are near to many.
    private static let questions = ["ADA: text 17", "ADA: text 19999", "ADA: text 8080", "a berth", "the pilot"]

    private static func passages(of keys: some Sequence<MessageKey>, _ texts: [String]) -> [MessageKey: String] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, "ADA: " + texts[place(of: $0)]) })
    }

    private static func place(of key: MessageKey) -> Int { Int(key.messageID.rawValue.dropFirst()) ?? 0 }

    private func embedder(_ server: StubServer, _ transport: CurlTransport) throws -> OpenAIEmbedder {
        try OpenAIEmbedder(
            settings: EmbeddingServiceSettings(
                address: ServiceAddress(baseURL: server.baseURL), providerKind: "compatible", model: "stub",
                dimensions: Self.dimensions, batchItemLimit: 64,
                timeouts: HTTPDeadlines(connect: .seconds(5), idle: .seconds(1), total: .seconds(20)),
                passageAttemptLimit: 1), transport: transport)
    }

    private func worker(_ store: CommitRecorder, _ embedder: any Embedder) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder),
            settings: IngestSettings(
                batchItemCount: 64, concurrency: 8, pollInterval: .milliseconds(5), attemptLimit: 8,
                retryDelay: .microseconds(100)),
            health: ServiceHealth(firstPause: .milliseconds(1), pauseLimit: .milliseconds(10)), now: Self.now,
            logger: .silent)
    }

    private func post(_ texts: [String], in store: SQLStore) async throws {
        let conversations = (0..<10).map { ConversationID(rawValue: "c\($0)") }
        _ = try await store.store(
            conversations.map { .sample($0, members: ["ada"]) }, source: "test", mode: .importing, at: Self.now())
        let messages = texts.enumerated().map { place, text in
            Message.sample(conversations[place % 10], MessageID(rawValue: "m\(place)"), by: "ada", text, at: place)
        }
        let outcomes = try await store.accept(messages, source: "test", mode: .importing, at: Self.now())
        #expect(outcomes.allSatisfy { $0 == .inserted })
    }

    /// Every message but the bad ones has its own vector, once.
    private func expectVectors(
        of texts: [String], in store: SQLStore, _ generation: GenerationNumber
    ) async throws {
        let passages = try await store.indexedPassages(
            of: generation, after: PassageNumber(rawValue: 0), limit: texts.count + 1)
        var wrong = 0
        for passage in passages {
            let text = "ADA: " + texts[Self.place(of: passage.messageKey)]
            let expected = StubVectors.vector(for: text, dimensions: Self.dimensions)
            let length = expected.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            let isRight = zip(passage.vector, expected).allSatisfy { abs(Double($0) - Double($1) / length) < 1e-6 }
            if !isRight { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(passages.count == 19_990)
        #expect(Set(passages.map(\.messageKey)).count == 19_990)
    }
}

/// Restarts the service after a few refused requests.
private final class RestartingClient: Embedder {
    private let base: OpenAIEmbedder
    private let server: StubServer
    private let refusals = Mutex(0)
    private let restarts = Mutex(0)

    init(_ base: OpenAIEmbedder, server: StubServer) {
        self.base = base
        self.server = server
    }

    /// How often the service was restarted.
    var restartCount: Int { restarts.withLock { $0 } }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        do {
            return try await base.embed(texts, as: purpose)
        } catch ModelServiceError.unreachable(let reason) {
            if reason.hasPrefix("cannot connect") { noteRefusal() }
            throw ModelServiceError.unreachable(reason: reason)
        }
    }

    private func noteRefusal() {
        let isEnough = refusals.withLock { count in
            count = server.isRefusing ? count + 1 : 0
            guard count >= 3 else { return false }
            count = 0
            return true
        }
        guard isEnough else { return }
        restarts.withLock { $0 += 1 }
        server.admit()
    }
}
