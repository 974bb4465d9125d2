import Accounts
import ChatCore
import Foundation
import LiveChat
import UseCases
import WebServer

/// Why the server ends a live connection that works.
enum LiveEnding: String {
    case tokenExpired = "token_expired"
    case keyInvalid = "key_invalid"
    case sessionEnded = "session_ended"
    case userErased = "user_erased"

    var closeCode: SocketCloseCode { self == .userErased ? .forbidden : .unauthorized }
}

/// The parts of the server that live connections use; all of them share one, because the parts are large.
final class LiveParts: Sendable {
    let services: HTTPAPIServices
    let links: MessageLinkTemplate?

    init(_ services: HTTPAPIServices, links: MessageLinkTemplate?) {
        self.services = services
        self.links = links
    }
}

/// The output for one live client: frames of the feed, and events.
///
/// The socket or stream waits for ``signal`` and then takes what there is.
struct LiveClient: Sendable {
    let signal = WorkSignal()
    let listener: LiveListener
    private let parts: LiveParts
    private let validity: CallerValidity
    private let watch: SessionWatch?
    private let subscription: FeedSubscription
    /// The cursor that the client was told last.
    private(set) var sent: ChangeCursor

    /// - Parameters:
    ///   - user: The person.
    ///   - device: The device; nil for one that is not known again.
    ///   - start: The position of the client.
    ///   - validity: How long the person may be connected.
    ///   - hidesLastSeen: Whether the person hides when the person was last online.
    ///   - parts: The parts of the server.
    init(
        _ user: UserID, device: DeviceID?, after start: ChangeCursor, validity: CallerValidity, hidesLastSeen: Bool,
        parts: LiveParts
    ) {
        self.parts = parts
        self.validity = validity
        let right: SessionWatch.Right? =
            switch validity {
            case .session(let id): .session(id)
            case .until: .person(user)
            case .unlimited: .trusted
            case .key: nil
            }
        let watch = right.map { [signal] in SessionWatch($0, waking: signal) }
        if let watch { parts.services.live.add(watch) }
        self.watch = watch
        var mayAct = true
        if case .key = validity { mayAct = false }
        sent = start
        subscription = parts.services.feed.connect(user, after: start, waking: signal)
        listener = LiveListener(
            user: user,
            connection: parts.services.people.connect(
                user, device: device, hidesLastSeen: hidesLastSeen, waking: signal), mayAct: mayAct, parts: parts)
    }

    /// Whether the feed may have a frame.
    var hasWork: Bool { subscription.hasWork }

    /// Returns the events that arrived.
    ///
    /// - Throws: ``LivePeople/ForgottenError``.
    func events() throws(LivePeople.ForgottenError) -> [LivePeople.Event] { try listener.connection.take() }

    /// Returns the next frame as JSON; nil if nothing changed for the reader.
    ///
    /// - Throws: ``RepositoryError/expiredCursor`` if the client has to start again; other ``RepositoryError``s.
    mutating func frame() async throws -> String? {
        let (subscription, listener, sent, parts) = (subscription, listener, sent, parts)
        let frame: (text: String, end: ChangeCursor)? = try await inShortTask {
            guard let page = try await subscription.poll() else { return nil }
            for change in page.changes { listener.follow(change) }
            return (try parts.services.live.frames.text(of: page, after: sent, links: parts.links), page.end)
        }
        if let frame { self.sent = frame.end }
        return frame?.text
    }

    /// Returns the present cursor, for a heartbeat.
    mutating func heartbeat() -> ChangeCursor {
        sent = subscription.cursor
        return sent
    }

    /// Returns why the connection ends now: the token has expired, the key was revoked, or the session has ended.
    ///
    /// - Parameter isTick: Whether some seconds have passed since the last tick; keys are read only then.
    /// - Returns: Nil if it does not end.
    func ending(isTick: Bool) async -> LiveEnding? {
        let moment = parts.services.now()
        switch validity {
        case .unlimited: return watch?.hasEnded == true ? .sessionEnded : nil
        case .until(let end):
            guard moment < end else { return .tokenExpired }
            if watch?.hasEnded == true { return .sessionEnded }
            guard let accounts = parts.services.accounts, watch?.beginsChecking() == true || isTick else { return nil }
            let isDisabled = try? await inShortTask { [user = listener.user] in try await accounts.isDisabled(user) }
            return isDisabled ?? false ? .sessionEnded : nil
        case .session(let id):
            if watch?.hasEnded == true { return .sessionEnded }
            guard let accounts = parts.services.accounts, watch?.beginsChecking() == true || isTick else { return nil }
            let isValid = try? await inShortTask { try await accounts.session(id) != nil }
            return isValid ?? true ? nil : .sessionEnded
        case .key(let id):
            guard isTick else { return nil }
            let store = parts.services.store
            // A store that cannot be read says nothing about the key.
            let isValid = try? await inShortTask { try await store.key(id)?.key.isValid(at: moment) ?? false }
            return isValid ?? true ? nil : .keyInvalid
        }
    }

    /// Ends the connection; a device that said goodbye is offline at once.
    func close(isClean: Bool) {
        if let watch { parts.services.live.remove(watch) }
        subscription.close()
        listener.connection.close(isClean: isClean)
    }
}

/// Runs work in its own task, whose memory is freed at its end.
///
/// A task keeps the memory of its deepest call until it ends, and that of a live connection lives long.
func inShortTask<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
