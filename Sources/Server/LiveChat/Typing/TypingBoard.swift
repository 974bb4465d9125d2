package import ChatCore

/// A person types in a conversation, or has stopped.
///
/// A receiver may drop it, and should drop it first when a client is slow: it is repeated while the person types, and a
/// client stops showing it by itself.
package struct TypingEvent: Hashable, Sendable {
    /// The conversation.
    package let conversation: ConversationID
    /// The person who types.
    package let user: UserID
    /// How long to show it, unless a newer event arrives; zero when the person has stopped.
    package let remaining: Duration

    package init(conversation: ConversationID, user: UserID, remaining: Duration) {
        self.conversation = conversation
        self.user = user
        self.remaining = remaining
    }
}

/// The times and limits of typing.
package struct TypingSettings: Hashable, Sendable {
    /// The least time between two signals of one person in one conversation.
    package var interval: Duration
    /// How long a signal lives; at least ``interval``, so that repeated ones join up.
    package var lifetime: Duration
    /// The most members of a conversation in which typing is shown.
    package var memberLimit: Int

    package init(interval: Duration = .seconds(3), lifetime: Duration = .seconds(6), memberLimit: Int = 500) {
        self.interval = interval
        self.lifetime = lifetime
        self.memberLimit = memberLimit
    }
}

