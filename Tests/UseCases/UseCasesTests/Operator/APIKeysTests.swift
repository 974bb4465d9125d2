import ChatCore
import TestSupport
import Testing
import UseCases

struct APIKeysTests {
    private let store = InMemoryStore()

    private var keys: APIKeys { APIKeys(store: store, now: { .second(5) }) }

    @Test func theSecretIsToldOnceAndOnlyItsHashIsStored() async throws {
        let made = try await keys.create(KeyRequest(role: .ingest, name: "phone", expiresAt: .second(9)))

        let secret = try #require(APIKeySecret(made.secret))
        #expect(
            made.key
                == APIKey(id: secret.id, role: .ingest, name: "phone", createdAt: .second(5), expiresAt: .second(9)))
        #expect(try await store.key(secret.id) == StoredAPIKey(key: made.key, digest: secret.digest))
        let again = try await keys.create(KeyRequest(role: .ingest, name: "phone", expiresAt: .second(9)))
        #expect(again.secret != made.secret && again.key.id != made.key.id)
        _ = try await keys.revoke(again.key.id)
        #expect(try await keys.all().filter { $0.revokedAt == nil } == [made.key])
    }

    @Test(arguments: ["", String(repeating: "x", count: 257)])
    func aNameHasOneTo256Characters(name: String) async throws {
        await #expect(throws: OperatorFailure(message: "the name must have 1 to 256 characters")) {
            try await keys.create(KeyRequest(role: .admin, name: name, expiresAt: nil))
        }
        #expect(try await keys.all().isEmpty)
    }

    @Test func aKeyIsRevokedNowAndAnUnknownOneIsNamed() async throws {
        let made = try await keys.create(KeyRequest(role: .admin, name: nil, expiresAt: nil))

        #expect(try await keys.revoke(made.key.id).revokedAt == .second(5))
        await #expect(throws: OperatorFailure(message: "no key has the id k2")) { try await keys.revoke("k2") }
    }
}
