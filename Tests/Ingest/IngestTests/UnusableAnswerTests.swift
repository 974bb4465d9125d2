import ChatCore
import Foundation
import Ingest
import MessageStore
import ModelClients
import SQLiteStore
import TestSupport
import Testing
import Transport

/// One wrong answer of a service each, from the bytes on the wire to what is stored.
@Suite(.hangGuard) struct UnusableAnswerTests {
    private static let dimensions = 4
    private static let texts = (0..<8).map { $0 == 3 ? "poison" : "text \($0)" }

    private let clock = ManualNow()

    /// What a service answers to a request with a certain text in it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let reason: String
        /// Given the vectors of the request and the place of the text; nil where the text is not in it.
        let answer: @Sendable (_ vectors: [[Float]], _ place: Int) -> StubResponse

        /// An answer that holds no usable vector for the text.
        static func unusable(
            _ name: String, _ reason: String, _ answer: @escaping @Sendable ([[Float]], Int) -> StubResponse
        ) -> Fault {
            Fault(
                testDescription: name, code: "invalid_reply", reason: "the answer was unusable: \(reason)",
                answer: answer)
        }
    }

    private static func replacing(_ place: Int, in vectors: [[Float]], with vector: [Float]) -> [[Float]] {
        var changed = vectors
        changed[place] = vector
        return changed
    }

    static let faults: [Fault] = [
        .unusable("zeros", "a vector of zeros") { vectors, place in
            .embeddings(replacing(place, in: vectors, with: [0, 0, 0, 0]))
        },
        .unusable("NaN", "a vector with a component that is not finite") { vectors, place in
            .embeddings(replacing(place, in: vectors, with: [1, .nan, 0, 0]), isBase64: true)
        },
        .unusable("another dimension", "a vector of 3 dimensions instead of 4") { vectors, place in
            .embeddings(replacing(place, in: vectors, with: [1, 2, 3]))
        },
        .unusable("indexes of other texts", "the indexes are not those of the texts") { vectors, place in
            .embeddings(vectors, indexes: vectors.indices.map { $0 < place ? $0 : $0 + 1 })
        },
        .unusable("a missing item", "0 vectors for 1 texts") { vectors, place in
            .embeddings(vectors.enumerated().filter { $0.offset != place }.map(\.element))
        },
        .unusable("half JSON", "not JSON") { _, _ in
            .text(#"{"object": "list", "data": [{"index": 0, "embedding": [0.5, 0."#)
        },
        Fault(
            testDescription: "a drip that dries up", code: "slow",
            reason: "the service is still working; the time limit has passed"
        ) { vectors, _ in
            var drip = UnusableAnswerTests.dripping(vectors)
            drip.steps = Array(drip.steps.dropLast(3)) + [.hang]
            return drip
        },
    ]

    @Test(arguments: faults) func aTextWithAWrongAnswerIsParkedAndTheOthersAreEmbedded(fault: Fault) async throws {
        let server = try StubServer { request in
            let vectors = Self.vectors(of: request)
            guard let place = request.input.firstIndex(where: { $0.contains("poison") }) else {
                return .embeddings(vectors)
            }
            return fault.answer(vectors, place)
        }
        try await withWorker(server, usesBase64: fault.testDescription == "NaN") { store, worker, generation in
            for _ in 0..<2 {
                try await worker.drain { _ in }
                clock.advance(by: .seconds(60))
            }

            let failed = try await store.failedItems(of: generation())
            #expect(failed.map(\.messageKey.messageID) == ["m3"])
            #expect(failed.map(\.errorCode) == [fault.code])
            #expect(failed.map(\.errorReason) == [fault.reason])
            #expect(failed.map(\.attempts) == [2])
            try await expectStored(in: store, generation(), without: ["m3"])
        }
    }

    // MARK: - Answers that are right, though not as one would expect

    @Test func vectorsInAnotherOrderGoToTheirTexts() async throws {
        let server = try StubServer { request in
            let vectors = Self.vectors(of: request)
            return .embeddings(vectors.reversed(), indexes: vectors.indices.reversed())
        }
        try await expectTakenAtOnce(server)
    }

    /// Some servers know no base64: their floats are taken.
    @Test func floatsAreTakenWhereBase64WasAskedFor() async throws {
        let server = try StubServer { .embeddings(Self.vectors(of: $0)) }

        try await expectTakenAtOnce(server, usesBase64: true)

        #expect(server.requests.map { $0.json["encoding_format"] as? String } == ["base64"])
    }

    @Test func aSlowDripIsReadToItsEnd() async throws {
        try await expectTakenAtOnce(try StubServer { Self.dripping(Self.vectors(of: $0)) })
    }

    // MARK: - Too busy

    @Test func aServiceThatNamesAMomentIsAskedAgainThenAndCostsNoAttempt() async throws {
        let server = try StubServer { request in
            guard request.number > 2 else {
                return .openAIError(
                    429, headers: request.number == 1 ? [("retry-after-ms", "20")] : [("Retry-After", "1")])
            }
            return .embeddings(Self.vectors(of: request), tokenCount: 40)
        }
        try await withWorker(server) { store, worker, generation in
            try await worker.drain { _ in }

            #expect(server.requests.map(\.input.count) == [8, 8, 8])
            try await expectStored(in: store, generation(), without: [])
            let usage = try await store.usage(on: clock.now().day)
            #expect(usage.map(\.today) == [EmbeddingUsage(requestCount: 3, textCount: 8, tokenCount: 40)])
        }
    }

    @Test func aServiceThatIsBusyForLongIsLeftAloneAndNothingIsParked() async throws {
        let server = try StubServer { request in
            request.number == 1
                ? .openAIError(429, headers: [("Retry-After", "3600")]) : .embeddings(Self.vectors(of: request))
        }
        try await withWorker(server) { store, worker, generation in
            await #expect(throws: ModelServiceError.busy(retryAfter: .seconds(3_600))) {
                try await worker.drain { _ in }
            }
            #expect(worker.serviceTrouble?.code == "busy")
            let coverage = try await store.coverage(of: generation())
            #expect(coverage == EmbeddingCoverage(messageCount: 8, waitingCount: 8))

            // Somebody asks for it now: one request finds out that it is back.
            try await worker.drain { _ in }
            #expect(worker.serviceTrouble == nil)
            try await expectStored(in: store, generation(), without: [])
        }
    }
}

