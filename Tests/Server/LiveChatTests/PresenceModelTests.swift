import ChatCore
import LiveChat
import Testing

/// Does random things to the board, and computes everything again from a list of all connections.
@Suite struct PresenceModelTests {
    @Test(arguments: Array(1...20) as [UInt64])
    func agreesWithANaiveModel(seed: UInt64) throws {
        var run = PresenceRun(seed: seed)

        for step in 0..<3_000 {
            try run.step(step)
        }

        #expect(run.frameCount > 200)
        try run.end()
    }
}

/// A board and a model that get the same calls.
private struct PresenceRun {
    private var random: SeededNumbers
    private var board = PresenceBoard(settings: PresenceSettings(watchLimit: 4))
    private var model = NaivePresence()
    private var lastConnection: UInt64 = 0
    private(set) var frameCount = 0
    private let users: [UserID] = ["a", "b", "c", "d", "e"]

    init(seed: UInt64) {
        random = SeededNumbers(state: seed)
    }

    mutating func step(_ step: Int) throws {
        try pass(randomPause())
        model.compact()
        if random.oneIn(200) {
            try compare(board.advance(to: model.moment), "before the clock is set back")
            model.lead += Int.random(in: 5_001...9_000_000, using: &random)
        }
        try compare(operation(), "step \(step)")
        let next = board.nextDue
        if let wanted = model.nextDue { #expect(try #require(next) <= wanted) }
        if let next { #expect(next > model.wallTime(model.now)) }
        let user = anyUser()
        try #require(board.presence(of: user) == model.presence(of: user), "step \(step)")
    }

    mutating func end() throws {
        for session in model.sessions where session.isOpen {
            let connection = session.connection
            model.close(connection)
            try compare(board.close(connection, at: model.moment), "end")
        }
        try pass(61_000)
        try compare(board.advance(to: model.moment), "end")
        #expect(board.sizes.links == 0)
        #expect(board.sizes.watched == 0)
        #expect(board.nextDue == nil)
    }

    private mutating func randomPause() -> Int {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...4: 0
        case 5...13: Int.random(in: 1...700, using: &random)
        case 14...18: Int.random(in: 700...9_000, using: &random)
        default: Int.random(in: 9_000...70_000, using: &random)
        }
    }

    /// Lets time pass, mostly as a service does it: from one due time to the next.
    private mutating func pass(_ pause: Int) throws {
        let end = model.now + pause
        if !random.oneIn(4) {
            while let due = board.nextDue, due <= model.wallTime(end) {
                model.setWallTime(due)
                try compare(board.advance(to: due), "due")
            }
        }
        model.now = end
    }

    private mutating func compare(_ found: [Delivery<PresenceFrame>], _ comment: @autoclosure () -> Comment) throws {
        frameCount += found.count
        let found = found.map(\.inOrder)
        let wanted = model.frames()
        if found != wanted { try #require(found == wanted, comment()) }
    }

    private mutating func operation() -> [Delivery<PresenceFrame>] {
        let moment = model.moment
        let connection = anyConnection()
        let user = anyUser()
        switch Int.random(in: 0..<40, using: &random) {
        case 0...5: return connect(user)
        case 6...24:
            let activity: PresenceActivity? = random.oneIn(3) ? (random.oneIn(2) ? .away : .active) : nil
            model.beat(connection, activity)
            return board.beat(connection, activity: activity, at: moment)
        case 25...26:
            model.close(connection)
            return board.close(connection, at: moment)
        case 27...28:
            model.drop(connection)
            return board.drop(connection, at: moment)
        case 29...34: return watch(connection)
        case 35:
            model.resend(connection)
            return board.resend(to: connection, at: moment)
        case 36:
            let other = anyUser()
            model.recheck(user) { $0 != other && $1 != other }
            return board.recheck(user, at: moment) { $0 != other && $1 != other }
        case 37...38:
            let isHidden = random.oneIn(2)
            model.hiding[user] = isHidden
            return board.setHidesLastSeen(isHidden, of: user, at: moment)
        default:
            guard random.oneIn(4) else { return board.advance(to: moment) }
            model.forget(user)
            return board.forget(user, at: moment)
        }
    }

    private mutating func connect(_ user: UserID) -> [Delivery<PresenceFrame>] {
        guard model.sessions.filter(\.isOpen).count < 9 else { return board.advance(to: model.moment) }
        lastConnection += 1
        let connection = ConnectionID(rawValue: lastConnection)
        let device: DeviceID = random.oneIn(2) ? "phone" : "laptop"
        let isHidden = random.oneIn(4)
        model.connect(connection, user, device)
        model.hiding[user] = isHidden
        return board.connect(connection, user: user, device: device, hidesLastSeen: isHidden, at: model.moment)
    }

    private mutating func watch(_ connection: ConnectionID) -> [Delivery<PresenceFrame>] {
        let watched = Set(users.filter { _ in !random.oneIn(3) })
        let forbidden = anyUser()
        guard watched.count <= 4 else {
            #expect(throws: PresenceError.tooManyWatched(limit: 4, got: 5)) {
                try board.watch(watched, by: connection, at: model.moment) { _ in true }
            }
            return board.advance(to: model.moment)
        }
        model.watch(connection, watched) { $0 != forbidden }
        do {
            return try board.watch(watched, by: connection, at: model.moment) { $0 != forbidden }
        } catch {
            Issue.record(error)
            return []
        }
    }

    private mutating func anyUser() -> UserID { users.randomElement(using: &random) ?? "a" }

    /// Mostly an open connection.
    private mutating func anyConnection() -> ConnectionID {
        let open = model.sessions.filter(\.isOpen).map(\.connection)
        if !random.oneIn(20), let connection = open.randomElement(using: &random) { return connection }
        return ConnectionID(rawValue: UInt64.random(in: 0...lastConnection + 1, using: &random))
    }
}

/// Keeps a list of connections, and computes all from it; times are milliseconds.
private struct NaivePresence {
    struct Session {
        let connection: ConnectionID
        let user: UserID
        let device: DeviceID
        var activity = PresenceActivity.active
        var lastBeat: Int
        var lastSeen: Int
        var isOpen = true
        var isEnded = false
        /// The watched people, with what the connection was told of them.
        var watched: [UserID: Shown?] = [:]
        var lastFrame: Int?
    }

