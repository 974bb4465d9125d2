package import ChatCore

/// Knows who is online, and who watches whom: all rules of presence, without a clock, a lock or a task.
///
/// Every open connection has a lease, which a heartbeat renews. A device is present while one of its leases is valid, and
/// a person while one of their devices is. Presence is kept in memory only: after a restart the next heartbeats restore it,
/// and times of last contact are unknown. Of a person who was connected one small entry stays until ``forget(_:at:)``.
///
/// Every call takes the present time, first ends the leases that are no longer valid, and returns the frames that are due
/// by then, at most one for each connection. The frames must reach a connection in the order in which they were returned.
/// Between calls nothing happens: call ``advance(to:)`` at ``nextDue``. Calls for a connection that is not open only
/// advance the time. A wall clock that is set back stops nothing: see `SteadyClock`.
///
/// With a node's id it also knows the people who are connected to other nodes, from `PresenceReport`s.
///
/// - Complexity: A heartbeat costs O(log *n*) of all connections. A change of a person's status costs the number of
///   connections that watch the person, times O(log *n*). Nothing depends on the number of people.
package struct PresenceBoard: Sendable {
    /// A connection and its lease.
    ///
    /// Each can outlive the other: a silent connection loses its lease, and a lease outlives a connection that broke.
    struct Link {
        /// The place of the person in ``people``.
        let person: Int
        let device: DeviceID
        var activity: PresenceActivity
        var lastBeat: Timestamp
        var isOpen = true
        /// Whether the lease is valid.
        var isLive = true
        /// The places of the watched people.
        var watched: Set<Int> = []
        /// What the connection was last told about people who are part of the next frame.
        var pending: [Int: State] = [:]
        var lastFrame: Timestamp?
    }

    /// A person who is or was connected, is watched, or hides something.
    struct Person {
        let id: UserID
        /// Connections of the person that are open or have a valid lease.
        var links: Set<ConnectionID> = []
        /// Leases on other nodes.
        var remote: [NodeID: RemoteLink] = [:]
        var lastSeen: Timestamp?
        var hidesLastSeen = false
        /// When ``hidesLastSeen`` was set, by the wall clock of the node that set it; nil without other nodes.
        var hidesSince: Timestamp?
        var watchers: Set<ConnectionID> = []
        /// The state at the end of the last step.
        var state = State(status: .offline)

        var isEmpty: Bool {
            links.isEmpty && remote.isEmpty && watchers.isEmpty && lastSeen == nil && !hidesLastSeen
                && hidesSince == nil
        }
    }

    /// The devices of a person on another node, taken together.
    struct RemoteLink {
        var activity: PresenceActivity
        var lastBeat: Timestamp
    }

    /// The part of a presence whose change is reported.
    struct State: Equatable {
        /// Nil for a state that was not told yet.
        var status: PresenceStatus?
        var lastSeen: Timestamp?

        static let untold = State(status: nil, lastSeen: nil)
    }

    /// Times and limits.
    package let settings: PresenceSettings
    // All times inside are steady times.
    var clock = SteadyClock()
    var links: [ConnectionID: Link] = [:]
    /// People by their places, which are used inside because numbers are hashed and compared faster than ids.
    var people: [Person] = []
    var places: [UserID: Int] = [:]
    var freePlaces: [Int] = []
    var leaseEnds = DueQueue<ConnectionID>()
    var frameTimes = DueQueue<ConnectionID>()
    /// Nil for a node without others.
    var nodes: PresenceNodes?

    /// - Parameters:
    ///   - settings: Times and limits.
    ///   - node: This node; nil if there are no others.
    package init(settings: PresenceSettings = PresenceSettings(), node: NodeID? = nil) {
        self.settings = settings
        nodes = node.map { PresenceNodes(node: $0) }
    }

    /// When the next lease ends, or the next frame or report is due; nil when nothing is to come.
    package var nextDue: Timestamp? {
        let times = [leaseEnds.next, frameTimes.next, nodes?.nextDue(reportInterval: settings.reportInterval)]
        return times.compactMap(\.self).min().map { clock.wallTime(of: $0) }
    }

    /// How many connections, watched people and people in total it holds.
    package var sizes: (links: Int, watched: Int, people: Int) {
        (links.count, places.values.count { !people[$0].watchers.isEmpty }, places.count)
    }

    /// Ends leases and returns frames that are due at `moment`.
    package mutating func advance(to moment: Timestamp) -> [Delivery<PresenceFrame>] {
        let now = clock.advance(to: moment)
        endLeases(at: now)
        return takeFrames(at: now)
    }

    /// The presence of a person at the time of the last call; whether the asker may see it is up to the caller.
    package func presence(of user: UserID) -> Presence {
        places[user].map { presence(at: $0) } ?? Presence(user: user, status: .offline)
    }

    func presence(at place: Int) -> Presence {
        let state = people[place].state
        var lastBeat: Timestamp?
        for connection in people[place].links {
            guard let link = links[connection], link.isLive else { continue }
            lastBeat = max(lastBeat ?? link.lastBeat, link.lastBeat)
        }
        for link in people[place].remote.values { lastBeat = max(lastBeat ?? link.lastBeat, link.lastBeat) }
        return Presence(
            user: people[place].id, status: state.status ?? .offline, lastBeat: lastBeat.map { clock.wallTime(of: $0) },
            lastSeen: state.lastSeen.map { clock.wallTime(of: $0) })
    }

    /// The state that follows from the leases.
    private func currentState(at place: Int) -> State {
        var isAway = false
        for connection in people[place].links {
            guard let link = links[connection], link.isLive else { continue }
            if link.activity == .active { return State(status: .online) }
            isAway = true
        }
        for link in people[place].remote.values {
            if link.activity == .active { return State(status: .online) }
            isAway = true
        }
        if isAway { return State(status: .away) }
        return State(status: .offline, lastSeen: people[place].hidesLastSeen ? nil : people[place].lastSeen)
    }

    /// The place of a person, which is new if there is none.
    mutating func place(of user: UserID) -> Int {
        if let place = places[user] { return place }
        let place = freePlaces.popLast() ?? people.count
        if place == people.count { people.append(Person(id: user)) } else { people[place] = Person(id: user) }
        places[user] = place
        return place
    }

    /// Frees the place of a person of whom nothing is known.
    mutating func freeIfEmpty(_ place: Int) {
        guard people[place].isEmpty, places.removeValue(forKey: people[place].id) != nil else { return }
        people[place] = Person(id: "")
        freePlaces.append(place)
    }

    /// Computes the state of a person again, and tells the watchers if it is another one.
    mutating func settle(_ place: Int, at now: Timestamp) {
        let before = people[place].state
        let state = currentState(at: place)
        guard state != before else { return }
        people[place].state = state
        for connection in people[place].watchers { addToFrame(place, told: before, of: connection, at: now) }
    }
}

