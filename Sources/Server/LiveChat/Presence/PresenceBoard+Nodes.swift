import ChatCore

/// People who are connected to other nodes.
extension PresenceBoard {
    /// The most devices that are told of a person.
    private static let deviceLimit = 8

    /// Takes the reports that were not sent yet.
    mutating func takeReports() -> [PresenceReport] {
        defer { nodes?.outbox = [] }
        return nodes?.outbox ?? []
    }

    /// Whether somebody is connected here, or is watched from here.
    func concerns(_ user: UserID) -> Bool {
        places[user].map { !people[$0].links.isEmpty || !people[$0].watchers.isEmpty } ?? false
    }

    /// Whether somebody is connected to another node.
    func isElsewhere(_ user: UserID) -> Bool {
        places[user].map { !people[$0].remote.isEmpty } ?? false
    }

    /// Takes a report of another node.
    ///
    /// - Returns: The frames that are due, and the people whose connections end because they were erased.
    mutating func take(
        _ report: PresenceReport, of id: NodeID, at moment: Timestamp
    ) -> (deliveries: [Delivery<PresenceFrame>], forgotten: [UserID]) {
        let now = clock.advance(to: moment)
        endLeases(at: now)
        recordSign(of: id, isText: true, at: now)
        if let asked = report.asked, asked.isEmpty || asked.contains(where: { $0 == nodes?.node }) {
            nodes?.answer(at: now)
        }
        guard let number = report.number, isNew(number, of: id, at: now) else { return (takeFrames(at: now), []) }
        let forgotten = report.entries.compactMap { take($0, of: id, at: now) ? $0.user : nil }
        if let range = report.range {
            let named = Set(report.entries.map(\.user))
            let gone = nodes?.others[id]?.people.filter { range.contains($0) && !named.contains($0) } ?? []
            for user in gone { endRemote(user, on: id, seen: nil, at: now) }
            nodes?.others[id]?.take(range)
        }
        return (takeFrames(at: now), forgotten)
    }

    /// Takes the other nodes that live; the people of the rest are no longer connected to them.
    mutating func take(living: Set<NodeID>, at moment: Timestamp) -> [Delivery<PresenceFrame>] {
        let now = clock.advance(to: moment)
        endLeases(at: now)
        for id in living { recordSign(of: id, isText: false, at: now) }
        for (id, other) in nodes?.others ?? [:] where !living.contains(id) {
            if let last = other.lastText, now < last + PresenceNodes.grace { continue }
            removeNode(id, at: now)
        }
        if nodes?.others.values.contains(where: { !$0.isComplete }) == true { nodes?.ask(at: now) }
        return takeFrames(at: now)
    }

    /// Removes the nodes that gave no sign for too long.
    mutating func endNodes(at now: Timestamp) {
        while let id = nodes?.ends.popDue(at: now) { removeNode(id, at: now) }
    }

    /// Notes that the state of a person has changed here, which the other nodes are told.
    mutating func tell(_ place: Int) { nodes?.untold.insert(people[place].id) }

    /// Adds the reports that are due to the outbox.
    mutating func tellNodes(at now: Timestamp) {
        guard let nodes else { return }
        let due = nodes.nextDue(reportInterval: settings.reportInterval)
        guard nodes.isNew || due.map({ $0 <= now }) == true else { return }
        if nodes.isNew || nodes.questionDue.map({ $0 <= now }) == true {
            let asked = nodes.isNew ? [] : nodes.others.filter { !$0.value.isComplete }.map(\.key)
            self.nodes?.isNew = false
            self.nodes?.questionDue = nil
            self.nodes?.lastQuestion = now
            if nodes.isNew || !asked.isEmpty { self.nodes?.outbox.append(PresenceReport(asked: asked)) }
        }
        guard !nodes.others.isEmpty else {
            self.nodes?.untold = []
            self.nodes?.allDue = nil
            return
        }
        if nodes.allDue.map({ $0 <= now }) == true {
            tellAll(at: now)
        } else if !nodes.untold.isEmpty, nodes.lastReport.map({ $0 + settings.reportInterval <= now }) ?? true {
            self.nodes?.untold = []
            self.nodes?.lastReport = now
            let entries = nodes.untold.map { entry(of: $0) }
            self.nodes?.report(entries, areAll: false)
        }
    }

    private mutating func tellAll(at now: Timestamp) {
        guard let nodes else { return }
        var users = nodes.untold.union(nodes.recent.filter { $0.value.isOwn && $0.value.end > now }.keys)
        for link in links.values where link.isLive { users.insert(people[link.person].id) }
        if nodes.tellsAbsent {
            for (user, place) in places where people[place].lastSeen != nil || people[place].hidesSince != nil {
                users.insert(user)
            }
        }
        self.nodes?.untold = []
        self.nodes?.tellsAbsent = false
        self.nodes?.lastReport = now
        self.nodes?.lastAll = now
        self.nodes?.allDue = now + settings.repairInterval
        let entries = users.sorted().map { entry(of: $0) }
        self.nodes?.report(entries, areAll: true)
    }

