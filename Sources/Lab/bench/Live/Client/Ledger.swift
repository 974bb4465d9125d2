import NIOCore
import Synchronization

/// The messages of a measurement: when each was sent, and when each socket got it.
final class Ledger: Sendable {
    private struct Entry {
        let start: NIODeadline
        /// How many sockets must get it.
        let due: Int
        var count = 0
        var last: NIODeadline?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var entries: [Entry] = []
        var receipts: [Double] = []
        /// Sockets that the server closed.
        var lossCount = 0
    }

    private let state = Mutex(State())

    /// Notes a message that is sent at a moment; returns its number.
    func begin(at moment: NIODeadline, due: Int) -> Int {
        state.withLock { state in
            state.entries.append(Entry(start: moment, due: due))
            return state.entries.count - 1
        }
    }

    func note(_ numbers: [Int], at moment: NIODeadline) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            var waiters: [CheckedContinuation<Void, Never>] = []
            for number in numbers where state.entries.indices.contains(number) {
                state.entries[number].count += 1
                state.entries[number].last = moment
                state.receipts.append((moment - state.entries[number].start).milliseconds)
                if state.entries[number].count == state.entries[number].due,
                    let waiter = state.entries[number].waiter.take()
                {
                    waiters.append(waiter)
                }
            }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func countLoss() { state.withLock { $0.lossCount += 1 } }

    /// Waits until all sockets have a message.
    func wait(for number: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.entries[number].count >= state.entries[number].due { return true }
                state.entries[number].waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// How many messages were noted.
    var count: Int { state.withLock { $0.entries.count } }

    /// Whether all sockets have all messages.
    var isComplete: Bool { state.withLock { $0.entries.allSatisfy { $0.count >= $0.due } } }

    /// Returns the milliseconds to the last socket of each message from a number on, and to every socket.
    ///
    /// - Throws: ``BenchFault`` if a socket missed a message or got one twice.
    func result(from first: Int) throws -> (last: [Double], all: [Double]) {
        try state.withLock { state in
            if state.lossCount > 0 { throw BenchFault("the server closed \(state.lossCount) sockets") }
            for (number, entry) in state.entries.enumerated() where entry.count != entry.due {
                throw BenchFault("message \(number) came \(entry.count) times to \(entry.due) sockets")
            }
            let last = state.entries[first...].compactMap { entry in
                entry.last.map { ($0 - entry.start).milliseconds }
            }
            return (last, state.receipts)
        }
    }

    /// Forgets the single receipts so far, as those of a warm-up.
    func forgetReceipts() { state.withLock { $0.receipts = [] } }
}

extension TimeAmount {
    var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}
