import ChatCore
import Connectors
import Foundation
import Logging
import MessageStore
import TestSupport
import Transport

/// A store, a Mattermost server, and the connector between them.
final class MattermostWorld: ConnectorWorld {
    static let ada = "adaadaadaadaadaadaadaadaad"
    static let bob = "bobbobbobbobbobbobbobbobbo"
    static let eve = "eveeveeveeveeveeveeveeveev"
    static let source = MattermostSettings.source
    static let room = "plansplansplansplansplansp"
    static let conversation: ConversationID = "mattermost-plansplansplansplansplansp"

    let home: StubMattermost
    let store: SQLStore
    let clock = ManualNow(Timestamp(microseconds: 1_760_100_000_000_000))
    private(set) var connector: MattermostConnector
    private let transport: CurlTransport

    init(_ store: SQLStore) throws {
        let home = try StubMattermost()
        let transport = try CurlTransport()
        (self.home, self.store, self.transport) = (home, store, transport)
        connector = try Self.connector(home, store, transport, clock)
    }

    /// Forgets everything that is not in the store, as a process that was killed does.
    func restart() throws { connector = try Self.connector(home, store, transport, clock) }

    static func connector(
        _ home: StubMattermost, _ store: SQLStore, _ transport: CurlTransport, _ clock: ManualNow,
        token: String = StubMattermost.token
    ) throws -> MattermostConnector {
        guard let secret = SecretText(token) else { throw MatrixWorld.MissingSecret() }
        var settings = MattermostSettings(url: home.url, token: secret)
        settings.pageSize = 4
        settings.changeLimit = home.changeLimit
        settings.checkSize = 4
        settings.pingInterval = nil
        return MattermostConnector(
            settings: settings, store: store, transport: transport, sockets: StubMattermostSockets(server: home),
            now: clock.now, sleep: { clock.advance(by: $0) }, logger: .silent)
    }

    /// Takes all events of the live connection, and reads what they touch.
    func deliver() async throws {
        clock.advance(by: .milliseconds(10))
        do {
            try await connector.follow()
        } catch is StubMattermost.SocketError {}
        try await read()
    }

    func read() async throws {
        clock.advance(by: .milliseconds(10))
        _ = try await connector.advance()
    }

    // MARK: The contract

    var connected: any Connector { connector }
    var sourceCount: Int { home.posts(of: Self.room).count }

    func makeRoom() { home.makeChannel(Self.room, [Self.ada, Self.bob]) }

    func connect() async throws {
        home.addMember(StubMattermost.bot, to: Self.room)
        try await deliver()
    }

    func compare() async throws {
        clock.advance(by: .seconds(700))
        try await read()
    }

    func loseDeliveries() { home.forgetConnection() }

    @discardableResult
    func say(_ text: String, by person: String, inThreadOf root: String?) -> String {
        home.say(text, by: person, in: Self.room, root: root ?? "")
    }

    func edit(_ id: String, _ text: String, by person: String) { home.edit(id, text) }
    func delete(_ id: String, by person: String) { home.delete(id) }
    func react(to id: String, by person: String) { home.react("+1", to: id, by: person) }
    func join(_ person: String) { home.addMember(person, to: Self.room) }
    func leave(_ person: String) { home.removeMember(person, from: Self.room) }

    func send(_ file: SentFile, _ text: String, by person: String) -> String {
        home.say(text, by: person, in: Self.room, files: [home.upload(file)])
    }

    func replaceFile(of id: String, with file: SentFile, _ text: String, by person: String) {
        home.edit(id, text, files: [home.upload(file)])
    }

    func loseFile(_ name: String) { home.loseFile(name) }
    func removeNexus() { home.removeMember(StubMattermost.bot, from: Self.room) }
    var fileRequestCount: Int { home.requests.count { $0.contains("/files/") } }

    func failFile(_ fault: FileFault) {
        switch fault {
        case .status(let status): home.fail("/files/", .status(status))
        case .limited(let seconds): home.fail("/files/", .limited(seconds: seconds))
        case .breaks: home.fail("/files/", .breaks)
        }
    }

    func limit(seconds: Int) { home.fail("/posts?per_page", .limited(seconds: seconds)) }
    func failAfterOnePage() { home.onNextPage { $0.fail("/posts?per_page", .status(502)) } }
    func goAway() { home.refuse() }
    func comeBack() { home.admit() }

    func failSending() { home.fail("POST /api/v4/posts", .status(502)) }
    func failRemoving() { home.fail("DELETE /api/v4/posts", .status(502)) }
    func loseSending() { home.onNextCreation { _ in } }

    func shownAnswers() -> [(id: String, text: String, root: String?)] {
        home.posts(of: Self.room).filter { $0.author == StubMattermost.bot && $0.type.isEmpty && $0.deletedAt == 0 }
            .map { ($0.id, $0.text, $0.root.isEmpty ? nil : $0.root) }
    }

    func keptAnswers() -> [String] { home.keptTexts(of: StubMattermost.bot, in: Self.room) }
}