/// Connections and their leases.
extension PresenceBoard {
    /// Opens a connection, which begins its lease.
    ///
    /// The lease of a lost connection of the same device ends without notice, so that a device that comes back in time
    /// was never offline.
    ///
    /// - Parameters:
    ///   - connection: An id that was never used before.
    ///   - user: The person, as authenticated.
    ///   - device: The device; two tabs of a browser are one device.
    ///   - activity: Whether the device is in use.
    ///   - hidesLastSeen: Whether the person hides when they were last connected.
    ///   - moment: The present time.
    /// - Returns: The frames that are due.
    /// - Precondition: The connection is not open, and has no lease.
    package mutating func connect(
        _ connection: ConnectionID, user: UserID, device: DeviceID, activity: PresenceActivity = .active,
        hidesLastSeen: Bool = false, at moment: Timestamp
    ) -> [Delivery<PresenceFrame>] {
        precondition(links[connection] == nil, "a connection's id was used again")
        return change(place(of: user), at: moment) { board, person, now in
            board.endLostLeases(of: person, device)
            board.links[connection] = Link(person: person, device: device, activity: activity, lastBeat: now)
            board.people[person].links.insert(connection)
            if board.people[person].hidesLastSeen != hidesLastSeen { board.hide(hidesLastSeen, of: person, at: moment) }
            board.tell(person)
            board.leaseEnds.set(connection, due: now + board.settings.leaseLifetime)
        }
    }

    /// Renews the lease of a connection, or begins it again if it had ended.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - activity: Whether the device is in use; nil if that has not changed.
    ///   - moment: The present time.
    /// - Returns: The frames that are due.
    package mutating func beat(
        _ connection: ConnectionID, activity: PresenceActivity? = nil, at moment: Timestamp
    ) -> [Delivery<PresenceFrame>] {
        guard let person = personOfOpen(connection) else { return advance(to: moment) }
        return change(person, at: moment) { board, _, now in
            let link = board.links[connection]
            if link?.isLive == false || activity.map({ $0 != link?.activity }) == true { board.tell(person) }
            board.links[connection]?.lastBeat = now
            board.links[connection]?.isLive = true
            if let activity { board.links[connection]?.activity = activity }
            board.leaseEnds.set(connection, due: now + board.settings.leaseLifetime)
        }
    }

