import ChatCore
import Foundation
import Ingest
import Synchronization
import TestSupport
import Testing
import TextAnalysis

/// Questions are asked without pause while everything is embedded again and the server is killed in the middle.
@Suite(.serialized) struct ReembeddingCrashTests {
    private static let count = 400

    @Test(.hangGuard) func everyAnswerIsThatOfBruteForceOverOneGeneration() async throws {
        let stub = try StubServer { request in
            let dimensions = request.json["model"] as? String == "big" ? 48 : 32
            return .embeddings(request.input.map { StubVectors.words(of: $0, dimensions: dimensions) })
        }
        let binary = try NexusBinary()
        let chat = WordChat(count: Self.count)
        let history = try binary.write("history.jsonl", chat.lines)
        let search = try binary.write("search.json", WordChat.searchSettings)
        let settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1", "--set",
            "embedding.model=e", "--set", "search.settings-file=\(search)",
        ]
        #expect(try await binary.run(["import", history]).status == 0)
        #expect(try await binary.run(["ingest"] + settings).status == 0)
        let reembed = ["reembed", "--json", "--model", "big", "--base-url", "\(stub.baseURL)/v1"]
        let asker = try await Asker(chat)

        let first = try await NexusServer(binary, settings)
        async let asked: Void = asker.run()
        asker.ask(first)
        try await asker.waitForAnswers(20, of: 1)
        let broken = try binary.start(reembed + ["--rate", "10"])
        while bigTexts(stub).count < 20 { try await Task.sleep(for: .milliseconds(5)) }
        asker.ask(nil)
        first.process.signal(SIGKILL)
        _ = await first.process.result()
        #expect(await broken.result().status == 2)
        let before = bigTexts(stub).count

        let second = try await NexusServer(binary, settings)
        asker.ask(second)
        // In a conversation that Ada does not see.
        for (method, path, body) in [
            ("POST", "messages", ["id": "late", "senderId": "bob", "text": "fog"]),
            ("PATCH", "messages/o1", ["text": "fog over the quay"]), ("DELETE", "messages/o2", nil),
        ] as [(String, String, [String: String]?)] {
            let reply = try await second.send(method, "/v1/conversations/other/\(path)", body, user: "bob")
            #expect((200..<300).contains(reply.status), "\(method) \(reply.json)")
        }
        let completed = try await binary.run(reembed)
        let report = try completed.json()
        try await asker.waitForAnswers(20, of: 2)
        asker.stop()
        try await asked

        #expect(completed.status == 0, "\(completed.errors)")
        #expect(report["number"] as? Int == 2)
        #expect((report["queue"] as? [String: Any])?["embeddedCount"] as? Int == Self.count + 3)
        #expect(asker.wrong == [])
        #expect(asker.count(of: 1) >= 20)
        // It went on where it was: what was on its way is sent again, no more.
        #expect(before < Self.count)
        #expect(bigTexts(stub).count <= Self.count + 4 + 128)
        let found = try await second.send("POST", "/v1/search", ["query": "fog over the quay"], user: "bob")
        #expect(((found.json["results"] as? [[String: Any]])?.first)?["messageId"] as? String == "o1")
        _ = await second.stop()
    }

    /// The texts of the chat and the questions that the new model was asked for; those that measure its scale come
    /// again with every start that finds none.
    private func bigTexts(_ stub: StubServer) -> [String] {
        let known = Set(ScaleProbe.standard.parts.flatMap { $0.questions + $0.answers + $0.messages })
        return stub.requests.filter { $0.json["model"] as? String == "big" }.flatMap(\.input)
            .filter { !known.contains($0) }
    }
}

/// A chat of random words, whose vectors are known.
private struct WordChat {
    static let questions = ["tide and crane", "the rope", "fish market anchor", "lamp"]
    /// Vectors alone, in the order of the cosine.
    static let searchSettings = """
        {"lexical": {"isOn": false}, "selection": {"groupsRepeats": false}, "fusion": {"window": 0, "answer": 0, \
        "question": 0, "time": 0, "number": 0, "speaker": 0, "company": 0, "place": 0, "phrase": 0, "date": 0}}
        """
    private static let words = [
        "tide", "crane", "rope", "fish", "market", "anchor", "lamp", "sail", "deck", "buoy", "pier", "mast", "storm",
        "cargo", "ferry", "gull", "net", "oar", "harbor", "coal",
    ]

    let texts: [String]

    init(count: Int) {
        texts = (0..<count).map { number in
            (0..<4).map { Self.words[(number * (7 + 4 * $0) + number / 20 * (3 + $0)) % Self.words.count] }
                .joined(separator: " ")
        }
    }

    /// The history: Ada's conversation, and one of Bob's with three messages.
    var lines: String {
        func line(_ id: String, _ conversation: String, _ sender: String, _ text: String) -> String {
            #"{"id": "\#(id)", "conversationId": "\#(conversation)", "senderId": "\#(sender)", "#
                + #""senderName": "\#(sender.capitalized)", "text": "\#(text)", "timestamp": "2026-01-01T10:00:00Z"}"#
        }
        let conversations = [("c", "ada"), ("other", "bob")].map { id, member in
            #"{"id": "\#(id)", "name": "C", "participants": [{"id": "\#(member)", "name": "\#(member.capitalized)"}]}"#
        }
        let others = (0..<3).map { line("o\($0)", "other", "bob", "nothing \($0)") }
        return (conversations + others + texts.enumerated().map { line("m\($0)", "c", "ada", $1) })
            .joined(separator: "\n")
    }

