import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

extension Tag {
    @Tag static var performance: Self
}

/// Figures, printed: `NEXUS_SPEED_TESTS=1 swift test -c release --filter SpeedTests`.
@Suite(
    .tags(.performance), .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["NEXUS_SPEED_TESTS"] == "1"))
struct SpeedTests {
    private func fill(_ store: SQLStore, count: Int) async throws {
        for start in stride(from: 0, to: count, by: 1_000) {
            let batch = (start..<start + 1_000).map { number in
                Message.short(
                    ConversationID(rawValue: "c\(number % 20)"), MessageID(rawValue: "m\(number)"),
                    by: UserID(rawValue: "u\(number % 50)"),
                    "The pilot comes aboard at half past six, berth \(number) is free until noon", at: number)
            }
            let outcomes = try await store.accept(batch, source: "x", mode: .importing, at: .second(start))
            try #require(outcomes.allSatisfy { $0 == .inserted })
        }
    }

    private func report(_ what: String, _ count: Int, _ duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        print("\(what): \(Int(Double(count) / seconds)) a second")
    }

    @Test func importsAndCommits() async throws {
        let count = 60_000
        try await DataFolder.with { _, store in
            _ = try await store.store(
                (0..<20).map { .of(ConversationID(rawValue: "c\($0)"), ["ada"]) }, source: "x", mode: .importing,
                at: .second(0))
            let space = EmbeddingSpace(provider: "builtin", model: "m", dimensions: 384)
            let generation = try await store.beginGeneration(space, baseURL: nil, refilling: false, at: .second(0))
            let clock = ContinuousClock()

            report("imported", count, try await clock.measure { try await fill(store, count: count) })

            let vector = [Float](repeating: 0.05, count: 384)
            let batchCount = 300
            report(
                "claimed and committed by 32", batchCount * 32,
                try await clock.measure {
                    for _ in 0..<batchCount {
                        let items = try await store.claim(
                            32, for: generation.number, until: .second(count), at: .second(0))
                        let stored = try await store.commit(items.map { .of($0, vector: vector) }, at: .second(1))
                        try #require(stored == 32)
                    }
                })
            report(
                "read for the index", batchCount * 32,
                try await clock.measure {
                    let passages = try await store.indexedPassages(
                        of: generation.number, after: PassageNumber(rawValue: 0), limit: 100_000)
                    try #require(passages.count == batchCount * 32)
                })
            report(
                "status calls", 10,
                try await clock.measure { for _ in 0..<10 { _ = try await store.status(of: generation.number) } })
        }
    }
}
