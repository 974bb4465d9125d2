import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// Devices for push end with the sessions that registered them.
@Suite(.hangGuard) struct SessionDeviceTests {
    /// A body with a store whose accounts `ada` and `bob` have sessions `ada-1`, `ada-2`, `ada-3` and `bob-1`.
    private func withSessions(inPostgres: Bool, _ body: (SQLStore) async throws -> Void) async throws {
        func fill(_ store: SQLStore) async throws {
            for (user, count) in [("ada", 3), ("bob", 1)] as [(UserID, Int)] {
                let link = AccountInvitation(
                    userID: user, purpose: .invitation, digest: Array(user.rawValue.utf8), expiresAt: .second(99))
                try await store.invite(Account(userID: user, createdAt: .second(1)), with: link)
                _ = try await store.acceptInvitation(link.digest, password: "hash", name: nil, at: .second(2))
                for number in 1...count { try await open("\(user)-\(number)", of: user, in: store) }
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

    private func open(_ id: String, of user: UserID, in store: SQLStore, until end: Int = 50) async throws {
        let session = AccountSession(
            id: AccountSession.ID(rawValue: id), userID: user, createdAt: .second(3), lastUsedAt: .second(3),
            expiresAt: .second(end), userAgent: nil)
        #expect(try await store.openSession(session, digest: [1], password: nil))
    }

    /// Registers a device with the id of its session.
    private func register(_ session: String?, as id: String? = nil, of user: UserID, in store: SQLStore) async throws {
        let id = id ?? session ?? "free"
        let device = try await store.registerPushDevice(
            .fcm(token: "token-\(id)"), of: user, session: session.map { AccountSession.ID(rawValue: $0) },
            newID: PushDevice.ID(rawValue: id), at: .second(4))
        #expect(device?.device.id.rawValue == id)
    }

    private func devices(_ store: SQLStore) async throws -> [String] {
        try await store.inspect("SELECT id FROM push_devices ORDER BY id")
    }

    @Test(arguments: [false, true]) func aDeviceEndsWithItsSession(inPostgres: Bool) async throws {
        try await withSessions(inPostgres: inPostgres) { store in
            for id in ["ada-1", "ada-2", "ada-3"] { try await register(id, of: "ada", in: store) }
            try await register(nil, of: "ada", in: store)
            try await register("bob-1", of: "bob", in: store)
            let start = try await store.latestChange()

            #expect(try await store.endSession("ada-1", of: "ada"))
            #expect(try await devices(store) == ["ada-2", "ada-3", "bob-1", "free"])
            let page = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 9, at: .second(5))
            #expect(page.changes == [.devices])

            // A client that has an old token.
            let renewal = try await store.renewSession(
                "ada-2", digest: [9], next: [2], grace: .seconds(1), until: .second(90), at: .second(5))
            #expect(renewal == .reused)
            #expect(try await devices(store) == ["ada-3", "bob-1", "free"])

            // Another session of ada's expired; a sign-in removes it.
            try await open("ada-4", of: "ada", in: store, until: 90)
            try await register("ada-4", of: "ada", in: store)
            let late = AccountSession(
                id: "ada-5", userID: "ada", createdAt: .second(60), lastUsedAt: .second(60), expiresAt: .second(90),
                userAgent: nil)
            #expect(try await store.openSession(late, digest: [1], password: nil))
            #expect(try await devices(store) == ["ada-4", "bob-1", "free"])

            _ = try await store.setPassword("new", of: "ada", insteadOf: "hash", keeping: "ada-5")
            #expect(try await devices(store) == ["bob-1", "free"])
        }
    }

    @Test(arguments: [false, true]) func aDisabledAccountHasNoDevices(inPostgres: Bool) async throws {
        try await withSessions(inPostgres: inPostgres) { store in
            for id in ["ada-1", "ada-2"] { try await register(id, of: "ada", in: store) }
            try await register(nil, of: "ada", in: store)
            try await register("bob-1", of: "bob", in: store)

            _ = try await store.changeAccount("ada", role: nil, isDisabled: true)
            #expect(try await devices(store) == ["bob-1"])
        }
    }

    @Test(arguments: [false, true]) func anEndedSessionRegistersNothing(inPostgres: Bool) async throws {
        try await withSessions(inPostgres: inPostgres) { store in
            #expect(try await store.endSession("ada-1", of: "ada"))
            for session in ["ada-1", "bob-1"] as [AccountSession.ID] {
                let device = try await store.registerPushDevice(
                    .fcm(token: "token"), of: "ada", session: session, newID: "d", at: .second(4))
                #expect(device == nil)
            }
            #expect(try await devices(store) == [])

            // Who registers a device again decides with which session it ends.
            try await register("ada-2", as: "d", of: "ada", in: store)
            try await register("ada-3", as: "d", of: "ada", in: store)
            #expect(try await store.endSession("ada-2", of: "ada"))
            #expect(try await devices(store) == ["d"])
            #expect(try await store.endSession("ada-3", of: "ada"))
            #expect(try await devices(store) == [])
        }
    }
}
