package import ChatCore
import Foundation
import Histories
package import Logging
import ServiceLifecycle
import Synchronization
package import Transport

/// Keeps the channels of a Slack workspace that the app's bot user is a member of.
///
/// Events of the live connection, or of requests over HTTP, are stored as they come. Slack has no list of changes, so what may have been missed is
/// found by comparing: a channel is read from its end to its beginning, and stored messages that are not in a page are
/// deleted. The first such reading is the history; each further one is a *check*, which begins after every gap of the
/// live connection and once a day. All states of a message go the same way into the store, where the one with the latest
/// edit wins, so the order of reading does not matter.
///
/// Members are always read from Slack, never added up from events; but a person who leaves reads nothing from the moment
/// of the event on. Only ``advance()`` changes how far a channel was read.
package final class SlackConnector: Connector {
    let settings: SlackSettings
    let store: any ConnectorStore
    let client: SlackClient
    let rooms: ConnectorRooms<SlackProgress>
    let sockets: any ConnectorSockets
    /// What it is doing.
    package let status = ConnectorStatus()
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let naming = HistoryNaming(source: SlackSettings.source)
    /// When this process began: an answer from before may have been sent by another one.
    let startedAt: Timestamp
    /// Signalled when there is something to read.
    let work = WorkSignal()
    /// Signalled when events wait in the store.
    let inbox = WorkSignal()
    /// The number of requests over HTTP whose events are being written.
    let pendingRequests = Mutex(0)
    let state = Mutex(State())

    /// What this process knows of the workspace.
    struct State {
        var identity: SlackIdentity?
        var channels: [String: SlackChannel] = [:]
        /// Names of people and channels, as texts show them.
        var reading: SlackReading?
        /// The channels whose members are those of Slack: their messages are stored as they come.
        var fresh: Set<String> = []
        /// The channels whose name and members are to be read.
        var touched: Set<String> = []
        /// The channels that Slack refuses to read until the next comparison.
        var refused: Set<String> = []
        /// The channel of which a page was read last, in which reading.
        var lastReading: (String, SlackProgress.Reading)?
        /// Whether messages may have been missed.
        var hasGap = true
        var comparedAt: Timestamp?
        var isLive = false
        /// When the last event over HTTP was taken.
        var heardAt: Timestamp?
        /// The last events that were taken, which may come again.
        var taken = RecentEvents()
        /// Messages whose reactions changed while history was being read.
        var reacted: Set<String> = []
        /// Answers that may have been sent although the reply was lost.
        var attempted = RecentEvents()
    }

    /// - Parameters:
    ///   - settings: The workspace.
    ///   - store: The store.
    ///   - transport: Sends requests to the Web API.
    ///   - sockets: Opens live connections.
    ///   - now: The present time.
    ///   - sleep: Waits for a limit of Slack.
    ///   - logger: Receives failures; never texts.
    package init(
        settings: SlackSettings, store: any ConnectorStore, transport: any HTTPTransport,
        sockets: any ConnectorSockets, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        (self.settings, self.store, self.sockets, self.now, self.logger) = (settings, store, sockets, now, logger)
        startedAt = now()
        rooms = ConnectorRooms(source: SlackSettings.source, store: store, now: now)
        client = SlackClient(settings, transport: transport, status: status, now: now, sleep: sleep)
    }

    /// Follows the live connection, and reads what it does not bring, until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.receive() }
                group.addTask {
                    await self.work.repeating { error in
                        self.logger.warning("Slack cannot be read", metadata: ["error.type": "\(type(of: error))"])
                    } _: {
                        try await self.advance()
                    }
                }
            }
        }
    }

    private func receive() async {
        guard !settings.isOverHTTP else {
            return await inbox.repeating { error in
                logger.warning("Events of Slack are not taken", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await takeWaiting()
            }
        }
        await sockets.keepFollowing("slack", work, logger) { error in
            guard case ConnectorError.limited(let end) = error else { return nil }
            return max(.seconds(1), end - now())
        } _: {
            try await follow()
        }
    }

    /// Whether nothing is missed at present: there is a live connection, or events came over HTTP within a day.
    func isLive(_ state: borrowing State) -> Bool {
        guard settings.isOverHTTP else { return state.isLive }
        return state.heardAt.map { now() - $0 < settings.checkInterval } ?? false
    }

    /// Looks for events that wait in the store.
    package func hear() { inbox.signal() }

    /// Compares the channels if that is due, and reads all that is left to read.
    ///
    /// - Returns: The time until it is to be called again.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func advance() async throws -> Duration? {
        do {
            _ = try await identity()
            repeat {
                let isDue = state.withLock { state in
                    state.hasGap || state.comparedAt.map { now() - $0 >= settings.comparisonInterval } ?? true
                }
                if isDue { try await compareChannels() }
                try await catchUp()
            } while try await readHistories()
            return settings.comparisonInterval
        } catch ConnectorError.limited(let end) {
            status.wait(until: end)
            return max(.milliseconds(1), end - now())
        } catch let error as ConnectorError {
            logger.warning("Slack cannot be read", metadata: ["error": "\(error)"])
            if case .refused = error { return .seconds(60) }
            return settings.retryPause
        }
    }

    /// Returns who Nexus is in the workspace, and asks Slack the first time.
    func identity() async throws -> SlackIdentity {
        if let known = state.withLock({ $0.identity }) { return known }
        let reply = try await client.write("auth.test", [:])
        guard let user = reply.text("user_id"), let team = reply.text("team_id") else {
            throw ConnectorError.unreadable
        }
        let address = reply.text("url").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        let site = MessageLink.usable(address)
        let identity = SlackIdentity(userID: user, botID: reply.text("bot_id"), team: team, site: site)
        state.withLock { state in
            state.identity = identity
            var reading = SlackReading(naming: HistoryNaming(source: SlackSettings.source, workspaceURL: site))
            reading.add(SlackPerson(bot: settings.mentionName, id: user))
            state.reading = reading
        }
        return identity
    }

    /// Forgets everything that is not in the store.
    package func forget() {
        rooms.forget()
        state.withLock { $0 = State() }
    }

    /// Says that the members of a channel are to be read.
    func touch(_ channel: String) {
        state.withLock { state in
            state.fresh.remove(channel)
            state.touched.insert(channel)
        }
        work.signal()
    }

    /// Returns what an operator reads about the workspace and its channels.
    ///
    /// - Throws: ``RepositoryError``.
    package func overview() async throws -> ConnectionOverview {
        if let end = client.limitedUntil, end > now() { status.wait(until: end) }
        // Calls with the other token may have succeeded since.
        if client.unknownToken != nil { status.failed(.token) }
        let setting = client.unknownToken ?? "slack.bot-token"
        let place = setting == "slack.bot-token" ? "OAuth & Permissions" : "Basic Information, with connections:write"
        let (identity, isLive, hasCompared) = state.withLock { state in
            (state.identity, self.isLive(state), state.comparedAt != nil)
        }
        var report = ConnectorReport<SlackProgress>(
            source: SlackSettings.source, address: identity?.site ?? settings.url, server: "Slack service",
            unit: "messages",
            tokenSetting: setting,
            tokenAdvice: "it was revoked or is another one, so copy it again (\(place)), and restart Nexus",
            countsReactions: false)
        let scopes = client.missingScopes
        if !scopes.isEmpty {
            let names = scopes.joined(separator: ", ")
            report.notes.append(
                .init(
                    code: .scopes, detail: names,
                    text: "the app lacks \(names): add it under OAuth & Permissions, and install the app again"))
        }
        if hasCompared, !isLive {
            report.notes.append(
                settings.isOverHTTP
                    ? .init(
                        code: .noEvents,
                        text: "no event came over HTTP: check the Request URL of the app; messages come when channels "
                            + "are compared")
                    : .init(code: .notLive, text: "no live connection: messages come when channels are compared"))
        }
        let checks = try await rooms.all().filter { room in
            let progress = SlackProgress(room.progress)
            return progress.check != nil && !progress.hasLeft && !room.isErased
        }.count
        if checks > 0 {
            report.notes.append(
                .init(code: .comparing, detail: "\(checks)", text: "comparing \(checks) rooms with Slack"))
        }
        return try await report.overview(store, status, at: now())
    }

    /// Calls Slack with each token.
    package func test() async throws -> [ConnectionCheck] {
        let test = ConnectorTest(server: "Slack service")
        let bot = try await test.check(
            "slack.bot-token", advice: "copy it again (OAuth & Permissions), and restart Nexus"
        ) {
            let reply = try await client.write("auth.test", [:])
            return "it is the user \(reply.text("user") ?? "?") of \(reply.text("team") ?? "?")"
        }
        guard !settings.isOverHTTP else { return [bot, heardCheck] }
        let app = try await test.check(
            "slack.app-token",
            advice: "make one with connections:write (Basic Information), switch Socket Mode on, and restart Nexus"
        ) {
            _ = try await client.openConnection()
            return "it opens live connections"
        }
        return [bot, app]
    }

    /// Whether a request with the right signature came.
    private var heardCheck: ConnectionCheck {
        guard let heardAt = state.withLock({ $0.heardAt }) else {
            return ConnectionCheck(
                "slack.signing-secret", isWorking: false,
                "no event came since the start: write something in a channel with Nexus; if nothing comes, press Retry at "
                    + "Event Subscriptions, and compare the signing secret (Basic Information)")
        }
        return ConnectionCheck("slack.signing-secret", isWorking: true, "events came at \(heardAt.iso8601)")
    }
}

/// The ids of the last events.
struct RecentEvents {
    private static let limit = 2_000
    private var known: Set<String> = []
    private var order: [String] = []

    /// Remembers an event; returns whether it is new.
    mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.limit {
            known.subtract(order.prefix(Self.limit / 2))
            order.removeFirst(Self.limit / 2)
        }
        return true
    }
}
