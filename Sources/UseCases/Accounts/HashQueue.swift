package import ChatCore

/// Who asks for a hash of a password.
package struct HashClient: Hashable, Sendable {
    /// The network address; nil if it is unknown.
    package var address: String?
    /// The user who signs in.
    package var user: UserID
    /// Whether a device, a link or a session shows that the user was let in before.
    package var isKnown: Bool

    package init(address: String? = nil, user: UserID, isKnown: Bool = false) {
        self.address = address
        self.user = user
        self.isKnown = isKnown
    }
}

/// The order in which hashes of passwords are made: a value without time and threads.
///
/// Known clients and strangers have a lane each; strangers never take all places, and lanes take turns. In a lane
/// addresses take turns, and so do the users of an address (start-time fair queueing, doi:10.1109/90.649569, in which
/// all hashes cost the same). So any number of hashes of one address delays another address by one hash at most. After a
/// wrong password the address of a stranger rests, because a hash that has begun cannot give way.
package struct HashQueue: Sendable {
    package typealias Ticket = Int

    /// What becomes of a new hash.
    package enum Entry: Equatable, Sendable {
        case begins(Ticket)
        /// It waits; another one that waited was dropped if the lane was full.
        case waits(Ticket, dropping: Ticket?)
        /// The lane is full, and nobody waits for more than this client.
        case refused
    }

    private let places: Int
    private let waitingLimit: Int
    private var lastTicket = 0
    private var known = HashLane()
    private var strangers = HashLane()
    private var lastWasKnown = false

    /// - Parameters:
    ///   - places: How many hashes are made at a time, 1 or more.
    ///   - waiting: The most hashes that wait in a lane.
    package init(places: Int, waiting: Int) {
        self.places = places
        waitingLimit = waiting
    }

    /// The number of hashes that wait.
    package var waitingCount: Int { known.waiting.count + strangers.waiting.count }

    /// Adds a hash.
    package mutating func enter(_ client: HashClient) -> Entry {
        lastTicket += 1
        if hasPlace(for: client.isKnown), lane(client.isKnown).admits(client) {
            change(client.isKnown) { $0.begin(client) }
            return .begins(lastTicket)
        }
        var dropped: Ticket?
        if lane(client.isKnown).waiting.count >= waitingLimit {
            dropped = lane(client.isKnown).greediest(besides: client)
            guard let dropped else { return .refused }
            cancel(dropped)
        }
        change(client.isKnown) { [lastTicket] in $0.add(lastTicket, client) }
        return .waits(lastTicket, dropping: dropped)
    }

    /// Ends a hash that began, and returns those that begin now.
    ///
    /// - Parameters:
    ///   - client: Whose hash it was.
    ///   - rests: Whether the client's address begins no other hash of a stranger before ``wake(_:)``.
    /// - Returns: The tickets of those that begin.
    package mutating func leave(_ client: HashClient, rests: Bool = false) -> [Ticket] {
        change(client.isKnown) { lane in
            lane.running -= 1
            if rests { lane.rest(client.address) }
        }
        return begin()
    }

    /// Ends the rest of a client's address, and returns the hashes that begin now.
    package mutating func wake(_ client: HashClient) -> [Ticket] {
        change(client.isKnown) { $0.wake(client.address) }
        return begin()
    }

    private mutating func begin() -> [Ticket] {
        var begun: [Ticket] = []
        while let isKnown = nextLane, let ticket = change(isKnown, { $0.next() }) {
            lastWasKnown = isKnown
            begun.append(ticket)
        }
        return begun
    }

    /// Takes back a hash that waits.
    package mutating func cancel(_ ticket: Ticket) {
        change(true) { $0.cancel(ticket) }
        change(false) { $0.cancel(ticket) }
    }

    /// The lane whose turn it is: the one with fewer hashes in work, else the one that did not begin last.
    private var nextLane: Bool? {
        let ready = [true, false].filter { hasPlace(for: $0) && lane($0).isReady }
        guard ready.count == 2 else { return ready.first }
        guard known.running == strangers.running else { return known.running < strangers.running }
        return !lastWasKnown
    }

    private func hasPlace(for isKnown: Bool) -> Bool {
        known.running + strangers.running < places && (isKnown || strangers.running < max(1, places - 1))
    }

    private func lane(_ isKnown: Bool) -> HashLane { isKnown ? known : strangers }

    @discardableResult
    private mutating func change<Value>(_ isKnown: Bool, _ body: (inout HashLane) -> Value) -> Value {
        isKnown ? body(&known) : body(&strangers)
    }
}

