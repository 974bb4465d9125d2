/// Rows of a snapshot file whose keys were removed or replaced since, and which of them wait to be scrubbed.
struct SnapshotRemovals {
    /// Rows that are in the file under keys that still have them.
    private var live: [UInt64]
    /// Rows to scrub once no snapshot older than a turn is in use; turns ascend.
    private var waiting: [(turn: UInt64, rows: [UInt32])] = []

    init(live: [UInt64]) { self.live = live }

    /// Notes that a row is gone from the snapshot of this turn on.
    mutating func add(_ rows: [UInt32], turn: UInt64) {
        let fresh = rows.filter { row in
            let (word, bit) = (Int(row / 64), UInt64(1) << UInt64(row % 64))
            defer { live[word] &= ~bit }
            return live[word] & bit != 0
        }
        if !fresh.isEmpty { waiting.append((turn, fresh)) }
    }

    /// Hands out the rows that nobody who reads snapshots from `oldest` on can see.
    mutating func take(upTo oldest: UInt64) -> [UInt32] {
        let ready = waiting.prefix { $0.turn <= oldest }
        waiting.removeFirst(ready.count)
        return ready.flatMap(\.rows)
    }

    /// Rows that still wait.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.rows.count } }
}
