import CKernels
import IndexCore
import Synchronization

/// One pass of some queries over the codes in scope: finds all rows that can be among the best.
struct CodeScan: Sendable {
    let selection: BlockSelection
    let queries: QueryCodes
    /// Hits wanted for each query; at most the rows in scope.
    let k: Int

    /// Bytes of codes for each helping thread: to read them takes 25 µs, about as long as a parked thread needs to
    /// wake.
    private static let bytesPerThread = 512 * 1024

    /// Finds the candidates of each query, each with its interval; they include its `k` best rows.
    ///
    /// - Parameters:
    ///   - context: The helping threads. A predicate is called on the calling thread only, which then works alone.
    ///   - predicate: Decides which rows may be found; nil for all.
    /// - Returns: One set of candidates for each query.
    /// - Throws: ``VectorIndexError/cancelled``.
    func candidates(
        _ context: ScanContext, where predicate: RowPredicate?
    ) throws(VectorIndexError) -> [BoundedCandidates] {
        let pass = CodePass(selection, queryCount: queries.count)
        // From about four queries on, the products take longer than reading, so they decide how many threads help.
        let scannedBytes = selection.rowCount * queries.width * max(1, queries.count / 4)
        let usefulCount = min(scannedBytes / Self.bytesPerThread, pass.chunkCount - 1)
        let helperCount = predicate == nil ? max(0, min(context.helperCount, usefulCount)) : 0
        var worker = CodeWorker(self)
        context.helpers.share(
            {
                var helper = CodeWorker(self)
                helper.run(pass, where: nil) { pass.isStopped }
                if helper.isDamaged { pass.reportDamage() }
                pass.hand(in: helper.tops)
            }, helperCount: helperCount
        ) {
            worker.run(pass, where: predicate) {
                if context.isCancelled() { pass.stop() }
                return pass.isStopped
            }
        }
        if worker.isDamaged { pass.reportDamage() }
        if pass.isDamaged { throw .damaged }
        if pass.isStopped { throw .cancelled }
        return merged(worker.tops, pass.handedIn)
    }

    private func merged(_ own: [BoundedCandidates], _ others: [[BoundedCandidates]]) -> [BoundedCandidates] {
        var tops = own
        for query in tops.indices {
            for other in others { tops[query].merge(other[query]) }
            tops[query].cut()
        }
        return tops
    }
}

/// The state that the threads of one ``CodeScan`` share: the blocks still to be read, and the score that a row must
/// reach.
final class CodePass: Sendable {
    /// Rows handed out together: enough to make the hand-over cheap, few enough that the threads end at the same time.
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

    /// Ends the work of all threads, because no correct result is possible.
    func reportDamage() {
        damaged.store(true, ordering: .relaxed)
        stop()
    }

    /// Positions of the next blocks that no thread has taken; nil when none are left.
    func nextChunk() -> Range<Int>? {
        let number = next.add(1, ordering: .relaxed).oldValue
        return number < chunks.count ? chunks[number] : nil
    }

    /// Shares this thread's limits with the others, and takes over higher ones.
    func exchangeLimits(_ tops: inout [BoundedCandidates]) {
        limits.withLock { limits in
            for query in tops.indices {
                tops[query].raise(to: limits[query])
                limits[query] = tops[query].limit
            }
        }
    }

    /// Takes over the candidates of a helping thread.
    func hand(in tops: [BoundedCandidates]) { results.withLock { $0.append(tops) } }

    /// The candidates of the helping threads.
    var handedIn: [[BoundedCandidates]] { results.withLock { $0 } }
}

/// The blocks that a worker reads.
struct CodeSource {
    let entries: UnsafeBufferPointer<BlockEntry>
    let layout: RowLayout
    let predicate: RowPredicate?

    /// Whether a row may be found.
    func isVisible(_ place: RowPlace) -> Bool { entries[Int(place.entry)].isVisible(Int(place.row), predicate) }

    /// The codes of a row's block.
    func codes(_ place: RowPlace) -> RowCodes { entries[Int(place.entry)].codes }

    /// The first component of a row.
    func vector(_ place: RowPlace) -> UnsafePointer<Float> {
        entries[Int(place.entry)].vectors + Int(place.row) * layout.stride
    }

