package import ChatCore
import Synchronization

/// The people who are connected to this process: their presence, who types, and the events for their connections.
///
/// Nothing of it is stored. Nodes that share a store tell each other.
package final class LivePeople: Sendable {
    /// An event that is not in the log; the first thing to be dropped if a client is slow.
    package enum Event: Hashable, Sendable {
        case presence(PresenceFrame)
        case typing(TypingEvent)
        case answer(AnswerPiece)
    }

    /// The connection was ended because its person was erased.
    package struct ForgottenError: Error, Hashable {
        package init() {}
    }

    /// Returns the people whose presence a person may see; both must see each other.
    package typealias Companions = @Sendable (UserID) async throws -> Set<UserID>

    /// Whether a person may read a conversation now.
    package typealias ReadPermission = @Sendable (ConversationID, UserID) async -> Bool

    private let mail: Mailboxes
    private let presence: LivePresence
    private let typing: LiveTyping
    private let answers = HeldAnswers()
    private let memberships = ChangedMemberships()
    private let lastConnection = Mutex(UInt64(0))
    private let nodes: any NodeChannel
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - now: The present time.
    ///   - nodes: The channel to other nodes.
    ///   - dropped: Called with each event that a slow connection does not get; it must return quickly.
    package init(
        now: @escaping @Sendable () -> Timestamp, nodes: any NodeChannel = LocalNodeChannel(),
        dropped: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.now, self.nodes) = (now, nodes)
        mail = Mailboxes(dropped: dropped)
        let mail = mail
        presence = LivePresence(nodes: nodes) { deliveries in
            for delivery in deliveries { mail.put(.presence(delivery.event), for: delivery.connection) }
        }
        typing = LiveTyping(nodes: nodes) { deliveries in
            for delivery in deliveries { mail.put(.typing(delivery.event), for: delivery.connection) }
        }
        guard nodes.reachesOthers else { return }
        nodes.listen { [weak self] in self?.take($0) }
        // Asks the other nodes.
        presence.update { $0.advance(to: now()) }
    }

    private func take(_ news: NodeNews) {
        switch news {
        case .living(let nodes): presence.update { $0.take(living: nodes, at: now()) }
        case .text(let text): take(text)
        }
    }

    private func take(_ text: NodeText) {
        switch text.topic {
        case .presence:
            guard let report = PresenceReport(text.text) else { return }
            for user in presence.take(report, of: text.sender, at: now()) { end(user) }
        case .typing:
            guard let event = TypingReport(text.text)?.event else { return }
            typing.update { $0.take(event, at: now()) }
        case .answers:
            guard let report = AnswerReport(text.text), let piece = report.piece else { return }
            mail.put(.answer(piece), forAllOf: report.asker)
        case .sessions, .erasures, .disabled: break
        }
    }

    /// Ends leases, sends frames when they are due, and ends watches that are no longer permitted, until the task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - mayRead: Says who may see more of an answer that is made in a conversation.
    ///   - companions: Says who may watch whom.
    package func run(mayRead: @escaping ReadPermission, companions: @escaping Companions) async {
        async let leases: Void = presence.run(now: now)
        async let pieces: Void = answers.run(mayRead: mayRead) { piece, asker in
            mail.put(.answer(piece), forAllOf: asker)
            guard presence.isElsewhere(asker) else { return }
            for text in AnswerReport.texts(of: piece, for: asker) { nodes.send(text, about: .answers) }
        }
        await memberships.run { user in
            // An import changes the memberships of many who are not here.
            guard presence.concerns(user) else { return }
            let known = try await companions(user)
            presence.update { board in
                board.recheck(user, at: now()) { watcher, watched in
                    known.contains(watcher == user ? watched : watcher)
                }
            }
        }
        _ = await (leases, pieces)
    }

    /// Ends leases, and sends frames and reports that are due; for tests without ``run(mayRead:companions:)``.
    package func advance() { presence.update { $0.advance(to: now()) } }

    /// Takes in changes; a listener of ``ChangeFollower``.
    package func follow(_ changes: [Change]?) { memberships.follow(changes, connected: mail.users) }

    /// The presence of a person; whether the asker may see it is up to the caller.
    package func presence(of user: UserID) -> Presence { presence.presence(of: user) }

    /// Whether a person who is online has a conversation open.
    package func isShowing(_ conversation: ConversationID, to user: UserID) -> Bool {
        typing.shows(conversation, to: user) && presence.presence(of: user).status == .online
    }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - device: The device; nil for one that is not known again.
    ///   - hidesLastSeen: Whether the person hides when the person was last online.
    ///   - signal: Signalled when there are events.
    /// - Returns: The connection; it must be closed.
    package func connect(
        _ user: UserID, device: DeviceID?, hidesLastSeen: Bool = false, waking signal: WorkSignal = WorkSignal()
    ) -> LiveConnection {
        let id = lastConnection.withLock { number in
            number += 1
            return ConnectionID(rawValue: number)
        }
        mail.open(id, of: user, waking: signal)
        let device = device ?? DeviceID(rawValue: "\(PresenceBoard.Link.madeDevice)\(id.rawValue)")
        presence.update { $0.connect(id, user: user, device: device, hidesLastSeen: hidesLastSeen, at: now()) }
        return LiveConnection(people: self, id: id, user: user, signal: signal)
    }

    /// Hides when a person was last online, or shows it again.
    package func setHidesLastSeen(_ isHidden: Bool, of user: UserID) {
        presence.update { $0.setHidesLastSeen(isHidden, of: user, at: now()) }
    }

    /// Ends all connections of a person who was erased, and forgets the person.
    package func forget(_ user: UserID) {
        end(user)
        presence.update { $0.forget(user, at: now()) }
    }

    /// Ends the connections of a person who was erased.
    private func end(_ user: UserID) {
        for id in mail.end(user) { typing.close(id) }
        memberships.mark(user)
    }

    /// Begins to show an answer of the assistant to the devices of its asker while it is made.
    ///
    /// - Parameters:
    ///   - id: A new id.
    ///   - place: Where the question was asked.
    ///   - asker: The asker.
    /// - Returns: Takes the pieces.
    package func beginAnswer(_ id: String, in place: AnswerPiece.Place, for asker: UserID) -> LiveAnswer {
        LiveAnswer(id: id, place: place, asker: asker, held: answers)
    }

    fileprivate func beat(_ id: ConnectionID, _ activity: PresenceActivity?) {
        presence.update { $0.beat(id, activity: activity, at: now()) }
    }

    fileprivate func watch(
        _ users: Set<UserID>, by id: ConnectionID, knowing companions: () async throws -> Set<UserID>
    ) async throws {
        while true {
            let version = memberships.version
            let known = try await companions()
            // A membership that changed meanwhile may have been checked before these watches began.
            guard memberships.version == version else { continue }
            return try presence.update { board throws(PresenceError) in
                try board.watch(users, by: id, at: now()) { known.contains($0) }
            }
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

    fileprivate func take(of id: ConnectionID) throws(ForgottenError) -> [Event] {
        let (events, isIncomplete) = try mail.take(of: id)
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
package final class LiveConnection: Sendable {
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
    package func beat(_ activity: PresenceActivity? = nil) { people.beat(id, activity) }

    /// Watches people, instead of those before.
    ///
    /// - Parameters:
    ///   - users: The people.
    ///   - companions: Returns those whom the person may watch now; others are left out.
    /// - Throws: ``PresenceError/tooManyWatched(limit:got:)``; errors of `companions`.
    package func watch(_ users: Set<UserID>, knowing companions: () async throws -> Set<UserID>) async throws {
        try await people.watch(users, by: id, knowing: companions)
    }

    /// Notes the conversation that the client shows; nil for none.
    package func show(_ conversation: ConversationID?) { people.show(conversation, on: id, of: user) }

    /// Passes on that the person types in a conversation, or has stopped.
    package func type(_ isTyping: Bool, in conversation: ConversationID, memberCount: Int) {
        people.type(isTyping, in: conversation, user, memberCount: memberCount)
    }

    /// Notes that the person is no longer in a conversation.
    package func leave(_ conversation: ConversationID) { people.leave(conversation, user) }

    /// Returns the events that arrived, without waiting.
    ///
    /// - Throws: ``LivePeople/ForgottenError``.
    package func take() throws(LivePeople.ForgottenError) -> [LivePeople.Event] { try people.take(of: id) }

    /// Waits for events.
    ///
    /// - Throws: ``LivePeople/ForgottenError``; `CancellationError`.
    package func events() async throws -> [LivePeople.Event] {
        while true {
            let seen = signal.count
            let events = try take()
            if !events.isEmpty { return events }
            try await signal.wait(after: seen, timeout: nil)
        }
    }

    /// Ends the connection; a device that said goodbye is offline at once.
    package func close(isClean: Bool) { people.close(id, isClean: isClean) }
}