    struct Shown: Equatable {
        let status: PresenceStatus
        let lastSeen: Int?
    }

    var now = 0
    /// How much the wall clock was set back.
    var lead = 0
    var sessions: [Session] = []
    var hiding: [UserID: Bool] = [:]
    /// The last contact of connections that are no longer in the list.
    private var lastSeen: [UserID: Int] = [:]

    var moment: Timestamp { wallTime(now) }

    func wallTime(_ time: Int) -> Timestamp { at(Double(time - lead) / 1_000) }

    mutating func setWallTime(_ time: Timestamp) {
        now = Int(time.milliseconds - at(0).milliseconds) + lead
    }

    private func isLive(_ session: Session) -> Bool { !session.isEnded && now < session.lastBeat + 60_000 }

    func shown(_ user: UserID) -> Shown {
        let own = sessions.filter { $0.user == user }
        let live = own.filter(isLive)
        if live.contains(where: { $0.activity == .active }) { return Shown(status: .online, lastSeen: nil) }
        if !live.isEmpty { return Shown(status: .away, lastSeen: nil) }
        return Shown(
            status: .offline,
            lastSeen: hiding[user] == true ? nil : (own.map(\.lastSeen) + [lastSeen[user]].compactMap { $0 }).max())
    }

    func presence(of user: UserID) -> Presence {
        let shown = shown(user)
        let beat = sessions.filter { $0.user == user && isLive($0) }.map(\.lastBeat).max()
        return Presence(
            user: user, status: shown.status, lastBeat: beat.map(wallTime), lastSeen: shown.lastSeen.map(wallTime))
    }

