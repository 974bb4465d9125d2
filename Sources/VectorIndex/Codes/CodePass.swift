import Synchronization

/// What the threads of one ``CodeScan`` share: which blocks are still to be read, and how good a row must be.
final class CodePass: Sendable {
    /// Rows that are handed out together: enough to make the hand-over cheap, few enough that threads end together.
    private static let rowsPerChunk = 512
    private let chunks: [Range<Int>]
    private let next = Atomic(0)
    private let stopped = Atomic(false)
    private let damaged = Atomic(false)
    private let limits: Mutex<[Float]>
    private let results = Mutex<[[BoundedCandidates]]>([])

    init(_ selection: BlockSelection, queryCount: Int) {
        limits = Mutex(Array(repeating: -.infinity, count: queryCount))
        var chunks: [Range<Int>] = []
        var (start, rowCount) = (0, 0)
        for (number, entry) in selection.entries.enumerated() {
            rowCount += entry.rowCount
            guard rowCount >= Self.rowsPerChunk || number == selection.entries.count - 1 else { continue }
            chunks.append(start..<number + 1)
            (start, rowCount) = (number + 1, 0)
        }
        self.chunks = chunks
    }

    var chunkCount: Int { chunks.count }

    /// The most rows that a chunk of this selection can have.
    static func largestChunk(of selection: BlockSelection) -> Int {
        min(selection.rowCount, rowsPerChunk + selection.largestCount)
    }

    /// Whether the search was cancelled.
    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Whether a row that had to be read lies in a damaged block.
    var isDamaged: Bool { damaged.load(ordering: .relaxed) }

    /// Ends the work of all threads.
    func stop() { stopped.store(true, ordering: .relaxed) }

    /// Ends the work of all threads, for there is no right result.
    func reportDamage() {
        damaged.store(true, ordering: .relaxed)
        stop()
    }

    /// Positions of the next blocks that nobody has read, nil when there are none.
    func nextChunk() -> Range<Int>? {
        let number = next.add(1, ordering: .relaxed).oldValue
        return number < chunks.count ? chunks[number] : nil
    }

    /// Tells the others which scores are certain, and learns theirs.
    func exchangeLimits(_ tops: inout [BoundedCandidates]) {
        limits.withLock { limits in
            for query in tops.indices {
                tops[query].raise(to: limits[query])
                limits[query] = tops[query].limit
            }
        }
    }

    /// Takes over what a helping thread found.
    func hand(in tops: [BoundedCandidates]) { results.withLock { $0.append(tops) } }

    /// What the helping threads found.
    var handedIn: [[BoundedCandidates]] { results.withLock { $0 } }
}