// MARK: - Parts

extension UnusableAnswerTests {
    private static func vectors(of request: StubRequest) -> [[Float]] {
        request.input.map { StubVectors.vector(for: $0, dimensions: dimensions) }
    }

    /// The right answer in pieces of seven bytes.
    private static func dripping(_ vectors: [[Float]]) -> StubResponse {
        let items = vectors.enumerated().map { ["index": $0, "embedding": $1.map(Double.init)] as [String: Any] }
        let body = (try? JSONSerialization.data(withJSONObject: ["data": items])) ?? Data()
        let pieces = stride(from: 0, to: body.count, by: 7).map { body[$0..<min($0 + 7, body.count)] }
        return .chunked(pieces.map { .bytes(Data($0)) })
    }

    private func expectTakenAtOnce(_ server: StubServer, usesBase64: Bool = false) async throws {
        try await withWorker(server, usesBase64: usesBase64) { store, worker, generation in
            try await worker.drain { _ in }

            #expect(server.requests.map(\.input.count) == [8])
            try await expectStored(in: store, generation(), without: [])
        }
    }

    /// Runs `body` with a worker over eight messages that wait; its last argument gives the generation once it has begun.
    private func withWorker(
        _ server: StubServer, usesBase64: Bool = false,
        _ body: (SQLStore, IngestWorker, () async throws -> GenerationNumber) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "unusable-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let embedder = try OpenAIEmbedder(
            settings: EmbeddingServiceSettings(
                address: ServiceAddress(baseURL: server.baseURL), providerKind: "compatible", model: "stub",
                dimensions: Self.dimensions, usesBase64: usesBase64,
                timeouts: HTTPDeadlines(connect: .seconds(5), idle: .milliseconds(300), total: .seconds(20)),
                passageAttemptLimit: 1), transport: transport)
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder),
            settings: IngestSettings(batchItemCount: 8, pollInterval: .milliseconds(5), attemptLimit: 2),
            now: clock.now,
            logger: .silent)
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = Self.texts.enumerated().map { place, text in
            Message.sample("c", MessageID(rawValue: "m\(place)"), by: "ada", text, at: place)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        try await body(store, worker) { try #require(try await store.generations().first).number }
        server.stop()
        await transport.shutdown()
        await store.close()
    }

    /// Each message has its own vector, but for some that have none; nothing waits.
    private func expectStored(
        in store: SQLStore, _ generation: GenerationNumber, without missing: Set<MessageID>
    ) async throws {
        let passages = try await store.indexedPassages(of: generation, after: PassageNumber(rawValue: 0), limit: 99)
        let wanted = Self.texts.indices.map { MessageID(rawValue: "m\($0)") }.filter { !missing.contains($0) }
        #expect(passages.map(\.messageKey.messageID.rawValue).sorted() == wanted.map(\.rawValue).sorted())
        for passage in passages {
            let place = try #require(Int(passage.messageKey.messageID.rawValue.dropFirst()))
            let expected = StubVectors.vector(for: "ADA: " + Self.texts[place], dimensions: Self.dimensions)
            let length = expected.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            #expect(zip(passage.vector, expected).allSatisfy { abs(Double($0) - Double($1) / length) < 1e-6 })
        }
        let coverage = try await store.coverage(of: generation)
        #expect(
            coverage
                == EmbeddingCoverage(
                    messageCount: 8, embeddedCount: 8 - missing.count, failedCount: missing.count))
    }
}