/// Knows who types, and which connection has which conversation open: all rules of typing, without a clock or a lock.
///
/// Whether a person is a member is up to the caller, in every call. Nothing is due by time, because clients end a signal by
/// themselves: the board removes what has ended at its next call.
///
/// - Complexity: A signal that is passed on costs the number of connections that have the conversation open.
package struct TypingBoard: Sendable {
    private struct View {
        let user: UserID
        let conversation: ConversationID
    }

    private struct Typist: Hashable {
        let user: UserID
        let conversation: ConversationID
    }

    private struct Signal {
        let passedAt: Timestamp
        /// Nil when the person has stopped; the entry then only keeps the interval.
        var endsAt: Timestamp?
    }

    /// Times and limits.
    package let settings: TypingSettings
    private var clock = SteadyClock()
    private var views: [ConnectionID: View] = [:]
    private var viewers: [ConversationID: Set<ConnectionID>] = [:]
    private var signals: [ConversationID: [UserID: Signal]] = [:]
    private var ends = DueQueue<Typist>()
    private let tellsNodes: Bool
    /// Events for other nodes.
    private var passed: [TypingEvent] = []

    /// - Parameters:
    ///   - settings: Times and limits.
    ///   - tellsNodes: Whether there are other nodes; then ``takePassed()`` must be called.
    package init(settings: TypingSettings = TypingSettings(), tellsNodes: Bool = false) {
        self.settings = settings
        self.tellsNodes = tellsNodes
    }

    /// The number of signals and of open conversations that it holds.
    package var sizes: (signals: Int, views: Int) { (ends.count, views.count) }

    /// Notes the conversation that a connection shows, instead of the one before.
    ///
    /// - Parameters:
    ///   - conversation: The conversation; the user is one of its members.
    ///   - connection: The connection.
    ///   - user: The person at the connection.
    ///   - moment: The present time.
    /// - Returns: Who types there now, for this connection.
    package mutating func open(
        _ conversation: ConversationID, on connection: ConnectionID, user: UserID, at moment: Timestamp
    ) -> [Delivery<TypingEvent>] {
        let now = advance(to: moment)
        close(connection)
        views[connection] = View(user: user, conversation: conversation)
        viewers[conversation, default: []].insert(connection)
        return (signals[conversation] ?? [:]).sorted { $0.key < $1.key }.compactMap { typist, signal in
            guard typist != user, let end = signal.endsAt else { return nil }
            let event = TypingEvent(conversation: conversation, user: typist, remaining: end - now)
            return Delivery(connection: connection, event: event)
        }
    }

    /// Notes that a connection has ended, or shows no conversation.
    package mutating func close(_ connection: ConnectionID) {
        guard let view = views.removeValue(forKey: connection) else { return }
        viewers[view.conversation]?.remove(connection)
        if viewers[view.conversation]?.isEmpty == true { viewers[view.conversation] = nil }
    }

    /// Whether a connection of a person shows a conversation.
    package func shows(_ conversation: ConversationID, to user: UserID) -> Bool {
        viewers[conversation]?.contains { views[$0]?.user == user } ?? false
    }

    /// Takes a person's word that they type, and passes it on to the others who have the conversation open.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - conversation: The conversation; the user is one of its members.
    ///   - memberCount: How many members the conversation has.
    ///   - moment: The present time.
    /// - Returns: Nothing if a signal was passed on within the interval, or if the conversation has too many members.
    package mutating func signal(
        _ user: UserID, in conversation: ConversationID, memberCount: Int, at moment: Timestamp
    ) -> [Delivery<TypingEvent>] {
        let now = advance(to: moment)
        guard memberCount <= settings.memberLimit else { return [] }
        if let last = signals[conversation]?[user], now < last.passedAt + settings.interval { return [] }
        let end = now + settings.lifetime
        signals[conversation, default: [:]][user] = Signal(passedAt: now, endsAt: end)
        ends.set(Typist(user: user, conversation: conversation), due: end)
        return passing(TypingEvent(conversation: conversation, user: user, remaining: settings.lifetime))
    }

    /// Takes an event of another node, which has checked that the person is a member.
    ///
    /// - Returns: Nothing for an event that was taken a short while ago.
    package mutating func take(_ event: TypingEvent, at moment: Timestamp) -> [Delivery<TypingEvent>] {
        let now = advance(to: moment)
        let (conversation, user) = (event.conversation, event.user)
        let last = signals[conversation]?[user]
        guard event.remaining > .zero else {
            guard let last, last.endsAt != nil else { return [] }
            signals[conversation]?[user]?.endsAt = nil
            ends.set(Typist(user: user, conversation: conversation), due: last.passedAt + settings.interval)
            return deliveries(event)
        }
        // Signals of the same node may arrive at other distances than they were sent.
        if let last, last.endsAt != nil, now < last.passedAt + settings.interval / 2 { return [] }
        let remaining = min(event.remaining, settings.lifetime)
        signals[conversation, default: [:]][user] = Signal(passedAt: now, endsAt: now + remaining)
        ends.set(Typist(user: user, conversation: conversation), due: now + remaining)
        return deliveries(TypingEvent(conversation: conversation, user: user, remaining: remaining))
    }

    /// Takes the events that other nodes are to be told.
    package mutating func takePassed() -> [TypingEvent] {
        if passed.isEmpty { return [] }
        defer { passed = [] }
        return passed
    }

    /// Ends a person's typing, because the message was sent or the text was deleted.
    ///
    /// The next signal still waits for its interval, so that nobody can send more events by stopping often.
    package mutating func stop(
        _ user: UserID, in conversation: ConversationID, at moment: Timestamp
    ) -> [Delivery<TypingEvent>] {
        _ = advance(to: moment)
        guard let signal = signals[conversation]?[user], signal.endsAt != nil else { return [] }
        signals[conversation]?[user]?.endsAt = nil
        ends.set(Typist(user: user, conversation: conversation), due: signal.passedAt + settings.interval)
        return passing(TypingEvent(conversation: conversation, user: user, remaining: .zero))
    }

    /// Ends a person's typing, and closes the conversation on all their connections, because they are no longer a member.
    package mutating func leave(
        _ user: UserID, _ conversation: ConversationID, at moment: Timestamp
    ) -> [Delivery<TypingEvent>] {
        for connection in viewers[conversation] ?? [] where views[connection]?.user == user { close(connection) }
        return stop(user, in: conversation, at: moment)
    }

    private mutating func passing(_ event: TypingEvent) -> [Delivery<TypingEvent>] {
        if tellsNodes { passed.append(event) }
        return deliveries(event)
    }

    private func deliveries(_ event: TypingEvent) -> [Delivery<TypingEvent>] {
        (viewers[event.conversation] ?? []).filter { views[$0]?.user != event.user }.sorted()
            .map { Delivery(connection: $0, event: event) }
    }

    /// Removes signals that have ended.
    private mutating func advance(to moment: Timestamp) -> Timestamp {
        let now = clock.advance(to: moment)
        while let typist = ends.popDue(at: now) {
            signals[typist.conversation]?[typist.user] = nil
            if signals[typist.conversation]?.isEmpty == true { signals[typist.conversation] = nil }
        }
        return now
    }
}
