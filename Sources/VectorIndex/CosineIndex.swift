public import IndexCore
import Synchronization

/// Exact cosine top-k over rows in groups, searched while it is written.
///
/// Conventions of this module: `n` rows, `d` components, `k` hits. Rows are Float32, row-major, row *i* of a block starts
/// at `i * stride` floats, and have length 1; a score is the dot product of two such rows, in -1...1, higher is better.
/// A score depends on the two vectors only, never on where a row lies, so equal vectors have equal scores.
///
/// A search runs on one ``Snapshot`` and sees every write that returned before it began; it holds no lock. Writers take
/// turns; one call of a write function is seen wholly or not at all. Rows of one group lie together: a search
/// costs what its groups hold.
public final class CosineIndex: Sendable {
    let layout: RowLayout
    /// Held for the whole of a write.
    let writer = Mutex<Void>(())
    /// Changed together with `current`, inside its own lock: who holds it sees the snapshot that it describes.
    let locations: Mutex<LocationMap>
    /// Held for a copy of the reference only.
    let current: Mutex<Snapshot>
    /// Held while a file is written.
    let fileWriter = Mutex<Void>(())
    /// Tells which snapshots are in use.
    let leases = SnapshotLeases()

    /// Makes an empty index.
    ///
    /// - Parameters:
    ///   - dimensions: Components of every row.
    ///   - form: What is kept in memory to find candidates with.
    ///   - threadCount: The most threads that one search may use, the calling one included; no result depends on it.
    /// - Precondition: Both numbers are 1 or more.
    public convenience init(dimensions: Int, form: IndexForm = .exact, threadCount: Int = 1) {
        precondition(threadCount >= 1, "a search needs a thread")
        self.init(
            layout: RowLayout(dimensions: dimensions, form: form), settings: ScanSettings(threadCount: threadCount))
    }

    /// Makes an empty index with blocks of at most `blockRowCount` rows, so that tests reach the edges of blocks, and
    /// with codes whatever the number of components.
    package convenience init(
        dimensions: Int, form: IndexForm = .exact, blockRowCount: Int?, threadCount: Int = 1
    ) {
        self.init(
            layout: RowLayout(
                dimensions: dimensions, form: form, blockRowCount: blockRowCount,
                codedDimensions: Self.testedCodeDimensions),
            settings: .codesAlways(threadCount: threadCount))
    }

    static let testedCodeDimensions = 1...16_384

    private convenience init(layout: RowLayout, settings: ScanSettings) {
        self.init(layout: layout, settings: settings, table: GroupTable(), count: 0, locations: LocationMap())
    }

    /// Makes an index of rows that lie somewhere already.
    init(layout: RowLayout, settings: ScanSettings, table: GroupTable, count: Int, locations: LocationMap) {
        self.layout = layout
        self.locations = Mutex(locations)
        var table = table
        table.lease = leases.next()
        current = Mutex(Snapshot(layout: layout, settings: settings, table: table, count: count))
    }

    /// Components of every row.
    public var dimensions: Int { layout.dimensions }

    /// Rows in the index.
    public var count: Int { snapshot().count }

    /// How many rows each group holds; groups without rows are left out.
    ///
    /// - Complexity: O(groups).
    public func groupCounts() -> [GroupKey: Int] { snapshot().groupCounts() }

    /// The present state, which later writes do not change; keeps the memory of its rows while it lives.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> Snapshot { current.withLock { $0 } }
}

/// What a caller's input or the machine can do wrong; the index is unchanged whenever one is thrown.
public enum VectorIndexError: Error, Equatable, Sendable {
    /// A vector has another number of components than the index.
    case dimensionMismatch(expected: Int, got: Int)
    /// A vector's length is zero or below the least normal `Float`, so it has no direction.
    case zeroVector
    /// The component at this position is NaN or infinite.
    case notFinite(component: Int)
    /// Memory for rows could not be had.
    case outOfMemory(byteCount: Int)
    /// A block of the snapshot file in the search's scope is not what was written; see ``CosineIndex/damagedRows()``.
    case damaged
    /// The task that searches was cancelled.
    case cancelled
}

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
