import ChatCore
import Foundation
import Histories
import MessageStore
import SQLiteStore
import TestSupport
import Testing

@Suite struct DeletedHistoryTests {
    @Test func whatIsDeletedInTheHistoryIsNeverStored() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "deleted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder.appending(path: "data"), options: StoreOptions())
        let file = folder.appending(path: "history.jsonl")
        let lines = [
            #"{"id": "c", "name": "Talk", "participants": [{"id": "ada", "name": "Ada"}]}"#,
            #"{"id": "m1", "conversationId": "c", "senderId": "ada", "text": "canary text", "#
                + #""attachments": [{"name": "canary name", "type": "image/png", "caption": "canary caption"}], "#
                + #""timestamp": "2025-01-01T10:00:00Z", "deletedAt": "2025-01-01T11:00:00Z"}"#,
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: file)

        let options = HistoryOptions(source: "test")
        let report = try await HistoryImport(store: store, options: options, now: ManualNow().now)
            .run([file], progress: { _ in }, rejected: { #expect(Bool(false), "\($0.reason)") })

        #expect(report.deletedMessages == 1)
        // What was stored for a moment only still lies in the write-ahead log.
        for name in ["nexus.sqlite", "nexus.sqlite-wal"] {
            let bytes = try Data(contentsOf: folder.appending(path: "data/\(name)"))
            #expect(bytes.range(of: Data("canary".utf8)) == nil, "\(name)")
        }
        await store.close()
    }
}