    /// Visits rows with their final scores, as ``RowLayout/finalScore(_:_:)`` gives them, four at a time.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - query: The query's first component.
    ///   - place: The place of a row.
    ///   - isEnough: Called before every four rows with the number of the first; true leaves out the rest.
    ///   - body: Called with the rows one by one, in order.
    /// - Returns: Whether all blocks that were read are intact; the visit ends at the first damaged block.
    func forEachScore(
        _ count: Int, of query: UnsafePointer<Float>, at place: (Int) -> RowPlace,
        until isEnough: (Int) -> Bool = { _ in false }, _ body: (RowPlace, Float) -> Void
    ) -> Bool {
        let byteCount = layout.dimensions * MemoryLayout<Float>.stride
        return withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { four in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { sums in
                guard let first = four.baseAddress, let out = sums.baseAddress else { return false }
                for start in stride(from: 0, to: count, by: 4) {
                    if isEnough(start) { break }
                    let end = min(start + 4, count)
                    for row in start..<end where !entries[Int(place(row).entry)].isGood(.vectors) { return false }
                    // The last row fills the missing places, whose scores are dropped.
                    for lane in 0..<4 { four[lane] = vector(place(min(start + lane, end - 1))) }
                    for row in end..<min(end + 4, count) { nexus_index_fetch(vector(place(row)), byteCount) }
                    RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
                    for row in start..<end { body(place(row), min(1, max(-1, Float(sums[row - start])))) }
                }
                return true
            }
        }
    }
}

/// The rows of consecutive blocks of a selection, with their products and estimates for one query.
struct EstimatedRows {
    /// Positions of the blocks in the selection.
    let blocks: Range<Int>
    /// The query's number.
    let query: Int
    /// Whether the products include both planes.
    let isFine: Bool
    /// Products of the planes that were read, row by row.
    let products: UnsafeMutablePointer<Int32>
    /// The scores estimated from them.
    let estimates: UnsafeMutablePointer<Float>
    private(set) var count = 0
    /// The largest tangent of a row.
    private(set) var tangent: Float = 0

    init(
        blocks: Range<Int>, query: Int, isFine: Bool = false, products: UnsafeMutablePointer<Int32>,
        estimates: UnsafeMutablePointer<Float>
    ) {
        self.blocks = blocks
        self.query = query
        self.isFine = isFine
        self.products = products
        self.estimates = estimates
    }

    /// Turns the products of the next block into estimates.
    mutating func add(_ entry: BlockEntry, _ form: ScoreForm) {
        let numbers = numbers(of: entry)
        let largest = RowCodes.kernels.estimate(
            estimates + count, products + count, numbers.factors, numbers.tangents, entry.rowCount, form.kernel)
        tangent = max(tangent, largest)
        count += entry.rowCount
    }

    /// The numbers of a block's rows for the planes that were read.
    func numbers(of entry: BlockEntry) -> RowCodes.Numbers { isFine ? entry.codes.fine : entry.codes.coarse }

    /// Visits the rows whose estimates are `least` or more, among at most `length` rows from `start` on.
    func forEachRow(
        atLeast least: Float, from start: Int = 0, length: Int = .max, of source: CodeSource,
        found: UnsafeMutablePointer<UInt32>, _ body: (PendingRow, _ estimate: Float) -> Void
    ) {
        let total = RowCodes.kernels.reaching(found, estimates + start, min(length, count - start), least)
        var (block, first) = (blocks.lowerBound, 0)
        for index in 0..<total {
            let position = start + Int(found[index])
            while position >= first + source.entries[block].rowCount {
                first += source.entries[block].rowCount
                block += 1
            }
            let place = RowPlace(entry: UInt32(block), row: UInt32(position - first))
            body(PendingRow(place: place, product: products[position]), estimates[position])
        }
    }
}

/// A row whose product with the first plane is known.
struct PendingRow {
    let place: RowPlace
    var product: Int32
}

/// The `capacity` rows with the highest estimates of some blocks, best first.
struct PromisingRows {
    private static let rowsPerStep = 128
    private let capacity: Int
    var rows: [PendingRow] = []
    private var estimates: [Float] = []
    private var least = -Float.infinity

    init(capacity: Int) {
        self.capacity = capacity
        rows.reserveCapacity(capacity)
        estimates.reserveCapacity(capacity)
    }

    var isFull: Bool { rows.count == capacity }

    /// Considers the visible rows; `found` must have room for the positions of one step.
    mutating func see(_ rows: EstimatedRows, of source: CodeSource, found: UnsafeMutablePointer<UInt32>) {
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerStep) {
            rows.forEachRow(atLeast: least, from: start, length: Self.rowsPerStep, of: source, found: found) {
                row, estimate in
                guard estimate > least || !isFull, source.isVisible(row.place) else { return }
                keep(row, estimate)
            }
        }
    }

    /// Inserts a row at its place, best first.
    private mutating func keep(_ row: PendingRow, _ estimate: Float) {
        if isFull {
            rows.removeLast()
            estimates.removeLast()
        }
        var place = rows.count
        while place > 0, estimates[place - 1] < estimate { place -= 1 }
        rows.insert(row, at: place)
        estimates.insert(estimate, at: place)
        if isFull { least = estimates[estimates.count - 1] }
    }
}
