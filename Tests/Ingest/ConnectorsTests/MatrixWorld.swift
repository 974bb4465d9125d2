import ChatCore
import Connectors
import Foundation
import Logging
import MessageStore
import TestSupport
import Transport

/// A store, a homeserver, and the connector between them.
final class MatrixWorld: ConnectorWorld {
    static let ada = "@ada:home.test"
    static let bob = "@bob:home.test"
    static let eve = "@eve:home.test"
    static let source = MatrixSettings.source
    static let room = "!plans"
    static let conversation: ConversationID = "matrix-!plans"

    let home: StubHomeserver
    let store: SQLStore
    let clock = ManualNow(Timestamp(microseconds: 1_760_100_000_000_000))
    private(set) var connector: MatrixConnector
    private let transport: CurlTransport
    /// Transactions that were refused.
    private var refused: [[UInt8]] = []

    init(_ store: SQLStore) throws {
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
            let bodies = refused + home.transactions()
            refused = []
            for (index, body) in bodies.enumerated() where await send(body).status == 503 {
                // A homeserver sends it again, and nothing else before it.
                refused = Array(bodies[index...])
                return
            }
            if bodies.isEmpty { return }
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

    // MARK: The contract

    var connected: any Connector { connector }
    var sourceCount: Int {
        home.events(of: Self.room).filter { $0.type != "m.reaction" }.count
    }

    func makeRoom() { home.makeRoom(Self.room, [Self.ada, Self.bob]) }
    func connect() async throws { try await invite() }

    func compare() async throws {
        clock.advance(by: .seconds(700))
        try await read()
    }

    /// A homeserver keeps what it could not deliver.
    func loseDeliveries() {}

    func say(_ text: String, by person: String, inThreadOf root: String?) -> String {
        let thread = root.map { JSONValue.object(["rel_type": .string("m.thread"), "event_id": .string($0)]) }
        return home.say(text, by: person, in: Self.room, thread.map { ["m.relates_to": $0] } ?? [:])
    }

    func edit(_ id: String, _ text: String, by person: String) { home.edit(id, text, by: person, in: Self.room) }
    func delete(_ id: String, by person: String) { home.delete(id, by: person, in: Self.room) }
    func react(to id: String, by person: String) { home.react("👍", to: id, by: person, in: Self.room) }
    func join(_ person: String) { home.setMember(person, in: Self.room, "join") }
    func leave(_ person: String) { home.setMember(person, in: Self.room, "leave") }

    func send(_ file: SentFile, _ text: String, by person: String) -> String {
        home.add(Self.room, "m.room.message", by: person, content(of: file, text))
    }

    func replaceFile(of id: String, with file: SentFile, _ text: String, by person: String) {
        let new = content(of: file, text)
        let relation: JSONValue = .object(["rel_type": .string("m.replace"), "event_id": .string(id)])
        home.add(
            Self.room, "m.room.message", by: person,
            new.merging(["m.new_content": .object(new), "m.relates_to": relation]) { $1 })
    }

    private func content(of file: SentFile, _ text: String) -> [String: JSONValue] {
        [
            "msgtype": .string("m.file"), "body": .string(text), "filename": .string(file.name),
            "url": .string(home.upload(file.name, file.content)),
            "info": .object(["size": .integer(Int64(file.claimedByteCount ?? file.content.count))]),
        ]
    }

    func loseFile(_ name: String) { home.loseFile(name) }
    func removeNexus() { home.setMember(StubHomeserver.bot, in: Self.room, "leave") }
    var fileRequestCount: Int { home.requests.count { $0.contains("/download/") } }

    func failFile(_ fault: FileFault) {
        switch fault {
        case .status(let status): home.fail("/download/", .status(status))
        case .limited(let seconds): home.fail("/download/", .limited(milliseconds: seconds * 1_000))
        case .breaks: home.fail("/download/", .breaks)
        }
    }

    func limit(seconds: Int) { home.fail("messages", .limited(milliseconds: seconds * 1_000)) }
    func failAfterOnePage() { home.onNextPage { $0.fail("messages", .status(502)) } }
    func goAway() { home.refuse() }
    func comeBack() { home.admit() }

    func failSending() { home.fail("/send/m.room.message", .status(502)) }
    func failRemoving() { home.fail("/redact/", .status(502)) }
    func loseSending() { home.loseNextReply() }

    func shownAnswers() -> [(id: String, text: String, root: String?)] {
        ownMessages.map { event in
            guard case .object(let relation)? = event.content["m.relates_to"],
                relation["rel_type"] == .string("m.thread"), case .string(let root)? = relation["event_id"]
            else { return (event.id, Self.text(event), nil) }
            return (event.id, Self.text(event), root)
        }
    }

    func keptAnswers() -> [String] { ownMessages.map(Self.text) }

    /// The messages of Nexus that are not deleted, edits among them.
    private var ownMessages: [StubHomeserver.Event] {
        home.events(of: Self.room).filter {
            $0.sender == StubHomeserver.bot && $0.type == "m.room.message" && $0.deletion == nil
        }
    }

    private static func text(_ event: StubHomeserver.Event) -> String {
        if case .string(let text)? = event.content["body"] { text } else { "" }
    }
}
