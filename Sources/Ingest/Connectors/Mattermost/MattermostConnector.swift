package import ChatCore
import Foundation
import Histories
package import Logging
import ServiceLifecycle
import Synchronization
package import Transport

/// Keeps the channels of a Mattermost server that the bot account is a member of.
///
/// Events of the live connection are stored as they come. What may have been missed is read afterwards: a channel is
/// *touched*, and its members and changed posts are read from the server, in this order. Histories are read between, from
/// their ends to their beginnings. All states of a post go the same way into the store, where the one with the latest
/// time of the server's own wins, so the order of reading does not matter.
///
/// Members are always read from the server, never added up from events; but a person who is removed reads nothing from
/// the moment of the event on. Only ``advance()`` changes how far a channel was read.
package final class MattermostConnector: Connector {
    let settings: MattermostSettings
    let store: any ConnectorStore
    let client: ConnectorClient
    let rooms: ConnectorRooms<MattermostProgress>
    let sockets: any ConnectorSockets
    /// What it is doing.
    package let status = ConnectorStatus()
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let naming = HistoryNaming(source: MattermostSettings.source)
    /// Signalled when there is something to read.
    let work = WorkSignal()
    let state = Mutex(State())

    /// What of a channel is to be read again.
    struct Touch: OptionSet, Sendable {
        let rawValue: Int
        /// Its name and its members.
        static let members = Touch(rawValue: 1)
        /// Its changed posts.
        static let posts = Touch(rawValue: 2)
    }

    /// What this process knows of the server.
    struct State {
        var identity: MattermostIdentity?
        /// Names of teams, by id.
        var teams: [String: String] = [:]
        var channels: [String: MattermostChannel] = [:]
        var users: [String: MattermostUser] = [:]
        /// The channels of which nothing was missed and whose members are those of the server: their posts are stored as
        /// they come.
        var fresh: Set<String> = []
        /// The time of the last change that came by an event while the channel was fresh, in milliseconds of the server.
        var seenUntil: [String: Int64] = [:]
        var touched: [String: Touch] = [:]
        /// The channels of which some stored posts are to be compared.
        var unchecked: Set<String> = []
        var comparedAt: Timestamp?
        /// The live connection, and the number of the event that comes next in it.
        var stream: (connection: String, next: Int64)?
        var isLive = false
    }

    /// - Parameters:
    ///   - settings: The server.
    ///   - store: The store.
    ///   - transport: Sends requests to the server.
    ///   - sockets: Opens live connections.
    ///   - now: The present time.
    ///   - sleep: Waits for a limit of the server.
    ///   - logger: Receives failures; never texts.
    package init(
        settings: MattermostSettings, store: any ConnectorStore, transport: any HTTPTransport,
        sockets: any ConnectorSockets, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        (self.settings, self.store, self.sockets, self.now, self.logger) = (settings, store, sockets, now, logger)
        rooms = ConnectorRooms(source: MattermostSettings.source, store: store, now: now)
        client = ConnectorClient(
            root: settings.url + "/api/v4", token: settings.token, codeField: "id", transport: transport,
            status: status, now: now, sleep: sleep)
    }

    /// Follows the live connection, and reads what it does not bring, until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await self.sockets.keepFollowing("mattermost", self.work, self.logger) { error in
                        error is MattermostGap ? .milliseconds(100) : nil
                    } _: {
                        try await self.follow()
                    }
                }
                group.addTask {
                    await self.work.repeating { error in
                        self.logger.warning(
                            "Mattermost cannot be read", metadata: ["error.type": "\(type(of: error))"])
                    } _: {
                        try await self.advance()
                    }
                }
            }
        }
    }

    /// Compares the channels if that is due, and reads all that is left to read.
    ///
    /// - Returns: The time until it is to be called again.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func advance() async throws -> Duration? {
        let interval = state.withLock { $0.isLive } ? settings.comparisonInterval : settings.pollInterval
        do {
            _ = try await identity()
            let isDue = state.withLock { $0.comparedAt.map { now() - $0 >= interval } ?? true }
            if isDue { try await compareChannels() }
            repeat { try await catchUp() } while try await readHistories()
            return interval
        } catch ConnectorError.limited(let end) {
            status.wait(until: end)
            return max(.milliseconds(1), end - now())
        } catch let error as ConnectorError {
            logger.warning("The Mattermost server cannot be read", metadata: ["error": "\(error)"])
            return settings.retryPause
        }
    }

    /// Returns who Nexus is at the server, and asks it the first time.
    func identity() async throws -> MattermostIdentity {
        if let known = state.withLock({ $0.identity }) { return known }
        guard let me = MattermostUser(try await client.call("GET", ["users", "me"])) else {
            throw ConnectorError.unreadable
        }
        let site = try? await client.call("GET", ["config", "client"], query: [("format", "old")]).text("SiteURL")
        let address = site.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        let identity = MattermostIdentity(
            userID: me.id, username: me.username,
            site: MessageLink.usable(address) ?? settings.url)
        state.withLock { state in
            state.identity = identity
            state.users[me.id] = me
        }
        return identity
    }

    /// Forgets everything that is not in the store.
    package func forget() {
        rooms.forget()
        state.withLock { $0 = State() }
    }

    /// Says that something of a channel is to be read.
    func touch(_ channel: String, _ touch: Touch) {
        state.withLock { $0.touched[channel, default: []].formUnion(touch) }
        work.signal()
    }

    /// Returns what an operator reads about the server and its channels.
    ///
    /// - Throws: ``RepositoryError``.
    package func overview() async throws -> ConnectionOverview {
        var report = ConnectorReport<MattermostProgress>(
            source: MattermostSettings.source, address: settings.url, server: "server", unit: "posts",
            tokenSetting: "mattermost.token", tokenAdvice: "make a new one for the bot account, and restart Nexus",
            countsReactions: false)
        let isReading = state.withLock { $0.comparedAt != nil && !$0.isLive }
        if isReading {
            let pause = settings.pollInterval.components.seconds
            report.notes = [.init(code: .notLive, text: "no live connection: read every \(pause) s")]
        }
        return try await report.overview(store, status, at: now())
    }

    /// Asks the server whose token it is.
    package func test() async throws -> [ConnectionCheck] {
        let test = ConnectorTest(server: "server")
        return [
            try await test.check("mattermost.token", advice: "make a new one for the bot account, and restart Nexus") {
                let me = try await client.call("GET", ["users", "me"])
                let teams = try await client.list("GET", ["users", "me", "teams"]).compactMap { $0.text("name") }
                let places = teams.isEmpty ? "no team yet: add it to one" : teams.joined(separator: ", ")
                return "it is the account \(me.text("username") ?? "?") in \(places)"
            }
        ]
    }
}
