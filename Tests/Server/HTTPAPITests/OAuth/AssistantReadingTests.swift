import ChatCore
import Foundation
import MessageStore
import NexusModel
import SQLiteStore
import ServerTestSupport
import TestSupport
import Testing

/// What assistants read for a person, over HTTP.
@Suite(.hangGuard) struct AssistantReadingTests {
    private func reading(_ count: Int) -> AssistantReading {
        AssistantReading(
            session: "s", assistant: "Helper", tool: "search_messages", conversationID: "c", messageCount: count,
            readAt: .second(count))
    }

    /// Numbers of the records of all people would tell how much is read for others.
    @Test func aPageLeadsToTheNextWithoutShowingNumbers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "readings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        for user in ["ada", "bob"] as [UserID] {
            _ = try await store.acceptAccount(Account(userID: user, createdAt: .second(1)), at: .second(1))
        }
        for count in 1...5 {
            try await store.recordReadings([reading(count)], of: "ada")
            for _ in 0..<count * 30 { try await store.recordReadings([reading(9)], of: "bob") }
        }
        let forge = try TokenForge()
        try await withStoredServer(on: store, authentication: try forge.settings()) { world in
            let ada = try await forge.bearer("ada")
            var (counts, cursors): ([[Int]], [String]) = ([], [])
            repeat {
                let query = cursors.last.map { "&before=\($0)" } ?? ""
                let reply = try await world.server.send("GET", "/v1/assistants/readings?limit=2" + query, headers: ada)
                #expect(reply.status == 200, "\(reply.text)")
                let page = try JSONDecoder().decode(
                    AssistantReadingDetailsPage.self, from: Data(reply.text.utf8))
                counts.append(page.readings.map(\.messageCount))
                guard let next = page.next else { break }
                cursors.append(next)
            } while cursors.count < 9
            #expect(counts == [[5, 4], [3, 2], [1]])
            #expect(Set(cursors.map(\.count)).count == 1 && Set(cursors).count == 2)
            #expect(cursors.allSatisfy { Int($0) == nil })

            for text in ["7", "x", cursors[0] + "AAAA"] {
                let bad = try await world.server.send("GET", "/v1/assistants/readings?before=\(text)", headers: ada)
                #expect(bad.status == 400 && bad.field("field") == "before", "\(bad.text)")
            }
        }
        await store.close()
    }
}
