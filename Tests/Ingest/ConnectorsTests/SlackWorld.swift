import ChatCore
import Connectors
import Foundation
import Logging
import MessageStore
import TestSupport
import Transport

/// A store, a Slack workspace, and the connector between them.
class SlackWorld: ConnectorWorld {
    static let ada = "U0ADA"
    static let bob = "U0BOB"
    static let eve = "U0EVE"
    static let source = SlackSettings.source
    static let room = "C0PLANS"
    static let conversation: ConversationID = "slack-C0PLANS"

    let home: StubSlack
    let store: SQLStore
    let clock = ManualNow(Timestamp(microseconds: 1_760_100_000_000_000))
    private(set) var connector: SlackConnector
    private let transport: CurlTransport

    /// The secret with which requests over HTTP are signed; nil for Socket Mode.
    class var signingSecret: String? { nil }

    required init(_ store: SQLStore) throws {
        let home = try StubSlack()
        let transport = try CurlTransport()
        (self.home, self.store, self.transport) = (home, store, transport)
        connector = try Self.connector(home, store, transport, clock, signingSecret: Self.signingSecret)
    }

    /// Forgets everything that is not in the store, as a process that was killed does.
    func restart() throws {
        connector = try Self.connector(home, store, transport, clock, signingSecret: Self.signingSecret)
    }

    static func connector(
        _ home: StubSlack, _ store: SQLStore, _ transport: CurlTransport, _ clock: ManualNow,
        botToken: String = StubSlack.botToken, appToken: String = StubSlack.appToken, channels: Set<String> = [],
        signingSecret: String? = nil, replyLimit: Duration = .seconds(60), losesAcknowledgements: Bool = false,
        staysOpen: Bool = false
    ) throws -> SlackConnector {
        guard let bot = SecretText(botToken), let app = SecretText(appToken) else { throw MatrixWorld.MissingSecret() }
        let secret = signingSecret.flatMap { SecretText($0) }
        let delivery = secret.map { SlackSettings.Delivery.http(signingSecret: $0) } ?? .socketMode(appToken: app)
        var settings = SlackSettings(botToken: bot, delivery: delivery, url: home.url)
        (settings.pageSize, settings.channels, settings.replyLimit) = (4, channels, replyLimit)
        return SlackConnector(
            settings: settings, store: store, transport: transport,
            sockets: StubSlackSockets(
                server: home, losesAcknowledgements: losesAcknowledgements, staysOpen: staysOpen), now: clock.now,
            sleep: { clock.advance(by: $0) }, logger: .silent)
    }

    /// Takes all events of the live connection, and reads what may have been missed.
    func deliver() async throws {
        if home.isRefusing { clock.advance(by: .milliseconds(10)) } else { try await follow() }
        try await read()
    }

    /// Takes all events of the live connection.
    func follow() async throws {
        clock.advance(by: .milliseconds(10))
        try await connector.follow()
    }

    /// Reads until only a long limit is in the way.
    func read() async throws {
        clock.advance(by: .milliseconds(10))
        while let pause = try await connector.advance() {
            guard let end = connector.status.waitingUntil, end > clock.now(), pause <= .seconds(600) else { return }
            clock.advance(by: pause)
        }
    }

    // MARK: The contract

    var connected: any Connector { connector }
    var sourceCount: Int { home.posts(of: Self.room).count }

    func makeRoom() { home.makeChannel(Self.room, [Self.ada, Self.bob]) }

    func connect() async throws {
        home.addMember(StubSlack.bot, to: Self.room)
        try await deliver()
    }

    func compare() async throws {
        clock.advance(by: .seconds(700))
        try await read()
    }

    func loseDeliveries() { home.loseDeliveries() }

    @discardableResult
    func say(_ text: String, by person: String, inThreadOf root: String?) -> String {
        let isQuestion = text.hasPrefix("@nexus ")
        return home.say(
            isQuestion ? "<@\(StubSlack.bot)>\(text.dropFirst(6))" : text, by: person, in: Self.room, root: root)
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
    func removeNexus() { home.removeMember(StubSlack.bot, from: Self.room) }
    var fileRequestCount: Int { home.fileRequestCount }

    func failFile(_ fault: FileFault) {
        switch fault {
        case .status(let status): home.fail("download", .status(status))
        case .limited(let seconds): home.fail("download", .limited(seconds: seconds))
        case .breaks: home.fail("download", .breaks)
        }
    }

    func limit(seconds: Int) { home.fail("conversations.history", .limited(seconds: seconds)) }
    func failAfterOnePage() { home.onNextPage { $0.fail("conversations.history", .status(502)) } }
    func goAway() { home.refuse() }
    func comeBack() { home.admit() }

    func failSending() { home.fail("chat.postMessage", .status(502)) }
    func failRemoving() { home.fail("chat.delete", .status(502)) }
    func loseSending() { home.loseNextCreation() }

    func shownAnswers() -> [(id: String, text: String, root: String?)] {
        home.posts(of: Self.room).filter { $0.author == StubSlack.bot && $0.subtype == nil && !$0.isDeleted }
            .map { ($0.id, $0.text, $0.root) }
    }

    /// Slack shows no earlier text of a message.
    func keptAnswers() -> [String] { shownAnswers().map(\.text) }
}