    /// Closes a connection whose client said goodbye: its lease ends at once, and it watches nobody.
    package mutating func close(_ connection: ConnectionID, at moment: Timestamp) -> [Delivery<PresenceFrame>] {
        guard let person = personOfOpen(connection) else { return advance(to: moment) }
        return change(person, at: moment) { board, person, now in
            board.stopWatching(connection)
            if board.links[connection]?.isLive == true { board.recordSeen(person, at: now) }
            board.removeLink(connection)
        }
    }

    /// Closes a connection that broke: it watches nobody, and its lease lives on in case that the device comes back.
    ///
    /// The lease ends at once if the device has another connection, which already represents the device.
    package mutating func drop(_ connection: ConnectionID, at moment: Timestamp) -> [Delivery<PresenceFrame>] {
        guard let person = personOfOpen(connection) else { return advance(to: moment) }
        return change(person, at: moment) { board, person, _ in
            board.stopWatching(connection)
            board.links[connection]?.isOpen = false
            guard let link = board.links[connection] else { return }
            let isReplaced = board.people[person].links.contains { other in
                board.links[other].map { $0.isOpen && $0.isLive && $0.device == link.device } ?? false
            }
            if isReplaced || !link.isLive { board.removeLink(connection) }
        }
    }

    /// Hides when a person was last connected, or shows it again.
    package mutating func setHidesLastSeen(
        _ isHidden: Bool, of user: UserID, at moment: Timestamp
    ) -> [Delivery<PresenceFrame>] {
        change(place(of: user), at: moment) { board, person, _ in
            board.hide(isHidden, of: person, at: moment)
            board.nodes?.remember(user, isForgotten: false, at: moment)
            board.tell(person)
        }
    }

    /// Forgets a person who was erased: leases, watched people, and the time of the last contact.
    ///
    /// Open connections of the person count as closed.
    package mutating func forget(_ user: UserID, at moment: Timestamp) -> [Delivery<PresenceFrame>] {
        change(place(of: user), at: moment) { board, person, _ in
            board.clear(person)
            board.nodes?.remember(user, isForgotten: true, at: moment)
            board.tell(person)
        }
    }

    /// Removes everything that is known of a person except for the watchers.
    mutating func clear(_ person: Int) {
        for connection in people[person].links {
            stopWatching(connection)
            removeLink(connection)
        }
        nodes?.forget(people[person].id)
        people[person].remote = [:]
        people[person].lastSeen = nil
        people[person].hidesLastSeen = false
        people[person].hidesSince = nil
    }

    private mutating func hide(_ isHidden: Bool, of person: Int, at moment: Timestamp) {
        people[person].hidesLastSeen = isHidden
        if nodes != nil { people[person].hidesSince = moment }
    }

    private func personOfOpen(_ connection: ConnectionID) -> Int? {
        links[connection].flatMap { $0.isOpen ? $0.person : nil }
    }

    /// Does one step: ends leases, changes what concerns one person, tells the watchers, and returns the frames.
    private mutating func change(
        _ person: Int, at moment: Timestamp, _ body: (inout PresenceBoard, _ person: Int, _ now: Timestamp) -> Void
    ) -> [Delivery<PresenceFrame>] {
        let now = clock.advance(to: moment)
        endLeases(at: now)
        body(&self, person, now)
        settle(person, at: now)
        freeIfEmpty(person)
        return takeFrames(at: now)
    }

    /// Ends the leases that were not renewed in time.
    mutating func endLeases(at now: Timestamp) {
        endNodes(at: now)
        while let connection = leaseEnds.popDue(at: now) {
            guard let link = links[connection] else { continue }
            links[connection]?.isLive = false
            tell(link.person)
            recordSeen(link.person, at: link.lastBeat)
            if !link.isOpen { removeLink(connection) }
            settle(link.person, at: now)
        }
    }

    mutating func endLostLeases(of person: Int, _ device: DeviceID) {
        for connection in people[person].links {
            guard let link = links[connection], !link.isOpen, link.device == device else { continue }
            removeLink(connection)
        }
    }

    mutating func recordSeen(_ person: Int, at time: Timestamp) {
        let known = people[person].lastSeen ?? time
        people[person].lastSeen = max(known, time)
    }

    private mutating func removeLink(_ connection: ConnectionID) {
        guard let link = links.removeValue(forKey: connection) else { return }
        leaseEnds.remove(connection)
        people[link.person].links.remove(connection)
        tell(link.person)
        recordSeen(link.person, at: link.lastBeat)
    }
}
