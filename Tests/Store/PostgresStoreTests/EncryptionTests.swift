import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Connections over TLS, with the certificates of server and client.
@Suite(.hangGuard) struct EncryptionTests {
    private static let starting = Task { try await SecuredPostgresServer() }

    /// Calls a body with the store of a database; closes it.
    private func withStore(
        _ text: String, password: String? = SecuredPostgresServer.password, _ body: (SQLStore) async throws -> Void
    ) async throws {
        try await PostgresStore.withNode(at: try #require(PostgresAddress(text) { password }), body)
    }

    /// Posts a message, and returns 1 if all connections are encrypted.
    private func use(_ store: SQLStore) async throws -> [String] {
        _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
        let outcomes = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
        #expect(outcomes.count == 1)
        return try await store.inspect(
            """
            SELECT CASE WHEN bool_and(s.ssl) THEN 1 ELSE 0 END FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
            WHERE a.datname = current_database()
            """)
    }

    @Test func everyConnectionIsEncryptedAndTheServerKnown() async throws {
        let server = try await Self.starting.value
        let text = "\(server.address(of: "postgres")) sslmode=verify-full sslrootcert=\(server.path("authority.pem"))"
        try await withStore(text) { store in
            let isEncrypted = try await use(store)
            #expect(isEncrypted == ["1"])
        }
    }

    @Test func aClientCanShowACertificateInsteadOfAPassword() async throws {
        let server = try await Self.starting.value
        let text = "\(server.address(of: "certified")) sslmode=verify-full sslrootcert=\(server.path("authority.pem"))"
        let own = " sslcert=\(server.path("nexus.pem")) sslkey=\(server.path("nexus.key"))"
        try await withStore(text + own, password: nil) { store in
            let isEncrypted = try await use(store)
            #expect(isEncrypted == ["1"])
        }
        await #expect(throws: StoreOpenError.self) { try await withStore(text) { _ in } }
    }

    /// Nothing is sent to a server that is not the expected one, and no other way is tried.
    @Test(arguments: [
        "sslmode=verify-full sslrootcert=STRANGER", "sslmode=verify-ca sslrootcert=STRANGER",
        "sslmode=verify-full sslrootcert=AUTHORITY host=elsewhere.example", "sslmode=disable",
        "sslmode=verify-full sslrootcert=/nonexistent",
    ])
    func anotherServerIsRefused(settings: String) async throws {
        let server = try await Self.starting.value
        let settings = settings.replacing("STRANGER", with: server.path("stranger.pem"))
            .replacing("AUTHORITY", with: server.path("authority.pem"))
        let error = await #expect(throws: StoreOpenError.self) {
            try await withStore("\(server.address(of: "postgres")) \(settings)") { _ in }
        }
        guard case .cannotConnect(let reason)? = error else {
            Issue.record("another error")
            return
        }
        #expect(!reason.isEmpty && !reason.contains(SecuredPostgresServer.password))
    }

    @Test func aWrongPasswordIsNotPrinted() async throws {
        let server = try await Self.starting.value
        let text = "\(server.address(of: "postgres")) sslmode=require"
        let error = await #expect(throws: StoreOpenError.self) {
            try await withStore(text, password: "guessed wrongly") { _ in }
        }
        guard case .cannotConnect(let reason)? = error else {
            Issue.record("another error")
            return
        }
        #expect(reason.contains("password authentication failed"))
        #expect(!reason.contains("guessed"))
    }
}
