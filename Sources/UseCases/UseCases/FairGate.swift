import Synchronization

/// Limits how many requests run at a time, for each user and for all; the others wait.
///
/// Users take turns: a free place goes to the next user who waits and may have one, so a user with many requests delays
/// each other user by one request only.
package final class FairGate: Sendable {
    /// The numbers that decide who runs, who waits and who is refused.
    fileprivate struct Limits {
        var running: Int
        var perUser: Int
        var waitingPerUser: Int
        /// Running and waiting together, for one user.
        var totalPerUser: Int
        var waiting: Int
    }

    fileprivate struct User {
        var running = 0
        /// Tickets, oldest first.
        var waiting: [Int] = []
        /// How long the next request of those that wait pauses before it begins.
        var rest = Duration.zero
    }

    fileprivate struct State {
        var running = 0
        var lastTicket = 0
        var users: [String: User] = [:]
        /// Waiting users, in the order of their turns.
        var turns: [String] = []
        /// Continuations by ticket; nil for a ticket that does not wait yet.
        var waiting: [Int: CheckedContinuation<Void, any Error>?] = [:]
        /// Tickets that got their place before they began to wait.
        var early: Set<Int> = []
    }

    /// The longest pause after a request.
    private static let longestRest = Duration.seconds(1)

    private let limits: Limits
    private let rest: Int
    private let pause: @Sendable (Duration) async throws -> Void
    /// The error for a user who has too many requests.
    private let refusal: LimitError
    private let state = Mutex(State())

    /// A gate for searches.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - pause: Lets time pass, until the task is cancelled; for tests.
    package init(
        limits: SearchLimits,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (rest, self.pause) = (limits.rest, pause)
        self.limits = Limits(
            running: limits.running, perUser: limits.perUser, waitingPerUser: limits.waitingPerUser, totalPerUser: .max,
            waiting: limits.waiting)
        refusal = .tooManySearches
    }

    /// A gate for questions.
    package init(limits: QuestionLimits) {
        (rest, pause) = (0, { _ in })
        self.limits = Limits(
            running: limits.running, perUser: limits.perUser, waitingPerUser: .max, totalPerUser: limits.perUser,
            waiting: limits.waiting)
        refusal = .tooManyQuestions
    }

    /// The numbers of running and waiting requests, and of their users.
    package var counts: (running: Int, waiting: Int, users: Int) {
        state.withLock { ($0.running, $0.waiting.count, $0.users.count) }
    }

    /// Runs `body` when it is its turn.
    ///
    /// - Throws: ``LimitError/tooManySearches`` or ``LimitError/tooManyQuestions`` when this user has too many
    ///   requests, ``LimitError/overloaded`` when all users together do, `CancellationError`, and any error of `body`.
    package func withPlace<Value>(for user: String, _ body: () async throws -> Value) async throws -> Value {
        let ticket = try enter(user)
        if let ticket { try await wait(ticket, of: user) }
        defer { leave(user) }
        guard rest > 0 else { return try await body() }
        // A request that is cancelled in its pause leaves the pause to the next one.
        if ticket != nil, let rest = state.withLock({ $0.users[user]?.rest }) { try await pause(rest) }
        let start = ContinuousClock.now
        defer {
            let rest = min((.now - start) * rest, Self.longestRest)
            state.withLock { $0.users[user]?.rest = rest }
        }
        return try await body()
    }

    /// Takes a place, or a ticket when there is none.
    private func enter(_ name: String) throws(LimitError) -> Int? {
        let entry = state.withLock { state -> Result<Int?, LimitError> in
            var user = state.users[name] ?? User()
            if user.running < limits.perUser, user.waiting.isEmpty, state.running < limits.running {
                user.running += 1
                state.running += 1
                state.users[name] = user
                return .success(nil)
            }
            guard user.waiting.count < limits.waitingPerUser, user.running + user.waiting.count < limits.totalPerUser
            else { return .failure(refusal) }
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

    /// Frees a place, and gives free places to waiting requests.
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
    fileprivate mutating func handOut(_ limits: FairGate.Limits) -> [CheckedContinuation<Void, any Error>] {
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

/// The limits of concurrent searches.
package struct SearchLimits: Hashable, Sendable {
    /// Running searches of all users.
    package var running: Int
    /// Running searches of one user; further ones wait.
    package var perUser: Int
    /// Waiting searches of one user; further ones are refused at once.
    package var waitingPerUser: Int
    /// Waiting searches of all users; further ones are refused at once.
    package var waiting: Int
    /// How many times as long as a search took its user's next one waits, if one waits already; a second at most.
    package var rest: Int

    /// The first two limits are at least 1.
    package init(
        running: Int = 256, perUser: Int = 32, waitingPerUser: Int = 256, waiting: Int = 1_024, rest: Int = 0
    ) {
        self.running = running
        self.perUser = perUser
        self.waitingPerUser = waitingPerUser
        self.waiting = waiting
        self.rest = rest
    }

    /// The limits of requests that embed many texts: one at a time for each user, because one keeps all processors
    /// busy.
    package static let embeddings = SearchLimits(running: 4, perUser: 1, waitingPerUser: 8, waiting: 64)

    /// Returns how many searches of one user run at a time: they leave a processor to the others.
    ///
    /// With 2 processors and 8 searches of one user at a time, posts of others took 11 times as long (p95), with 2 at a
    /// time 5 times, with 1 as long as before.
    package static func perUser(processors: Int) -> Int { min(32, max(2, processors) - 1) }

    /// The limits of lists of all conversations: one at a time for each user, and of those that are asked for at the same
    /// time only a quarter of the time of a processor.
    package static let lists = SearchLimits(
        running: 64, perUser: 1, waitingPerUser: 64, waiting: 1_024, rest: 3)

    /// The limits of pictures that are made small: one at a time for each user, and two for all.
    package static let pictures = SearchLimits(running: 2, perUser: 1, waitingPerUser: 4, waiting: 64)

    /// The limits of large batches of messages: one at a time for each user, and of simultaneous ones a quarter of the time.
    package static let largePosts = SearchLimits(
        running: 64, perUser: 1, waitingPerUser: 16, waiting: 256, rest: 3)
}

/// The limits of concurrent questions.
package struct QuestionLimits: Hashable, Sendable {
    /// Running questions of all users.
    package var running: Int
    /// Running and waiting questions of one user.
    package var perUser: Int
    /// Waiting questions of all users; further ones are refused at once.
    package var waiting: Int

    /// Each limit is at least 1, except for `waiting`, which may be 0.
    package init(running: Int = 256, perUser: Int = 8, waiting: Int = 1_024) {
        self.running = running
        self.perUser = perUser
        self.waiting = waiting
    }
}

/// A reason to refuse a request now.
package enum LimitError: Error, Equatable, Sendable {
    /// This user has too many running or waiting searches.
    case tooManySearches
    /// This user has too many questions in progress.
    case tooManyQuestions
    /// All users together have too many waiting requests.
    case overloaded
}
