package import ChatCore

/// Watching, and the frames that result.
extension PresenceBoard {
    /// Replaces the people that a connection watches, and sends the presence of those that are new.
    ///
    /// People that may not be watched are left out without notice, so nobody learns who exists. A person may always watch
    /// themselves. Closing the connection ends its watching.
    ///
    /// - Parameters:
    ///   - users: All people to watch; empty to watch nobody.
    ///   - connection: The watching connection.
    ///   - moment: The present time.
    ///   - mayWatch: Whether the connection's person shares a conversation with this one. It must be quick, and read the
    ///     memberships as they are now: after a change, ``recheck(_:at:mayWatch:)`` finds all watches that began earlier.
    /// - Returns: The frames that are due.
    /// - Throws: ``PresenceError/tooManyWatched(limit:got:)``; then nothing has changed.
    /// - Complexity: O(*u* log *n*) for *u* people that are or were watched.
    package mutating func watch(
        _ users: Set<UserID>, by connection: ConnectionID, at moment: Timestamp, mayWatch: (UserID) -> Bool
    ) throws(PresenceError) -> [Delivery<PresenceFrame>] {
        guard users.count <= settings.watchLimit else {
            throw .tooManyWatched(limit: settings.watchLimit, got: users.count)
        }
        let now = clock.advance(to: moment)
        endLeases(at: now)
        if let link = links[connection], link.isOpen {
            let watcher = people[link.person].id
            let permitted = Set(users.filter { $0 == watcher || mayWatch($0) }.map { place(of: $0) })
            for person in link.watched.subtracting(permitted) { stopWatching(person, by: connection) }
            for person in permitted.subtracting(link.watched) { startWatching(person, by: connection, at: now) }
        }
        return takeFrames(at: now)
    }

    /// Sends the presence of all watched people again, because frames for the connection were dropped.
    package mutating func resend(to connection: ConnectionID, at moment: Timestamp) -> [Delivery<PresenceFrame>] {
        let now = clock.advance(to: moment)
        endLeases(at: now)
        for person in links[connection]?.watched ?? [] { addToFrame(person, told: .untold, of: connection, at: now) }
        return takeFrames(at: now)
    }

    /// Ends watches that are no longer permitted, because the memberships of a person have changed.
    ///
    /// - Parameters:
    ///   - user: The person who left a conversation.
    ///   - moment: The present time.
    ///   - mayWatch: Whether the first person may watch the second; asked for the people that `user` watches, and for
    ///     those who watch `user`.
    /// - Returns: The frames that are due.
    package mutating func recheck(
        _ user: UserID, at moment: Timestamp, mayWatch: (_ watcher: UserID, _ watched: UserID) -> Bool
    ) -> [Delivery<PresenceFrame>] {
        guard let person = places[user] else { return advance(to: moment) }
        for connection in people[person].links {
            for other in links[connection]?.watched ?? [] where other != person && !mayWatch(user, people[other].id) {
                stopWatching(other, by: connection)
            }
        }
        for connection in people[person].watchers {
            guard let watcher = links[connection]?.person, watcher != person else { continue }
            if !mayWatch(people[watcher].id, user) { stopWatching(person, by: connection) }
        }
        return advance(to: moment)
    }

    private mutating func startWatching(_ person: Int, by connection: ConnectionID, at now: Timestamp) {
        links[connection]?.watched.insert(person)
        people[person].watchers.insert(connection)
        addToFrame(person, told: .untold, of: connection, at: now)
    }

    private mutating func stopWatching(_ person: Int, by connection: ConnectionID) {
        links[connection]?.watched.remove(person)
        links[connection]?.pending[person] = nil
        if links[connection]?.pending.isEmpty == true { frameTimes.remove(connection) }
        people[person].watchers.remove(connection)
        freeIfEmpty(person)
    }

    /// Ends all watches of a connection.
    mutating func stopWatching(_ connection: ConnectionID) {
        for person in links[connection]?.watched ?? [] { stopWatching(person, by: connection) }
    }

    /// Adds a person to the next frame of a connection.
    mutating func addToFrame(_ person: Int, told: State, of connection: ConnectionID, at now: Timestamp) {
        guard links[connection]?.addToFrame(person, told: told) == true else { return }
        let next = links[connection]?.lastFrame.map { $0 + settings.frameInterval }
        frameTimes.set(connection, due: max(now, next ?? now))
    }

    /// Removes and returns the frames that are due, by ascending connection.
    mutating func takeFrames(at now: Timestamp) -> [Delivery<PresenceFrame>] {
        tellNodes(at: now)
        var deliveries: [Delivery<PresenceFrame>] = []
        while let connection = frameTimes.popDue(at: now) {
            guard let frame = takeFrame(of: connection, at: now) else { continue }
            deliveries.append(Delivery(connection: connection, event: frame))
        }
        return deliveries.sorted { $0.connection < $1.connection }
    }

    /// Returns nil if every state is again the one that the connection was told.
    private mutating func takeFrame(of connection: ConnectionID, at now: Timestamp) -> PresenceFrame? {
        let pending = links[connection]?.pending ?? [:]
        links[connection]?.pending = [:]
        let changed = pending.filter { person, told in people[person].state != told }.keys.sorted()
        guard !changed.isEmpty else { return nil }
        links[connection]?.lastFrame = now
        return PresenceFrame(time: clock.wallTime(of: now), presences: changed.map { presence(at: $0) })
    }
}

extension PresenceBoard.Link {
    /// Returns whether the person is the first of the frame, so that the frame needs a time.
    fileprivate mutating func addToFrame(_ person: Int, told: PresenceBoard.State) -> Bool {
        let isFirst = pending.isEmpty
        if told == .untold || pending[person] == nil { pending[person] = told }
        return isFirst
    }
}
