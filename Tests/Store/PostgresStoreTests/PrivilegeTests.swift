import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

/// Roles, passwords, and what the server writes to its log.
@Suite(.hangGuard) struct PrivilegeTests {
    /// As deploy/postgres.md says.
    private static func roles(_ database: String) -> String {
        """
        CREATE ROLE \(database)_owner LOGIN;
        CREATE ROLE \(database)_node LOGIN;
        ALTER DATABASE \(database) OWNER TO \(database)_owner;
        REVOKE ALL ON SCHEMA public FROM PUBLIC;
        GRANT USAGE, CREATE ON SCHEMA public TO \(database)_owner;
        GRANT USAGE ON SCHEMA public TO \(database)_node;
        ALTER DEFAULT PRIVILEGES FOR ROLE \(database)_owner
            GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO \(database)_node;
        ALTER DEFAULT PRIVILEGES FOR ROLE \(database)_owner
            GRANT SELECT, USAGE, UPDATE ON SEQUENCES TO \(database)_node
        """
    }

    @Test func nodesNeedNoRightToChangeTables() async throws {
        let server = try await PostgresServer.shared()
        try await server.withDatabase { address in
            let name = try #require(address.split(separator: "=").last.map(String.init))
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(Self.roles(name))
            let (owner, node) = (
                address.replacing("user=nexus", with: "user=\(name)_owner"),
                address.replacing("user=nexus", with: "user=\(name)_node")
            )
            await #expect(throws: StoreOpenError.schemaNotPermitted) { try await server.withNode(at: node) { _ in } }
            try await PostgresStore.makeTables(try #require(PostgresAddress(owner)))

            try await server.withNode(at: node) { store in
                try await store.fillAsUsed()
                let leases = try store.services.inDatabase
                #expect(try await leases.take("work", of: "node", for: .seconds(9)))
                #expect(try await store.checkIntegrity().isSound)
                try await store.gatherStatistics()
            }
            try connection.run("ALTER DATABASE \(name) OWNER TO nexus")
            try connection.run("DROP OWNED BY \(name)_node, \(name)_owner CASCADE")
            try connection.run("DROP ROLE \(name)_node, \(name)_owner")
        }
    }

    /// A warning for each table of the catalog fills the log of a server.
    @Test func statisticsAreGatheredWithoutWarnings() async throws {
        let server = try await PostgresServer.start()
        try await server.withDatabase { address in
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("CREATE ROLE plain LOGIN; GRANT CREATE ON SCHEMA public TO plain")
            try await server.withNode(at: address.replacing("user=nexus", with: "user=plain")) { store in
                try await store.fillAsUsed()
                try await store.gatherStatistics()
                let sql = "SELECT reltuples::bigint FROM pg_class WHERE oid = 'messages'::regclass"
                #expect(try await store.inspect(sql) == ["34"])
            }
            #expect(try !server.serverLog().contains("WARNING"))
            try connection.run("DROP OWNED BY plain CASCADE; DROP ROLE plain")
        }
    }

    /// A password that was changed while nodes run.
    @Test func thePasswordIsReadForEachConnection() async throws {
        let server = try await SecuredPostgresServer()
        let password = Mutex("an old one")
        let text = "\(server.address(of: "postgres")) sslmode=require"
        let address = try #require(PostgresAddress(text) { password.withLock { $0 } })
        #expect(throws: PostgresFailure.self) { try LibpqConnection(address) }

        password.withLock { $0 = SecuredPostgresServer.password }

        let connection = try LibpqConnection(address)
        connection.close()
        struct Missing: Error {}
        let failing = try #require(PostgresAddress(text) { throw Missing() })
        #expect(throws: PostgresFailure(code: nil, reason: "the file of the password cannot be read")) {
            try LibpqConnection(failing)
        }
    }

    @Test func aMigrationIsAloneUntilItIsDone() async throws {
        let server = try await PostgresServer.shared()
        try await server.withDatabase { address in
            try await WorkspaceFolder.with { files in
                let target = try await PostgresStore.openTarget(address, folder: files.url)
                await #expect(throws: StoreOpenError.unfinishedMigration) {
                    try await server.withNode(at: address) { _ in }
                }
                await target.close()
                try await server.withNode(at: address) { _ in
                    await #expect(throws: MigrationError.databaseInUse) {
                        try await PostgresStore.openTarget(address, folder: files.url)
                    }
                }
            }
        }
    }

    /// Small rows may fit into pages that are there, so one that was stored proves nothing.
    @Test func aFullDiskIsReportedUntilThereIsRoom() async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                """
                CREATE FUNCTION full_disk() RETURNS TRIGGER LANGUAGE plpgsql
                    AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER full_disk AFTER INSERT ON messages FOR EACH STATEMENT EXECUTE FUNCTION full_disk();
                CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql
                    AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$;
                CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
                    EXECUTE FUNCTION no_room()
                """)

            await #expect(throws: RepositoryError.storageFull) {
                try await store.post([.short("c", "m")], source: "api", at: .second(1))
            }
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(2))
            #expect(store.storageTrouble == .full)
            #expect(await store.retryWriting() == .full)
            // The connection that looked for room reads as before.
            for _ in 0..<16 {
                let found = try await store.conversations(asker: "ada", after: nil, limit: 10, at: .second(3))
                #expect(found.count == 2)
            }

            try connection.run("DROP EVENT TRIGGER no_room; DROP TRIGGER full_disk ON messages")
            #expect(await store.retryWriting() == nil)
            #expect(store.storageTrouble == nil)
        }
    }

    /// The queue entry would wait for the end of its lease, a minute.
    @Test func aReactionDoesNotDelayTheVectorOfAMessage() async throws {
        func check(_ store: SQLStore) async throws {
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let generation = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0))
            _ = try await store.post([.short("c", "m")], source: "api", at: .second(1))
            let items = try await store.claim(9, for: generation.number, until: .second(60), at: .second(2))
            _ = try await store.react("👍", isSet: true, to: .of("c", "m"), by: "ada", at: .second(2))
            #expect(try await store.commit(items.map { .of($0) }, at: .second(3)) == 1)
            #expect(try await store.pendingCount(of: generation.number) == 0)
        }
        try await PostgresServer.shared().withStore { store, _ in try await check(store) }
        try await WorkspaceFolder.with { folder in
            let store = try await folder.open()
            try await check(store)
            await store.close()
        }
    }
}