    /// The state of a person as the connections here have it.
    private func entry(of user: UserID) -> PresenceReport.Entry {
        var entry = PresenceReport.Entry(user: user, status: .offline)
        if let recent = nodes?.recent[user], recent.isOwn { entry.forgottenAt = recent.forgottenAt?.microseconds }
        guard let place = places[user] else { return entry }
        let person = people[place]
        var devices: Set<DeviceID> = []
        var lastBeat: Timestamp?
        for link in person.links.compactMap({ links[$0] }) where link.isLive {
            if link.activity == .active {
                entry.status = .online
            } else if entry.status == .offline {
                entry.status = .away
            }
            lastBeat = max(lastBeat ?? link.lastBeat, link.lastBeat)
            if link.isOpen, link.isKnownDevice, devices.count < Self.deviceLimit { devices.insert(link.device) }
        }
        entry.lastBeat = lastBeat.map { clock.wallTime(of: $0).microseconds }
        if lastBeat == nil { entry.lastSeen = person.lastSeen.map { clock.wallTime(of: $0).microseconds } }
        if !devices.isEmpty { entry.devices = devices.sorted() }
        if let since = person.hidesSince {
            (entry.hidesLastSeen, entry.hidesSince) = (person.hidesLastSeen, since.microseconds)
        }
        return entry
    }

    /// Takes the state of a person on another node; returns whether the person was erased.
    private mutating func take(_ entry: PresenceReport.Entry, of id: NodeID, at now: Timestamp) -> Bool {
        let known = nodes?.recent[entry.user]?.forgottenAt
        let forgotten = entry.forgottenAt.map { Timestamp(microseconds: $0) }.flatMap { moment in
            known.map { $0 >= moment } == true ? nil : moment
        }
        let person = place(of: entry.user)
        if let forgotten {
            nodes?.remember(entry.user, isForgotten: true, isOwn: false, at: forgotten)
            clear(person)
        }
        if let isHidden = entry.hidesLastSeen, let since = entry.hidesSince.map({ Timestamp(microseconds: $0) }),
            people[person].hidesSince.map({ $0 < since }) ?? true
        {
            people[person].hidesLastSeen = isHidden
            people[person].hidesSince = since
        }
        for device in entry.devices ?? [] { endLostLeases(of: person, device) }
        if entry.status == .offline {
            endRemote(entry.user, on: id, seen: entry.lastSeen.map { Timestamp(microseconds: $0) }, at: now)
        } else {
            let beat = entry.lastBeat.map { clock.steadyTime(of: Timestamp(microseconds: $0)) }
            people[person].remote[id] = RemoteLink(
                activity: entry.status == .online ? .active : .away, lastBeat: min(beat ?? now, now))
            nodes?.others[id]?.people.insert(entry.user)
            settle(person, at: now)
        }
        return forgotten != nil
    }

    /// Notes that a person is not connected to another node.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - id: The node.
    ///   - seen: When the person was last connected to it, by the wall clock; nil for the last heartbeat.
    ///   - now: The present time.
    private mutating func endRemote(_ user: UserID, on id: NodeID, seen: Timestamp?, at now: Timestamp) {
        nodes?.others[id]?.people.remove(user)
        guard let person = places[user] else { return }
        let link = people[person].remote.removeValue(forKey: id)
        let moment = seen.map { clock.steadyTime(of: $0) } ?? link?.lastBeat
        // Nothing from before an erasure comes back.
        let forgotten = nodes?.recent[user]?.forgottenAt.map { clock.steadyTime(of: $0) }
        if let moment, forgotten.map({ $0 < moment }) ?? true { recordSeen(person, at: min(moment, now)) }
        settle(person, at: now)
        freeIfEmpty(person)
    }

    private mutating func removeNode(_ id: NodeID, at now: Timestamp) {
        for user in nodes?.others[id]?.people ?? [] { endRemote(user, on: id, seen: nil, at: now) }
        nodes?.others[id] = nil
        nodes?.ends.remove(id)
    }

    private mutating func recordSign(of id: NodeID, isText: Bool, at now: Timestamp) {
        nodes?.recordSign(
            of: id, isText: isText, lifetime: settings.nodeLifetime, repairInterval: settings.repairInterval, at: now)
    }

    /// Whether a report is newer than the last one; asks for everything if others are missing in between.
    private mutating func isNew(_ number: Int64, of id: NodeID, at now: Timestamp) -> Bool {
        let last = nodes?.others[id]?.lastNumber ?? 0
        guard number > last else { return false }
        if number > last.addingClamped(1) {
            nodes?.others[id]?.isComplete = false
            nodes?.others[id]?.hasBegun = false
            nodes?.ask(at: now)
        }
        nodes?.others[id]?.lastNumber = number
        return true
    }
}

extension PresenceNodes.Other {
    /// Notes that a range is known.
    fileprivate mutating func take(_ range: PresenceReport.Range) {
        if range.after == nil { hasBegun = true }
        if range.through == nil, hasBegun { isComplete = true }
    }
}

extension PresenceBoard.Link {
    /// The beginning of the ids of devices that were made for one connection.
    static let madeDevice = "connection-"

    /// Whether the device has an id that other nodes may know.
    var isKnownDevice: Bool { !device.rawValue.hasPrefix(Self.madeDevice) }
}
