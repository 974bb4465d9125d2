import ChatCore
import Connectors
import Foundation
import Logging
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Transport

/// A store, a homeserver, and the connector between them.
final class MatrixWorld {
    static let ada = "@ada:home.test"
    static let bob = "@bob:home.test"
    static let eve = "@eve:home.test"
    static let room = "!plans"
    static let conversation: ConversationID = "matrix-!plans"

    let home: StubHomeserver
    let store: SQLStore
    let clock = ManualNow(Timestamp(microseconds: 1_760_100_000_000_000))
    private(set) var connector: MatrixConnector
    private let transport: CurlTransport

    /// Runs a body with an empty store.
    static func with(inPostgres: Bool = false, _ body: (MatrixWorld) async throws -> Void) async throws {
        if inPostgres {
            try await PostgresServer.shared().withStore { store, _ in try await body(try MatrixWorld(store)) }
            return
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "matrix-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(try MatrixWorld(store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private init(_ store: SQLStore) throws {
        let home = try StubHomeserver()
        let transport = try CurlTransport()
        (self.home, self.store, self.transport) = (home, store, transport)
        connector = try Self.connector(home, store, transport, clock)
    }

    /// Forgets everything that is not in the store, as a process that was killed does.
    func restart() throws { connector = try Self.connector(home, store, transport, clock) }

    private static func connector(
        _ home: StubHomeserver, _ store: SQLStore, _ transport: CurlTransport, _ clock: ManualNow
    ) throws -> MatrixConnector {
        guard let service = SecretText(StubHomeserver.serviceToken),
            let homeserver = SecretText(StubHomeserver.homeserverToken)
        else { throw MissingSecret() }
        var settings = MatrixSettings(
            homeserver: home.url, userID: StubHomeserver.bot, serviceToken: service, homeserverToken: homeserver)
        settings.pageSize = 4
        return MatrixConnector(
            settings: settings, store: store, transport: transport, now: clock.now,
            sleep: { clock.advance(by: $0) }, logger: .silent)
    }

    struct MissingSecret: Error {}

    /// Lets the homeserver deliver what waits, until it has nothing more.
    func deliver() async throws {
        while true {
            let bodies = home.transactions()
            if bodies.isEmpty { return }
            for body in bodies { _ = await send(body) }
        }
    }

    /// Sends one transaction; each takes a moment.
    func send(_ body: [UInt8], token: String = StubHomeserver.homeserverToken) async -> MatrixReply {
        clock.advance(by: .milliseconds(10))
        return await connector.take(authorization: "Bearer \(token)", body: body)
    }

    /// Invites Nexus into the room, and lets everything happen that follows.
    func invite(_ room: String = MatrixWorld.room) async throws {
        home.setMember(StubHomeserver.bot, in: room, "invite")
        try await deliver()
        try await read()
    }

    /// Reads all history.
    func read() async throws {
        clock.advance(by: .milliseconds(10))
        _ = try await connector.advance()
        try await deliver()
    }

    /// The user in Nexus of a person.
    static func user(_ person: String) -> UserID { UserID(rawValue: "matrix-\(person)") }

    /// The texts that a person reads in a conversation, oldest first; nil if the person does not see it.
    func texts(
        for person: String, in conversation: ConversationID = MatrixWorld.conversation
    ) async throws -> [String]? {
        try await messages(for: person, in: conversation)?.map(\.text)
    }

    func messages(
        for person: String, in conversation: ConversationID = MatrixWorld.conversation
    ) async throws -> [Message]? {
        do {
            return try await store.page(
                of: conversation, asker: Self.user(person), before: nil, limit: 1_000,
                at: clock.now()
            ).reversed()
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    /// The number of events of a room by effect or reason.
    func counts(of room: String = MatrixWorld.room) async throws -> [ConnectorEvent.Kind: Int] {
        try await store.connectorCounts(of: MatrixSettings.source).filter { $0.room == room }
            .reduce(into: [:]) { $0[$1.kind] = $1.count }
    }
}
