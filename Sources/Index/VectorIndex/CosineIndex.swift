public import IndexCore
import Synchronization

/// Exact cosine top-k over rows in groups; can be searched during writes.
///
/// Conventions of this module: `n` rows, `d` components, `k` hits. Rows are Float32, row-major and of length 1; row *i*
/// of a block starts at `i * stride` floats. A score is the dot product of two such rows, in -1...1; higher is better.
/// A score depends on the two vectors only, not on the position of a row, so equal vectors have equal scores.
///
/// A search runs on one ``Snapshot`` and sees every write that returned before it began; it holds no lock. Writers take
/// turns; the effect of one write call becomes visible as a whole. Rows of one group lie together, so the cost of a
/// search depends only on its groups.
public final class CosineIndex: Sendable {
    let layout: RowLayout
    /// Held for the whole of a write.
    let writer = Mutex<Void>(())
    /// Changed together with `current`, inside this lock: the holder sees the snapshot that belongs to it.
    let locations: Mutex<LocationMap>
    /// Held only while the reference is copied.
    let current: Mutex<Snapshot>
    /// Held while a file is written.
    let fileWriter = Mutex<Void>(())
    /// Knows which snapshots are in use.
    let leases = SnapshotLeases()

    /// Makes an empty index.
    ///
    /// - Parameters:
    ///   - dimensions: Components of every row.
    ///   - form: The codes that are kept in memory to find candidates.
    ///   - threadCount: The most threads of one search, the calling one included; it does not change results.
    /// - Precondition: Both numbers are 1 or more.
    public convenience init(dimensions: Int, form: IndexForm = .exact, threadCount: Int = 1) {
        precondition(threadCount >= 1, "a search needs a thread")
        self.init(
            layout: RowLayout(dimensions: dimensions, form: form), settings: ScanSettings(threadCount: threadCount))
    }

    /// Makes an empty index for tests, with small blocks of at most `blockRowCount` rows, and with codes for any number
    /// of components.
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

    /// Makes an index of rows that are stored already.
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

    /// The number of rows in each group; groups without rows are left out.
    ///
    /// - Complexity: O(groups).
    public func groupCounts() -> [GroupKey: Int] { snapshot().groupCounts() }

    /// The present state, which later writes do not change; it keeps the memory of its rows while it lives.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> Snapshot { current.withLock { $0 } }
}

/// The errors of bad input and of the machine; the index is unchanged when one is thrown.
public enum VectorIndexError: Error, Equatable, Sendable {
    /// A vector has another number of components than the index.
    case dimensionMismatch(expected: Int, got: Int)
    /// A vector's length is zero or below the least normal `Float`, so it has no direction.
    case zeroVector
    /// The component at this position is NaN or infinite.
    case notFinite(component: Int)
    /// Memory for rows could not be allocated.
    case outOfMemory(byteCount: Int)
    /// A block of the snapshot file in the scope of the search is damaged; see ``CosineIndex/damagedRows()``.
    case damaged
    /// The searching task was cancelled.
    case cancelled
}

/// Knows which snapshots are in use: each holds a lease, which ends with its last copy.
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

/// Marks a snapshot as in use as long as it lives.
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