    /// What there is to tell of everybody who is watched.
    private var news: [UserID: Shown] {
        let watched = Set(sessions.flatMap(\.watched.keys))
        return Dictionary(uniqueKeysWithValues: watched.map { ($0, shown($0)) })
    }

    mutating func frames() -> [Delivery<PresenceFrame>] {
        let news = news
        return sessions.indices.compactMap { place in
            let session = sessions[place]
            guard session.lastFrame.map({ now >= $0 + 1_000 }) ?? true else { return nil }
            let changed = session.watched.filter { $0.value != news[$0.key] }.keys.sorted()
            guard !changed.isEmpty else { return nil }
            for user in changed { sessions[place].watched[user] = news[user] }
            sessions[place].lastFrame = now
            return Delivery(
                connection: session.connection, event: PresenceFrame(time: moment, presences: changed.map(presence)))
        }
    }

    /// The next end of a lease or change that a connection was not told.
    var nextDue: Timestamp? {
        let ends = sessions.filter(isLive).map { $0.lastBeat + 60_000 }
        let news = news
        let frames = sessions.filter { $0.watched.contains { $0.value != news[$0.key] } }
            .compactMap { $0.lastFrame.map { $0 + 1_000 } }
        return (ends + frames).min().map(wallTime)
    }

    private func place(of connection: ConnectionID) -> Int? {
        sessions.firstIndex { $0.connection == connection && $0.isOpen }
    }

    mutating func connect(_ connection: ConnectionID, _ user: UserID, _ device: DeviceID) {
        for place in sessions.indices where sessions[place].user == user && sessions[place].device == device {
            if !sessions[place].isOpen { sessions[place].isEnded = true }
        }
        sessions.append(Session(connection: connection, user: user, device: device, lastBeat: now, lastSeen: now))
    }

    mutating func beat(_ connection: ConnectionID, _ activity: PresenceActivity?) {
        guard let place = place(of: connection) else { return }
        sessions[place].lastBeat = now
        sessions[place].lastSeen = now
        if let activity { sessions[place].activity = activity }
    }

    mutating func close(_ connection: ConnectionID) {
        guard let place = place(of: connection) else { return }
        if isLive(sessions[place]) { sessions[place].lastSeen = now }
        sessions[place].isOpen = false
        sessions[place].isEnded = true
        sessions[place].watched = [:]
    }

    mutating func drop(_ connection: ConnectionID) {
        guard let place = place(of: connection) else { return }
        sessions[place].isOpen = false
        sessions[place].watched = [:]
        let session = sessions[place]
        sessions[place].isEnded = sessions.contains {
            $0.isOpen && isLive($0) && $0.user == session.user && $0.device == session.device
        }
    }

    mutating func watch(_ connection: ConnectionID, _ users: Set<UserID>, mayWatch: (UserID) -> Bool) {
        guard let place = place(of: connection) else { return }
        let session = sessions[place]
        var watched: [UserID: Shown?] = [:]
        for user in users where user == session.user || mayWatch(user) {
            watched[user] = .some(session.watched[user] ?? nil)
        }
        sessions[place].watched = watched
    }

    mutating func resend(_ connection: ConnectionID) {
        guard let place = place(of: connection) else { return }
        sessions[place].watched = sessions[place].watched.mapValues { _ in nil }
    }

    mutating func recheck(_ user: UserID, mayWatch: (UserID, UserID) -> Bool) {
        for place in sessions.indices {
            let watcher = sessions[place].user
            sessions[place].watched = sessions[place].watched.filter { watched, _ in
                watcher == watched || (watcher != user && watched != user) || mayWatch(watcher, watched)
            }
        }
    }

    mutating func forget(_ user: UserID) {
        sessions.removeAll { $0.user == user }
        hiding[user] = nil
        lastSeen[user] = nil
    }

    /// Removes connections that can never matter again.
    mutating func compact() {
        for session in sessions where !session.isOpen && !isLive(session) {
            lastSeen[session.user] = max(lastSeen[session.user] ?? session.lastSeen, session.lastSeen)
        }
        sessions = sessions.filter { $0.isOpen || isLive($0) }
    }
}
