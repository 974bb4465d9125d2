package import ChatCore

/// Who holds requests in work, which are limited for each.
package enum RequestHolder: Hashable, Sendable {
    /// An address behind a proxy, whose connections say nothing about it.
    case address(String)
    case person(UserID)
    /// The uploads of a person.
    case uploads(UserID)
}

/// The open connections and what they do: a value without channels and time.
///
/// An address has a share of the connections. When nearly all are taken, connections that do nothing are closed for new
/// ones: first those that have not sent a whole request, if they are many, then those that wait for the next request.
/// So a stranger who opens connections and says nothing only closes his own.
package struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
    /// The limits.
    package struct Limits: Sendable {
        /// The most connections; the server accepts no more.
        var total: Int
        /// The most of an address.
        var perAddress: Int

        package init(total: Int, perAddress: Int) {
            self.total = total
            self.perAddress = perAddress
        }

        /// Above this number idle connections are closed for new ones; few connections are all kept.
        fileprivate var crowded: Int { total - total / 16 }
        fileprivate var silent: Int { total / 4 }
    }

    /// What becomes of a new connection.
    package enum Opening: Equatable, Sendable {
        /// It stays; another one is closed for it.
        case opens(closing: ID?)
        /// Its address has too many.
        case refused
    }

    private enum State {
        /// A request, or the first one, is not complete, and nobody knows who sends it.
        case silent
        case busy
        /// It waits for the next request.
        case idle
    }

    private struct Connection {
        let address: String?
        var state = State.silent
        /// The requests in work: streams, or the connection itself, how often.
        var requests: [ID: Int] = [:]
        /// Whether a person was identified.
        var isKnown = false
        /// The number of its entry in the queue of its state.
        var entry = 0
    }

    private let limits: Limits
    private var connections: [ID: Connection] = [:]
    private var byAddress: [String: Int] = [:]
    private var silentCount = 0
    private var silent = LeavingQueue<ID>()
    private var idle = LeavingQueue<ID>()
    private var holdings: [ID: [RequestHolder]] = [:]
    private var held: [RequestHolder: Int] = [:]
    private var lastEntry = 0

    package init(limits: Limits) {
        self.limits = limits
    }

    package var count: Int { connections.count }

    /// Adds a connection; nil is an address that is not counted.
    package mutating func open(_ id: ID, from address: String?) -> Opening {
        if let address {
            guard byAddress[address, default: 0] < limits.perAddress else { return .refused }
            byAddress[address, default: 0] += 1
        }
        let closed = connections.count >= limits.crowded ? oldestWithoutWork() : nil
        if let closed { close(closed) }
        connections[id] = Connection(address: address)
        silentCount += 1
        change(id, to: .silent)
        return .opens(closing: closed)
    }

    /// Removes a connection with everything that it holds; it does nothing for an unknown one.
    package mutating func close(_ id: ID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if connection.state == .silent { silentCount -= 1 }
        for request in connection.requests.keys { release(request) }
        guard let address = connection.address else { return }
        let rest = byAddress[address, default: 1] - 1
        byAddress[address] = rest > 0 ? rest : nil
    }

    /// Notes that a whole head arrived.
    ///
    /// - Parameters:
    ///   - request: The request: its stream, or the connection.
    ///   - id: The connection.
    package mutating func begin(_ request: ID, on id: ID) {
        connections[id]?.requests[request, default: 0] += 1
        work(on: id)
    }

    /// Notes that the body of a request takes its time.
    package mutating func wait(on id: ID) {
        if connections[id]?.isKnown == false { change(id, to: .silent) }
    }

    /// Notes that the body of a request is complete.
    package mutating func complete(on id: ID) { work(on: id) }

    /// Notes that a request was answered, or that its client left.
    package mutating func end(_ request: ID, on id: ID) {
        guard var connection = connections[id], let count = connection.requests[request] else { return }
        release(request)
        connection.requests[request] = count > 1 ? count - 1 : nil
        connection.isKnown = false
        connections[id] = connection
        if connection.requests.isEmpty { change(id, to: .idle) }
    }

    /// Counts a request for somebody until it ends; returns false if there are too many.
    ///
    /// Requests of clients who left are not counted.
    package mutating func hold(_ request: ID, on id: ID, for holder: RequestHolder, limit: Int) -> Bool {
        guard connections[id]?.requests[request] != nil else { return true }
        guard held[holder, default: 0] < limit else { return false }
        held[holder, default: 0] += 1
        holdings[request, default: []].append(holder)
        if case .person = holder {
            connections[id]?.isKnown = true
            work(on: id)
        }
        return true
    }

    private mutating func release(_ request: ID) {
        for holder in holdings.removeValue(forKey: request) ?? [] {
            let rest = held[holder, default: 1] - 1
            held[holder] = rest > 0 ? rest : nil
        }
    }

    private mutating func work(on id: ID) {
        guard let state = connections[id]?.state, state != .busy else { return }
        if state == .silent { silentCount -= 1 }
        connections[id]?.state = .busy
    }

    /// Puts a connection that does nothing at the end of its queue.
    private mutating func change(_ id: ID, to state: State) {
        guard let old = connections[id]?.state, old != state || connections[id]?.entry == 0 else { return }
        if old == .silent, state != .silent { silentCount -= 1 }
        if old != .silent, state == .silent { silentCount += 1 }
        lastEntry += 1
        connections[id]?.state = state
        connections[id]?.entry = lastEntry
        let isPresent = { [connections] (id: ID, entry: Int) in connections[id]?.entry == entry }
        if state == .silent {
            silent.append(id, lastEntry, keeping: isPresent, count: connections.count)
        } else {
            idle.append(id, lastEntry, keeping: isPresent, count: connections.count)
        }
    }

    private mutating func oldestWithoutWork() -> ID? {
        let isSilent = { [connections] (id: ID, entry: Int) in
            connections[id].map { $0.entry == entry && $0.state == .silent } ?? false
        }
        let isIdle = { [connections] (id: ID, entry: Int) in
            connections[id].map { $0.entry == entry && $0.state == .idle } ?? false
        }
        if silentCount >= limits.silent, let id = silent.first(where: isSilent) { return id }
        return idle.first(where: isIdle) ?? silent.first(where: isSilent)
    }
}

/// A queue whose entries may be out of date; the cost of an entry is constant on average.
private struct LeavingQueue<ID: Hashable & Sendable>: Sendable {
    private var entries: [(id: ID, entry: Int)] = []
    private var start = 0

    mutating func append(_ id: ID, _ entry: Int, keeping isPresent: (ID, Int) -> Bool, count: Int) {
        entries.append((id, entry))
        guard entries.count > 2 * count + 64 else { return }
        entries = entries[start...].filter { isPresent($0.id, $0.entry) }
        start = 0
    }

    /// Removes and returns the first entry that is still right.
    mutating func first(where isRight: (ID, Int) -> Bool) -> ID? {
        while start < entries.count {
            let (id, entry) = entries[start]
            start += 1
            if isRight(id, entry) { return id }
        }
        return nil
    }
}
