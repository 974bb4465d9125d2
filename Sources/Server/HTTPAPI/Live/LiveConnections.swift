package import ChatCore
package import CoreMetrics
package import LiveChat
import Synchronization

/// The live connections of this process: their limits and numbers, and the streams whose clients send by requests.
///
/// The limits of a minute hold for all nodes together.
package final class LiveConnections: Sendable {
    private struct State {
        var counts: [UserID: Int] = [:]
        var total = 0
        var streams: [String: LiveListener] = [:]
        /// The watches over connections.
        var watches: [SessionWatch.Right: [ObjectIdentifier: SessionWatch]] = [:]
        /// Whether sign-in was turned on, so that nobody may be connected who did not sign in.
        var refusesTrusted = false
    }

    let settings: LiveSettings
    let metrics: LiveMetrics
    let frames = FrameMemory()
    private let handshakes: RateLimiter
    private let tickets: RateLimiter
    private let addresses: RateLimiter
    private let state = Mutex(State())

    package init(
        settings: LiveSettings = LiveSettings(), buckets: any SharedBuckets = LocalBuckets(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        self.settings = settings
        self.metrics = LiveMetrics(factory: metrics)
        handshakes = RateLimiter("handshakes of", limit: settings.handshakesPerMinute, buckets: buckets)
        tickets = RateLimiter("tickets of", limit: settings.handshakesPerMinute, buckets: buckets)
        addresses = RateLimiter("handshakes from", limit: settings.handshakesPerAddress, buckets: buckets)
    }

    /// Forgets texts of messages that are kept for the next reader; for erasures.
    package func forgetFrames() { frames.clear() }

    /// Closes the connections of sessions that have ended.
    package func close(_ sessions: [AccountSession.ID]) { end(sessions.map { .session($0) }) }

    /// Closes the connections of people whose accounts were disabled, which were opened with tokens of the issuer.
    package func close(disabled users: [UserID]) { end(users.map { .person($0) }) }

    /// Closes the connections of callers who did not sign in, and those that they open with earlier tickets.
    package func closeTrusted() {
        state.withLock { $0.refusesTrusted = true }
        end([.trusted])
    }

    private func end(_ rights: [SessionWatch.Right]) {
        let watches = state.withLock { state in rights.flatMap { state.watches[$0].map { Array($0.values) } ?? [] } }
        for watch in watches { watch.end() }
    }

    func add(_ watch: SessionWatch) {
        let isLate = state.withLock { state in
            state.watches[watch.right, default: [:]][ObjectIdentifier(watch)] = watch
            return state.refusesTrusted && watch.right == .trusted
        }
        if isLate { watch.end() }
    }

    func remove(_ watch: SessionWatch) {
        state.withLock { state in
            state.watches[watch.right]?[ObjectIdentifier(watch)] = nil
            if state.watches[watch.right]?.isEmpty == true { state.watches[watch.right] = nil }
        }
    }

    /// Counts an event that a slow connection does not get.
    package func countDropped(_ event: LivePeople.Event) { metrics.countDropped(event) }

    /// Counts a handshake from an address; nil is not counted.
    func takeHandshake(from address: String?) async throws(Failure) {
        guard let address else { return }
        let decision = await addresses.take(address)
        guard !decision.isAllowed else { return }
        throw .tooManyHandshakes(retryAfter: decision.retryAfter)
    }

    /// Counts a handshake of a person; refuses also if there are too many connections.
    func takeHandshake(of user: UserID) async throws(Failure) {
        let decision = await handshakes.take(user.rawValue)
        guard decision.isAllowed else { throw .tooManyHandshakes(retryAfter: decision.retryAfter) }
        let (own, total) = state.withLock { ($0.counts[user] ?? 0, $0.total) }
        guard own < settings.connectionsPerUser else { throw .tooManyConnections }
        guard total < settings.connectionLimit else { throw .noMoreConnections }
    }

    /// Counts a ticket for a person.
    func takeTicket(for user: UserID) async throws(Failure) {
        let decision = await tickets.take(user.rawValue)
        guard decision.isAllowed else { throw .tooManyHandshakes(retryAfter: decision.retryAfter) }
    }

    /// Counts a connection; returns false if there are too many.
    func begin(_ kind: LiveMetrics.Kind, of user: UserID) -> Bool {
        let isTaken = state.withLock { state in
            let own = state.counts[user] ?? 0
            guard own < settings.connectionsPerUser, state.total < settings.connectionLimit else { return false }
            state.counts[user] = own + 1
            state.total += 1
            return true
        }
        if isTaken { metrics.countOpen(1, kind) }
        return isTaken
    }

    /// Counts the end of a connection that was begun.
    func end(_ kind: LiveMetrics.Kind, of user: UserID) {
        state.withLock { state in
            let rest = (state.counts[user] ?? 1) - 1
            state.counts[user] = rest > 0 ? rest : nil
            state.total -= 1
        }
        metrics.countOpen(-1, kind)
    }

    /// Lets the client of a stream speak by requests that name it.
    func add(_ stream: String, _ listener: LiveListener) {
        state.withLock { $0.streams[stream] = listener }
    }

    func remove(_ stream: String) {
        state.withLock { _ = $0.streams.removeValue(forKey: stream) }
    }

    /// Returns the listener of a stream; only for its own person.
    func listener(of stream: String, for user: UserID) throws(Failure) -> LiveListener {
        guard let listener = state.withLock({ $0.streams[stream] }), listener.user == user else {
            throw .noSuchStream
        }
        return listener
    }
}

/// Ends one connection when its session ends, or its person's account is disabled.
final class SessionWatch: Sendable {
    /// What keeps a connection open.
    enum Right: Hashable, Sendable {
        case session(AccountSession.ID)
        /// A person with a token of the issuer.
        case person(UserID)
        /// The trust of a server without authentication.
        case trusted
    }

    let right: Right
    private let signal: WorkSignal
    private let state = Mutex((hasEnded: false, isChecked: false))

    init(_ right: Right, waking signal: WorkSignal) {
        self.right = right
        self.signal = signal
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether the store has not been asked yet; the right may have ended before the watch began.
    func beginsChecking() -> Bool {
        state.withLock { state in
            defer { state.isChecked = true }
            return !state.isChecked
        }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        signal.signal()
    }
}

extension Failure {
    static func tooManyHandshakes(retryAfter: Int) -> Failure {
        Failure(
            429, "too_many_handshakes", "too many live connections or tickets were asked for in a minute",
            .resourceExhausted, retryAfter: retryAfter)
    }

    static let tooManyConnections = Failure(
        429, "too_many_connections", "this user has too many live connections", .resourceExhausted, retryAfter: 30)
    static let noMoreConnections = Failure(
        503, "no_more_connections", "the server has too many live connections", .unavailable, retryAfter: 30)
    static let noSuchStream = Failure(
        404, "stream_not_found", "this user has no such open stream", .notFound, field: "stream")
}
