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
        #expect(try await keys.all() == [made.key])
    }

    @Test func eachKeyIsAnother() async throws {
        let request = KeyRequest(role: .ingest, name: "phone", expiresAt: nil)
        let (first, second) = (try await keys.create(request), try await keys.create(request))

        #expect(first.secret != second.secret && first.key.id != second.key.id)
        #expect(try await Set(keys.all().map(\.id)) == [first.key.id, second.key.id])
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
