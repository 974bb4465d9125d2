public import ChatCore
import Synchronization

/// The people who are connected to this process: their presence, who types, and the events for their connections.
///
/// Nothing of it is stored.
public final class LivePeople: Sendable {
    /// An event that is not in the log; the first thing to be dropped if a client is slow.
    public enum Event: Hashable, Sendable {
        case presence(PresenceFrame)
        case typing(TypingEvent)
    }

    private let mail = Mailboxes()
    private let presence: LivePresence
    private let typing: LiveTyping
    private let lastConnection = Mutex(UInt64(0))
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: The present time.
    public init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
        let mail = mail
        presence = LivePresence { deliveries in
            for delivery in deliveries { mail.put(.presence(delivery.event), for: delivery.connection) }
        }
        typing = LiveTyping { deliveries in
            for delivery in deliveries { mail.put(.typing(delivery.event), for: delivery.connection) }
        }
    }

    /// Ends leases and sends frames when they are due, until the task is cancelled.
    public func run() async { await presence.run(now: now) }

    /// The presence of a person; whether the asker may see it is up to the caller.
    public func presence(of user: UserID) -> Presence { presence.presence(of: user) }

    /// Whether a person who is online has a conversation open.
    public func isShowing(_ conversation: ConversationID, to user: UserID) -> Bool {
        typing.shows(conversation, to: user) && presence.presence(of: user).status == .online
    }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - device: The device; nil for one that is not known again.
    /// - Returns: The connection; it must be closed.
    public func connect(_ user: UserID, device: DeviceID?) -> LiveConnection {
        let id = lastConnection.withLock { number in
            number += 1
            return ConnectionID(rawValue: number)
        }
        let signal = mail.open(id)
        let device = device ?? DeviceID(rawValue: "connection-\(id.rawValue)")
        presence.update { $0.connect(id, user: user, device: device, at: now()) }
        return LiveConnection(people: self, id: id, user: user, signal: signal)
    }

    fileprivate func beat(_ id: ConnectionID, _ activity: PresenceActivity?) {
        presence.update { $0.beat(id, activity: activity, at: now()) }
    }

    fileprivate func watch(_ users: Set<UserID>, by id: ConnectionID, among known: Set<UserID>) throws(PresenceError) {
        try presence.update { board throws(PresenceError) in
            try board.watch(users, by: id, at: now()) { known.contains($0) }
        }
    }

    fileprivate func show(_ conversation: ConversationID?, on id: ConnectionID, of user: UserID) {
        guard let conversation else { return typing.close(id) }
        typing.update { $0.open(conversation, on: id, user: user, at: now()) }
    }

    fileprivate func type(_ isTyping: Bool, in conversation: ConversationID, _ user: UserID, memberCount: Int) {
        typing.update { board in
            isTyping
                ? board.signal(user, in: conversation, memberCount: memberCount, at: now())
                : board.stop(user, in: conversation, at: now())
        }
    }

    fileprivate func leave(_ conversation: ConversationID, _ user: UserID) {
        typing.update { $0.leave(user, conversation, at: now()) }
    }

    fileprivate func take(of id: ConnectionID) -> [Event] {
        let (events, isIncomplete) = mail.take(of: id)
        if isIncomplete { presence.update { $0.resend(to: id, at: now()) } }
        return events
    }

    fileprivate func close(_ id: ConnectionID, isClean: Bool) {
        typing.close(id)
        presence.update { isClean ? $0.close(id, at: now()) : $0.drop(id, at: now()) }
        mail.close(id)
    }
}

/// One connection of a person.
public final class LiveConnection: Sendable {
    private let people: LivePeople
    private let id: ConnectionID
    private let user: UserID
    private let signal: WorkSignal

    fileprivate init(people: LivePeople, id: ConnectionID, user: UserID, signal: WorkSignal) {
        self.people = people
        self.id = id
        self.user = user
        self.signal = signal
    }

    /// Renews the lease of the connection; `activity` says whether the person is at the device, if that is known.
    public func beat(_ activity: PresenceActivity? = nil) { people.beat(id, activity) }

    /// Watches people, instead of those before.
    ///
    /// - Parameters:
    ///   - users: The people.
    ///   - known: Those whom the person may watch; others are left out.
    /// - Throws: ``PresenceError/tooManyWatched(limit:got:)``.
    public func watch(_ users: Set<UserID>, among known: Set<UserID>) throws(PresenceError) {
        try people.watch(users, by: id, among: known)
    }

    /// Notes the conversation that the client shows; nil for none.
    public func show(_ conversation: ConversationID?) { people.show(conversation, on: id, of: user) }

    /// Passes on that the person types in a conversation, or has stopped.
    public func type(_ isTyping: Bool, in conversation: ConversationID, memberCount: Int) {
        people.type(isTyping, in: conversation, user, memberCount: memberCount)
    }

    /// Notes that the person is no longer in a conversation.
    public func leave(_ conversation: ConversationID) { people.leave(conversation, user) }

    /// Waits for events.
    ///
    /// - Throws: `CancellationError`.
    public func events() async throws -> [LivePeople.Event] {
        while true {
            let seen = signal.count
            let events = people.take(of: id)
            if !events.isEmpty { return events }
            try await signal.wait(after: seen, timeout: nil)
        }
    }

    /// Ends the connection; a device that said goodbye is offline at once.
    public func close(isClean: Bool) { people.close(id, isClean: isClean) }
}

/// The events that connections have not sent yet.
private final class Mailboxes: Sendable {
    /// The most events that wait for a connection.
    private static let limit = 64

    private struct Mailbox {
        let signal: WorkSignal
        var events: [LivePeople.Event] = []
        /// Whether a presence was dropped.
        var isIncomplete = false
    }

    private let boxes = Mutex<[ConnectionID: Mailbox]>([:])

    func open(_ id: ConnectionID) -> WorkSignal {
        let signal = WorkSignal()
        boxes.withLock { $0[id] = Mailbox(signal: signal) }
        return signal
    }

    func put(_ event: LivePeople.Event, for id: ConnectionID) {
        let signal = boxes.withLock { boxes -> WorkSignal? in
            guard boxes[id] != nil else { return nil }
            if boxes[id]?.events.count ?? 0 < Self.limit {
                boxes[id]?.events.append(event)
            } else if case .presence = event {
                boxes[id]?.isIncomplete = true
            }
            return boxes[id]?.signal
        }
        signal?.signal()
    }

    func take(of id: ConnectionID) -> (events: [LivePeople.Event], isIncomplete: Bool) {
        boxes.withLock { boxes in
            defer {
                boxes[id]?.events = []
                boxes[id]?.isIncomplete = false
            }
            return (boxes[id]?.events ?? [], boxes[id]?.isIncomplete ?? false)
        }
    }

    func close(_ id: ConnectionID) {
        boxes.withLock { $0[id] = nil }
    }
}