    /// The cosines of a question and every message that Ada sees, by id.
    func cosines(_ question: String, generation: Int) -> [String: Double] {
        let dimensions = Self.dimensions(of: generation)
        let query = Self.unit(question, dimensions)
        return Dictionary(
            uniqueKeysWithValues: texts.enumerated().map { number, text in
                let passage = PassagePreparation.text(senderName: "Ada", searchableText: text) ?? text
                let vector = Self.unit(passage, dimensions)
                return ("m\(number)", zip(query, vector).reduce(0) { $0 + $1.0 * $1.1 })
            })
    }

    static func dimensions(of generation: Int) -> Int { generation == 1 ? 32 : 48 }

    static func unit(_ text: String, _ dimensions: Int) -> [Double] {
        let vector = StubVectors.words(of: text, dimensions: dimensions).map(Double.init)
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return vector.map { $0 / length }
    }
}

/// The stub's vectors, as the worker measures their scale.
private struct WordEmbedder: Embedder {
    let dimensions: Int

    func space() async throws -> EmbeddingSpace {
        EmbeddingSpace(provider: "compatible", model: "e", dimensions: dimensions)
    }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        EmbeddingReply(outcomes: texts.map { .vector(WordChat.unit($0, dimensions).map { Float($0) }) })
    }
}

/// Asks a server without pause, whichever there is at present, and compares every answer.
private final class Asker: Sendable {
    private struct State {
        var server: NexusServer?
        var isStopped = false
        var counts: [Int: Int] = [:]
        var wrong: [String] = []
    }

    private static let limit = 5
    private let chat: WordChat
    private let expected: [[String: [String: Double]]]
    private let state = Mutex(State())

    init(_ chat: WordChat) async throws {
        self.chat = chat
        var expected: [[String: [String: Double]]] = []
        for generation in [1, 2] {
            let embedder = WordEmbedder(dimensions: WordChat.dimensions(of: generation))
            let scale = try await ScaleProbe.standard.measure(embedder, in: embedder.space(), batchCount: 32).scale
            expected.append(
                Dictionary(
                    uniqueKeysWithValues: WordChat.questions.map { question in
                        let cosines = chat.cosines(question, generation: generation)
                        return (question, cosines.mapValues { max(0, min(1, scale.onReference($0))) })
                    }))
        }
        self.expected = expected
    }

    /// What was wrong with answers.
    var wrong: [String] { state.withLock { $0.wrong } }

    /// How many answers were of a generation.
    func count(of generation: Int) -> Int { state.withLock { $0.counts[generation] ?? 0 } }

    func ask(_ server: NexusServer?) { state.withLock { $0.server = server } }

    func stop() { state.withLock { $0.isStopped = true } }

    func waitForAnswers(_ wanted: Int, of generation: Int) async throws {
        let start = count(of: generation)
        while count(of: generation) < start + wanted, wrong.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }

    func run() async throws {
        var number = 0
        while !state.withLock({ $0.isStopped }) {
            number += 1
            guard let server = state.withLock({ $0.server }) else {
                // Sleeps, since yielding without end would take a core from the tests beside it.
                try await Task.sleep(for: .milliseconds(5))
                continue
            }
            let question = WordChat.questions[number % WordChat.questions.count]
            let reply = try? await server.send(
                "POST", "/v1/search", ["query": question, "topK": Self.limit], user: "ada")
            let isPresent = state.withLock { $0.server?.url == server.url }
            if let reply {
                note(reply.json, status: reply.status, question)
            } else if isPresent {
                state.withLock { $0.wrong.append("no reply") }
            }
        }
    }

    private func note(_ json: [String: Any], status: Int, _ question: String) {
        let generation = (json["retrieval"] as? [String: Any])?["generation"] as? Int ?? 0
        let hits = (json["results"] as? [[String: Any]] ?? []).map {
            ($0["messageId"] as? String ?? "", $0["score"] as? Double ?? -1)
        }
        let fault = fault(hits, generation, status, question)
        state.withLock { state in
            state.counts[generation, default: 0] += 1
            if let fault { state.wrong.append(fault) }
        }
    }

    private func fault(_ hits: [(id: String, score: Double)], _ generation: Int, _ status: Int, _ question: String)
        -> String?
    {
        guard status == 200, hits.count == Self.limit, (1...2).contains(generation) else {
            return "status \(status), \(hits.count) hits, generation \(generation)"
        }
        let cosines = expected[generation - 1][question] ?? [:]
        for (hit, best) in zip(hits, cosines.values.sorted(by: >)) {
            let own = cosines[hit.id] ?? -1
            if abs(own - hit.score) > 1e-3 || abs(own - best) > 1e-4 {
                return "\(question): \(hit.id) has \(hit.score), not \(own), the best \(best)"
            }
        }
        return nil
    }
}