/// The hashes of known clients, or of strangers.
private struct HashLane {
    struct Waiting {
        let ticket: HashQueue.Ticket
        let client: HashClient
        /// The turn of the address among addresses.
        var addressTurn: Int
        /// The turn of the user among the users of the address.
        let userTurn: Int
    }

    private(set) var waiting: [Waiting] = []
    var running = 0
    private var addresses = Turns<String?>()
    private var users: [String?: Turns<UserID>] = [:]
    /// The addresses that begin no hash for a while, and how many rests of each have not ended.
    private var resting: [String?: Int] = [:]

    /// Whether a hash waits that may begin.
    var isReady: Bool { waiting.contains { resting[$0.client.address] == nil } }

    /// Whether a new hash may begin before all others that wait.
    func admits(_ client: HashClient) -> Bool { !isReady && resting[client.address] == nil }

    mutating func rest(_ address: String?) { resting[address, default: 0] += 1 }

    mutating func wake(_ address: String?) {
        guard let count = resting[address] else { return }
        resting[address] = count > 1 ? count - 1 : nil
    }

    /// Notes a hash that begins at once.
    mutating func begin(_ client: HashClient) {
        running += 1
        addresses.present = addresses.take(client.address)
    }

    mutating func add(_ ticket: HashQueue.Ticket, _ client: HashClient) {
        waiting.append(
            Waiting(
                ticket: ticket, client: client, addressTurn: addresses.take(client.address),
                userTurn: users[client.address, default: Turns()].take(client.user)))
    }

    mutating func cancel(_ ticket: HashQueue.Ticket) { waiting.removeAll { $0.ticket == ticket } }

    /// Begins the next hash.
    mutating func next() -> HashQueue.Ticket? {
        let ready = waiting.filter { resting[$0.client.address] == nil }
        guard let first = ready.min(by: { ($0.addressTurn, $0.ticket) < ($1.addressTurn, $1.ticket) }) else {
            return nil
        }
        let address = first.client.address
        let own = waiting.indices.filter { waiting[$0].client.address == address }
        guard
            let place = own.min(by: {
                (waiting[$0].userTurn, waiting[$0].ticket) < (waiting[$1].userTurn, waiting[$1].ticket)
            })
        else { return nil }
        let chosen = waiting[place]
        // The address takes its earliest turn; its other hash keeps the later one.
        if let earliest = own.first(where: { waiting[$0].ticket == first.ticket }) {
            waiting[earliest].addressTurn = chosen.addressTurn
        }
        waiting.remove(at: place)
        running += 1
        addresses.present = max(addresses.present, first.addressTurn)
        users[address]?.present = chosen.userTurn
        if own.count == 1 { users[address] = nil }
        return chosen.ticket
    }

    /// Returns the latest hash of the address, or of the user of the same address, that waits for more than a client.
    func greediest(besides client: HashClient) -> HashQueue.Ticket? {
        let byAddress = Dictionary(grouping: waiting, by: \.client.address).mapValues(\.count)
        let byUser = Dictionary(grouping: waiting, by: \.client).mapValues(\.count)
        func share(of client: HashClient) -> (Int, Int) { (byAddress[client.address] ?? 0, byUser[client] ?? 0) }
        func weight(_ waiting: Waiting) -> (Int, Int, Int) {
            let share = share(of: waiting.client)
            return (share.0, share.1, waiting.ticket)
        }
        let most = waiting.max { weight($0) < weight($1) }
        guard let most else { return nil }
        let (own, other) = (share(of: client), share(of: most.client))
        let isLarger = other.0 > own.0 + 1 || (client.address == most.client.address && other.1 > own.1 + 1)
        return isLarger ? most.ticket : nil
    }
}

/// The turns of names that share something: a name's turns are two apart, and a new name's turn is one after the present.
///
/// So a new name comes before those that had a turn, and many new names do not delay one that waits for ever.
private struct Turns<Name: Hashable & Sendable> {
    private static var sweepSize: Int { 256 }

    /// The turn of the last one that began.
    var present = 0
    private var last: [Name: Int] = [:]

    /// Returns the next turn of a name.
    mutating func take(_ name: Name) -> Int {
        // Turns of the past make no difference.
        if last.count >= Self.sweepSize { last = last.filter { $0.value >= present } }
        let turn = max(present + 1, last[name].map { $0 + 2 } ?? 0)
        last[name] = turn
        return turn
    }
}
