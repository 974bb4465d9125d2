import ChatCore
import TestSupport
import Testing
import UseCases

struct APIKeysTests {
    private let store = InMemoryStore()

    private var keys: APIKeys {
        APIKeys(
            store: store, draw: { DrawnKey(id: "k1", secret: "nxk_k1_secret", digest: [1, 2, 3]) },
            now: { .second(5) })
    }

    @Test func theSecretIsToldOnceAndOnlyItsHashIsStored() async throws {
        let made = try await keys.create(KeyRequest(role: .ingest, name: "phone", expiresAt: .second(9)))

        #expect(made.secret == "nxk_k1_secret")
        #expect(
            made.key
                == APIKey(id: "k1", role: .ingest, name: "phone", createdAt: .second(5), expiresAt: .second(9)))
        #expect(try await store.key("k1") == StoredAPIKey(key: made.key, digest: [1, 2, 3]))
        #expect(try await keys.all() == [made.key])
    }

    @Test(arguments: ["", String(repeating: "x", count: 257)])
    func aNameHasOneTo256Characters(name: String) async throws {
        await #expect(throws: OperatorFailure(message: "the name must have 1 to 256 characters")) {
            try await keys.create(KeyRequest(role: .admin, name: name, expiresAt: nil))
        }
        #expect(try await keys.all().isEmpty)
    }

    @Test func aKeyIsRevokedNowAndAnUnknownOneIsNamed() async throws {
        _ = try await keys.create(KeyRequest(role: .admin, name: nil, expiresAt: nil))

        #expect(try await keys.revoke("k1").revokedAt == .second(5))
        await #expect(throws: OperatorFailure(message: "no key has the id k2")) { try await keys.revoke("k2") }
    }
}
