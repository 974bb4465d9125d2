import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

/// Fetched keys: how often they are fetched, and which apply while that fails.
struct RemoteKeyTests {
    /// A server that returns the reply that a test sets.
    private final class KeyServer: Sendable {
        private let state = Mutex<(reply: Result<KeyDocument, any Error>, addresses: [String])>(
            (.failure(CancellationError()), []))

        var count: Int { state.withLock { $0.addresses.count } }
        var addresses: Set<String> { Set(state.withLock { $0.addresses }) }

        func set(_ reply: Result<KeyDocument, any Error>) { state.withLock { $0.reply = reply } }

        func fetch(_ address: String) throws -> KeyDocument {
            try state.withLock { state in
                state.addresses.append(address)
                return try state.reply.get()
            }
        }
    }

    private let forge: TokenForge
    private let keyServer = KeyServer()
    private let clock = ManualNow(Sample.now)
    private var parts: ServerParts

    init() throws {
        forge = try TokenForge()
        parts = ServerParts(
            AuthenticationSettings(
                tokens: TokenSettings(
                    keys: .address("https://keys.test/set"), issuer: TokenForge.issuer, audience: TokenForge.audience)))
        parts.now = clock.now
        parts.fetchKeys = { [keyServer] in try keyServer.fetch($0) }
    }

    private func status(
        _ server: RunningServer, by key: TokenForge.Key = .ec, header: [String: Any?] = [:]
    ) async throws -> Int {
        let token = try await forge.token(TokenForge.claims("ada", now: clock.now()), by: key, header: header)
        return try await server.send("GET", "/v1/conversations", headers: TokenForge.bearer(token)).status
    }

    @Test func areKeptAsLongAsTheirHeadersSay() async throws {
        keyServer.set(.success(KeyDocument(body: try forge.keySet(), cacheControl: "public, max-age=600", age: "100")))

        try await withServer(parts) { server async throws in
            #expect(try await status(server) == 200)
            clock.advance(by: .seconds(499))
            #expect(try await status(server) == 200)
            #expect(keyServer.count == 1)
            clock.advance(by: .seconds(1))
            #expect(try await status(server) == 200)
            // The old set answers while the new one is fetched: a key that nobody has waits for it.
            #expect(try await status(server, header: ["kid": "x"]) == 401)
            #expect(keyServer.count == 2)
            #expect(keyServer.addresses == ["https://keys.test/set"])
        }
    }

    @Test func staleKeysServeThroughAFailure() async throws {
        keyServer.set(.success(KeyDocument(body: try forge.keySet(), cacheControl: "max-age=60")))

        try await withServer(parts) { server async throws in
            #expect(try await status(server) == 200)
            for reply in [
                .failure(CancellationError()), .success(KeyDocument(body: Data("{}".utf8))),
            ] as [Result<KeyDocument, any Error>] {
                keyServer.set(reply)
                clock.advance(by: .seconds(61))
                #expect(try await status(server, header: ["kid": "x"]) == 401)
                #expect(try await status(server) == 200)
                #expect(try await status(server) == 200)
            }
            #expect(keyServer.count == 3)
        }
    }

    @Test func anUnknownKeyIsAskedForOnceAMinute() async throws {
        keyServer.set(.success(KeyDocument(body: try forge.keySet([.rsa]), cacheControl: "max-age=3600")))

        try await withServer(parts) { server async throws in
            #expect(try await status(server, by: .ec) == 401)
            #expect(keyServer.count == 1)
            keyServer.set(.success(KeyDocument(body: try forge.keySet([.rsa, .ec]), cacheControl: "max-age=3600")))
            clock.advance(by: .seconds(59))
            #expect(try await status(server, by: .ec) == 401)
            #expect(try await status(server, by: .ec) == 401)
            #expect(keyServer.count == 1)
            clock.advance(by: .seconds(1))
            #expect(try await status(server, by: .ec) == 200)
            #expect(try await status(server, by: .rsa) == 200)
            #expect(keyServer.count == 2)
            // A key that was withdrawn is good no longer.
            keyServer.set(.success(KeyDocument(body: try forge.keySet([.ec]), cacheControl: "max-age=3600")))
            clock.advance(by: .seconds(60))
            #expect(try await status(server, header: ["kid": "x"]) == 401)
            #expect(try await status(server, by: .rsa) == 401)
        }
    }

    @Test func withoutAnyKeysNobodyIsRefusedAsWrong() async throws {
        try await withServer(parts) { server async throws in
            #expect(try await status(server) == 503)
            #expect(try await status(server) == 503)
            #expect(keyServer.count == 1)
            keyServer.set(.success(KeyDocument(body: try forge.keySet())))
            clock.advance(by: .seconds(5))
            #expect(try await status(server) == 200)
        }
    }

    @Test func aSecretIsNeverTakenFromAnAddress() async throws {
        keyServer.set(.success(KeyDocument(body: try forge.keySet([.ec, .secret]))))

        try await withServer(parts) { server async throws in
            #expect(try await status(server, by: .secret) == 401)
            #expect(keyServer.count == 0)
            #expect(try await status(server, by: .ec) == 200)
            #expect(try await status(server, by: .secret) == 401)
        }
    }

    @Test func manyRequestsAtOnceShareOneFetch() async throws {
        keyServer.set(.success(KeyDocument(body: try forge.keySet())))

        try await withServer(parts) { server async throws in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 { group.addTask { try await status(server) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 16))
            #expect(keyServer.count == 1)
        }
    }
}
