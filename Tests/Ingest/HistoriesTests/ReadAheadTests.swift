import ChatCore
import Foundation
import Histories
import Synchronization
import TestSupport
import Testing

/// Reading continues while a batch is being stored.
@Suite struct ReadAheadTests {
    private struct Stop: Error {}

    /// Twelve thousand messages: three batches.
    private static func history(_ lastLine: String? = nil) throws -> URL {
        let messages = (0..<12_000).map {
            #"{"id": "m\#($0)", "conversationId": "c", "senderId": "ada", "text": "t\#($0)", "#
                + #""timestamp": "2025-01-01T10:00:00Z"}"#
        }
        let lines = [#"{"id": "c", "participants": [{"id": "ada"}]}"#] + messages + (lastLine.map { [$0] } ?? [])
        let file = FileManager.default.temporaryDirectory.appending(path: "ahead-\(UUID().uuidString).jsonl")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        return file
    }

    @Test func batchesAreStoredInTheirOrder() async throws {
        let store = InMemoryStore()
        let file = try Self.history("no JSON")
        defer { try? FileManager.default.removeItem(at: file) }
        let progress = Mutex<[Int]>([])
        let places = Mutex<[Int?]>([])

        let report = try await HistoryImport(
            store: store, options: HistoryOptions(source: "test"), now: ManualNow().now
        ).run([file]) { step in
            progress.withLock { $0.append(step.byteCount) }
        } rejected: { item in
            places.withLock { $0.append(item.place.number) }
        }

        #expect(report.newConversations == 1)
        #expect(report.insertedMessages == 12_000)
        #expect(report.rejectedItems == 1)
        #expect(places.withLock { $0 } == [12_002])
        let steps = progress.withLock { $0 }
        #expect(steps.count >= 3)
        #expect(steps == steps.sorted())
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(steps.last == size)
        let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 20_000, at: ManualNow().now())
        #expect(page.map(\.text) == (0..<12_000).reversed().map { "t\($0)" })
    }

    @Test func anImportThatFailsEndsAtOnce() async throws {
        let store = InMemoryStore()
        let file = try Self.history()
        defer { try? FileManager.default.removeItem(at: file) }
        let history = HistoryImport(store: store, options: HistoryOptions(source: "test"), now: ManualNow().now)

        await #expect(throws: Stop.self) {
            _ = try await history.run([file]) { _ in
                throw Stop()
            } rejected: { _ in
            }
        }

        // What was stored before the failure stays, and the rest was not stored.
        let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 20_000, at: ManualNow().now())
        #expect((1..<12_000).contains(page.count))
    }

    @Test func aCancelledImportEnds() async throws {
        let file = try Self.history()
        defer { try? FileManager.default.removeItem(at: file) }
        let (reached, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await HistoryImport(
                store: InMemoryStore(), options: HistoryOptions(source: "test"), now: ManualNow().now
            ).run([file]) { _ in
                signal.finish()
                while !Task.isCancelled { await shortPause() }
            } rejected: { _ in
            }
        }
        for await _ in reached {}

        task.cancel()

        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
