import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// Sessions of assistants, and what they read, in both databases.
@Suite(.hangGuard) struct AssistantSessionTests {
    private static let helper = ConnectedAssistant(name: "Helper", client: [7, 7], scopes: [.read, .ask])

    private func withStore(inPostgres: Bool, _ body: (SQLStore) async throws -> Void) async throws {
        func fill(_ store: SQLStore) async throws {
            for user in ["ada", "bob"] as [UserID] {
                _ = try await store.acceptAccount(Account(userID: user, createdAt: .second(1)), at: .second(1))
            }
            try await body(store)
        }
        if inPostgres {
            try await PostgresServer.shared().withStore { store, _ in try await fill(store) }
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try await SQLStore.open(folder: folder, options: StoreOptions())
            try await fill(store)
            await store.close()
        }
    }

    private func open(
        _ id: String, in store: SQLStore, at second: Int = 3, assistant: ConnectedAssistant? = helper
    ) async throws {
        let session = AccountSession(
            id: AccountSession.ID(rawValue: id), userID: "ada", createdAt: .second(second),
            lastUsedAt: .second(second), expiresAt: .second(900), userAgent: nil, assistant: assistant)
        #expect(try await store.openSession(session, digest: [1], password: nil))
    }

    private func reading(_ conversation: ConversationID, _ count: Int) -> AssistantReading {
        AssistantReading(
            session: "s", assistant: "Helper", tool: "search_messages", conversationID: conversation,
            messageCount: count, readAt: .second(5))
    }

    @Test(arguments: [false, true]) func aSessionKeepsItsAssistant(inPostgres: Bool) async throws {
        try await withStore(inPostgres: inPostgres) { store in
            try await open("own", in: store, assistant: nil)
            let signedIn = try await store.account("ada")?.lastSignInAt
            try await open("helper", in: store, at: 4)

            #expect(try await store.session("helper", at: .second(5))?.session.assistant == Self.helper)
            #expect(try await store.session("own", at: .second(5))?.session.assistant == nil)
            #expect(try await store.sessions(of: "ada", at: .second(5)).map(\.assistant) == [Self.helper, nil])
            #expect(try await store.account("ada")?.lastSignInAt == signedIn)
            let renewal = try await store.renewSession(
                "helper", digest: [1], next: [2], grace: .seconds(1), until: .second(990), at: .second(6))
            guard case .renewed(let session, _) = renewal else {
                Issue.record("\(renewal)")
                return
            }
            #expect(session.assistant == Self.helper)
        }
    }

    @Test(arguments: [false, true]) func manyAssistantsEndNoSessionOfThePerson(inPostgres: Bool) async throws {
        try await withStore(inPostgres: inPostgres) { store in
            try await open("own", in: store, assistant: nil)
            for number in 0...AccountSession.countLimit { try await open("h\(number)", in: store, at: 4 + number) }

            let sessions = try await store.sessions(of: "ada", at: .second(5))

            #expect(sessions.count == AccountSession.countLimit + 1)
            #expect(sessions.contains { $0.id == "own" } && !sessions.contains { $0.id == "h0" })
        }
    }

    @Test(arguments: [false, true]) func readingsAreListedAndDeleted(inPostgres: Bool) async throws {
        try await withStore(inPostgres: inPostgres) { store in
            try await store.recordReadings([reading("c", 1), reading("d", 2)], of: "ada")
            try await store.recordReadings([reading("c", 3)], of: "ada")
            try await store.recordReadings([reading("c", 4)], of: "bob")

            let first = try await store.readings(of: "ada", before: nil, limit: 2)
            let second = try await store.readings(of: "ada", before: first.next, limit: 2)
            #expect(first.readings == [reading("c", 3), reading("d", 2)])
            #expect(second.readings == [reading("c", 1)] && second.next == nil)
            #expect(try await store.readings(of: "nobody", before: nil, limit: 9).readings == [])

            try await store.deleteReadings(of: "ada")

            #expect(try await store.readings(of: "ada", before: nil, limit: 9).readings == [])
            #expect(try await store.readings(of: "bob", before: nil, limit: 9).readings == [reading("c", 4)])
        }
    }

    @Test(arguments: [false, true]) func anErasureTakesTheReadings(inPostgres: Bool) async throws {
        try await withStore(inPostgres: inPostgres) { store in
            _ = try await store.store(
                [.of("c", ["ada", "bob"]), .of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            for user in ["ada", "bob"] as [UserID] {
                try await store.recordReadings([reading("c", 1), reading("d", 2)], of: user)
            }
            _ = try await store.erase(.conversation("c"), at: .second(6))
            #expect(try await store.readings(of: "ada", before: nil, limit: 9).readings == [reading("d", 2)])

            _ = try await store.erase(.user("ada"), at: .second(7))

            #expect(try await store.inspect("SELECT user_id FROM assistant_readings") == ["bob"])
        }
    }
}
