import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

/// A server that is killed at each step between claim and index, in an order that a seed decides.
@Suite(.serialized, .hangGuard) struct IngestStepCrashTests {
    private static let messageCount = 1_000
    private static let concurrency = 4

    /// Where the server is killed.
    private enum Step: CaseIterable {
        /// Messages are leased; nothing was sent yet, or only just.
        case claimed
        /// The service has the request and says nothing.
        case asked
        /// The answer was read; the store cannot be written to.
        case answered
        /// Vectors are stored; the index has not followed, or only just.
        case committed
    }

    private let binary: NexusBinary
    private let stub: StubServer
    private let manner: Manner
    private let environment: [String: String]

    init() async throws {
        binary = try NexusBinary()
        let manner = Manner()
        self.manner = manner
        stub = try StubServer { manner.answer($0) }
        environment = [
            "NEXUS_EMBEDDING_PROVIDER": "compatible", "NEXUS_EMBEDDING_BASE_URL": stub.baseURL,
            "NEXUS_EMBEDDING_MODEL": "stub", "NEXUS_EMBEDDING_DIMENSIONS": "8", "NEXUS_EMBEDDING_BATCH_ITEMS": "16",
            "NEXUS_INGEST_CONCURRENCY": "\(Self.concurrency)",
        ]
        let conversation = #"{"id": "c", "name": "C", "participants": [{"id": "ada", "name": "Ada"}]}"#
        let lines = (0..<Self.messageCount).map { number in
            #"{"id": "m\#(number)", "conversationId": "c", "senderId": "ada", "text": "message \#(number)", "#
                + #""timestamp": "2026-01-01T10:00:00Z"}"#
        }
        // The scale of the model is measured with the first message, so that all requests below are for messages.
        manner.set(.promptUntil(.max))
        for (name, lines) in [("first", [conversation, lines[0]]), ("rest", Array(lines.dropFirst()))] {
            let file = try binary.write("\(name).jsonl", lines.joined(separator: "\n"))
            let imported = try await binary.run(["import", file], environment: environment)
            try #require(imported.status == 0, "\(imported.errors)")
            if name == "first" {
                let ingested = try await binary.run(["ingest"], environment: environment)
                try #require(ingested.status == 0, "\(ingested.errors)")
            }
        }
    }

    @Test func neitherLosesNorDoublesAMessage() async throws {
        var random = Seeded(state: 20_260_101)
        for _ in 0..<3 {
            for step in Step.allCases.shuffled(using: &random) {
                let before = try stored()
                try await kill(at: step, extra: Int.random(in: 0..<6, using: &random))
                let after = try stored()

                #expect(try await IngestInvariants.broken(in: binary.data) == [], "\(step)")
                switch step {
                case .claimed, .asked, .answered:
                    #expect(after.leases > 0, "\(step)")
                    #expect(after.passages == before.passages, "\(step)")
                case .committed: #expect(after.passages > before.passages)
                }
                try await expectSoundIndex()
            }
        }

        manner.set(.promptUntil(.max))
        let last = try await binary.run(["ingest"], environment: environment)
        #expect(last.status == 0, "\(last.errors)")
        #expect(try await IngestInvariants.broken(in: binary.data) == [])
        #expect(try stored() == Stored(leases: 0, waiting: 0, passages: Self.messageCount))
        try await expectSoundIndex()
        stub.stop()
    }

    /// Starts a server and kills it when the step is reached.
    ///
    /// - Parameters:
    ///   - step: Where.
    ///   - extra: How many requests more it may make first, where requests go through.
    /// - Throws: When the program or its database cannot be opened.
    private func kill(at step: Step, extra: Int) async throws {
        let (count, passages) = (stub.requests.count, try stored().passages)
        let gate = StubGate()
        switch step {
        case .claimed, .asked: manner.set(.silent)
        case .answered: manner.set(.held(gate))
        case .committed: manner.set(.promptUntil(count + 1 + extra))
        }
        let database = try openDatabase()
        let server = try binary.start(["serve", "--port", "0"], environment: environment)
        switch step {
        case .claimed:
            while try stored(in: database).leases == 0 { try await Task.sleep(for: .milliseconds(1)) }
        case .asked: await stub.waitForRequests(count + 1 + extra % Self.concurrency)
        case .answered:
            await stub.waitForRequests(count + 1)
            try await database.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            gate.open()
            // More than can be under way at once: answers were read, and none can be stored.
            await stub.waitForRequests(count + Self.concurrency + 1 + extra)
        case .committed:
            while try stored(in: database).passages == passages { try await Task.sleep(for: .milliseconds(1)) }
        }
        server.signal(SIGKILL)
        _ = await server.result()
        if step == .answered { try await database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
        try database.close()
    }

    /// What the program says of its indexes is what is stored.
    private func expectSoundIndex() async throws {
        manner.set(.promptUntil(.max))
        let passages = try stored().passages
        let status = try await binary.run(["status", "--json"], environment: environment).json()
        #expect(status["searchablePassages"] as? Int == passages)
        let doctor = try await binary.run(["doctor"], environment: environment)
        #expect(doctor.status == 0, "\(doctor.output)")
    }

    // MARK: - The database, beside the program

    private struct Stored: Equatable {
        var leases: Int
        var waiting: Int
        var passages: Int
    }

    private func openDatabase() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // The one that keeps the program from writing stays open between calls.
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(
            path: binary.data.appending(path: "nexus.sqlite").path, configuration: configuration)
    }

    private func stored() throws -> Stored {
        let database = try openDatabase()
        defer { try? database.close() }
        return try stored(in: database)
    }

    private func stored(in database: DatabaseQueue) throws -> Stored {
        try database.read { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            return Stored(
                leases: try count("SELECT COUNT(*) FROM queue WHERE state = 1"),
                waiting: try count("SELECT COUNT(*) FROM queue"), passages: try count("SELECT COUNT(*) FROM passages"))
        }
    }
}

/// How the service answers at present.
private final class Manner: Sendable {
    enum Way: Sendable {
        /// At once, up to a request; those that follow hear nothing.
        case promptUntil(Int)
        case silent
        case held(StubGate)
    }

    private let way = Mutex(Way.silent)

    func set(_ next: Way) { way.withLock { $0 = next } }

    func answer(_ request: StubRequest) -> StubResponse {
        let answer = StubResponse.embeddings(for: request, dimensions: 8)
        switch way.withLock({ $0 }) {
        case .promptUntil(let last): return request.number <= last ? answer : .neverAnswers
        case .silent: return .neverAnswers
        case .held(let gate): return StubResponse(steps: [.gate(gate)] + answer.steps)
        }
    }
}

/// A generator with a fixed course.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ (mixed >> 33)
    }
}
