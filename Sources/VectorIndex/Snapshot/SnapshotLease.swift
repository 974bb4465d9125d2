import Synchronization

/// Shows which snapshots are in use: each holds a lease, which ends with its last copy.
final class SnapshotLeases: Sendable {
    private struct State {
        var next: UInt64 = 0
        var live: Set<UInt64> = []
    }
    private let state = Mutex(State())

    /// The lease of the next snapshot.
    func next() -> SnapshotLease {
        SnapshotLease(
            turn: state.withLock { state in
                state.next += 1
                state.live.insert(state.next)
                return state.next
            }, leases: self)
    }

    /// The turn of the oldest snapshot in use.
    func oldestTurn() -> UInt64 { state.withLock { $0.live.min() ?? .max } }

    fileprivate func end(_ turn: UInt64) { state.withLock { _ = $0.live.remove(turn) } }
}

/// Says that a snapshot is in use as long as it lives.
final class SnapshotLease: Sendable {
    /// Ascends with every write.
    let turn: UInt64
    private let leases: SnapshotLeases

    fileprivate init(turn: UInt64, leases: SnapshotLeases) {
        self.turn = turn
        self.leases = leases
    }

    deinit { leases.end(turn) }
}
