import Synchronization

/// How many searches are carried out at a time.
public struct SearchLimits: Hashable, Sendable {
    /// Of all users.
    public var running: Int
    /// Of one user; further ones wait.
    public var perUser: Int
    /// Waiting, of one user; the rest is refused at once.
    public var waitingPerUser: Int
    /// Waiting, of all users; the rest is refused at once.
    public var waiting: Int

    /// Joins the limits; the first two are at least 1.
    public init(running: Int = 256, perUser: Int = 32, waitingPerUser: Int = 256, waiting: Int = 1_024) {
        self.running = running
        self.perUser = perUser
        self.waitingPerUser = waitingPerUser
        self.waiting = waiting
    }

    /// The limits of requests that embed many texts: one of a user at a time, as one keeps all processors busy.
    static let embeddings = SearchLimits(running: 4, perUser: 1, waitingPerUser: 8, waiting: 64)
}

/// Lets so many requests be carried out at a time, of each user and of all; the rest waits.
///
/// Users take turns: a place that becomes free goes to the next user who waits and has one to take, so that a user with
/// many requests delays the others by one each.
package final class FairGate: Sendable {
    fileprivate struct User {
        var running = 0
        /// Tickets, oldest first.
        var waiting: [Int] = []
    }

    fileprivate struct State {
        var running = 0
        var lastTicket = 0
        var users: [String: User] = [:]
        /// Those who wait, in the order of their turns.
        var turns: [String] = []
        /// By ticket; nil for one that has not begun to wait yet.
        var waiting: [Int: CheckedContinuation<Void, any Error>?] = [:]
        /// Tickets that got their place before they began to wait.
        var early: Set<Int> = []
    }

    private let limits: SearchLimits
    private let state = Mutex(State())

    /// Makes a gate.
    package init(limits: SearchLimits) {
        self.limits = limits
    }

    /// How many are carried out, how many wait, and of how many users.
    package var counts: (running: Int, waiting: Int, users: Int) {
        state.withLock { ($0.running, $0.waiting.count, $0.users.count) }
    }

    /// Carries out `body` when it is its turn.
    ///
    /// - Throws: ``Failure/tooManySearches`` when this user has too many waiting, ``Failure/overloaded`` when all users
    ///   together have, `CancellationError`, and what `body` throws.
    package func withPlace<Value>(for user: String, _ body: () async throws -> Value) async throws -> Value {
        if let ticket = try enter(user) { try await wait(ticket, of: user) }
        defer { leave(user) }
        return try await body()
    }

    /// Takes a place, or a ticket when there is none.
    private func enter(_ name: String) throws(Failure) -> Int? {
        let entry = state.withLock { state -> Result<Int?, Failure> in
            var user = state.users[name] ?? User()
            if user.running < limits.perUser, user.waiting.isEmpty, state.running < limits.running {
                user.running += 1
                state.running += 1
                state.users[name] = user
                return .success(nil)
            }
            guard user.waiting.count < limits.waitingPerUser else { return .failure(.tooManySearches) }
            guard state.waiting.count < limits.waiting else { return .failure(.overloaded) }
            state.lastTicket += 1
            if user.waiting.isEmpty { state.turns.append(name) }
            user.waiting.append(state.lastTicket)
            state.users[name] = user
            state.waiting[state.lastTicket] = .some(nil)
            return .success(state.lastTicket)
        }
        return try entry.get()
    }

    private func wait(_ ticket: Int, of user: String) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Void, any Error>? in
                    if state.early.remove(ticket) != nil { return .success(()) }
                    // A cancellation that came before this took the ticket back.
                    guard state.waiting[ticket] != nil else { return .failure(CancellationError()) }
                    state.waiting[ticket] = .some(continuation)
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                guard let waiting = state.waiting.removeValue(forKey: ticket) else { return nil }
                state.forget(ticket, of: user)
                return waiting
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Frees a place and hands out what is free.
    private func leave(_ name: String) {
        let next = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
            state.running -= 1
            state.users[name]?.running -= 1
            state.removeIfIdle(name)
            return state.handOut(limits)
        }
        for continuation in next { continuation.resume() }
    }
}

extension FairGate.State {
    /// Gives free places to those who wait, each user one at a time.
    fileprivate mutating func handOut(_ limits: SearchLimits) -> [CheckedContinuation<Void, any Error>] {
        var resumed: [CheckedContinuation<Void, any Error>] = []
        var place = 0
        while running < limits.running, place < turns.count {
            let name = turns[place]
            guard var user = users[name], let ticket = user.waiting.first else {
                turns.remove(at: place)
                continue
            }
            guard user.running < limits.perUser else {
                place += 1
                continue
            }
            user.waiting.removeFirst()
            user.running += 1
            running += 1
            users[name] = user
            turns.remove(at: place)
            if !user.waiting.isEmpty { turns.append(name) }
            if let waiting = waiting.removeValue(forKey: ticket), let continuation = waiting {
                resumed.append(continuation)
            } else {
                early.insert(ticket)
            }
        }
        return resumed
    }

    /// Takes back the ticket of a request that was cancelled.
    fileprivate mutating func forget(_ ticket: Int, of name: String) {
        users[name]?.waiting.removeAll { $0 == ticket }
        if users[name]?.waiting.isEmpty == true { turns.removeAll { $0 == name } }
        removeIfIdle(name)
    }

    fileprivate mutating func removeIfIdle(_ name: String) {
        if let user = users[name], user.running == 0, user.waiting.isEmpty { users[name] = nil }
    }
}
