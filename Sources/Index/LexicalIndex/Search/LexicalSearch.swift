import IndexCore

/// One search: scores the blocks that hold terms of the query, most promising first, until no other can hold a better
/// row.
struct LexicalSearch {
    /// A block that may hold a row of the result.
    private struct Candidate {
        let group: Int
        let block: Int
        /// No row of the block scores more.
        let bound: Float
    }

    /// Blocks between two checks for cancellation.
    private static let blocksPerCheck = 32

    /// The number of steps that bounds are sorted into.
    private static let stepCount = 64

    private let scan: LexicalScan
    private var candidates: [Candidate] = []

    init(_ scan: LexicalScan) {
        self.scan = scan
        for (number, group) in scan.groups.enumerated() {
            for block in group.blocks.indices {
                let bound = bound(of: block, in: group, rangeStart: scan.rangeStarts[number])
                if bound > 0 { candidates.append(Candidate(group: number, block: block, bound: bound)) }
            }
        }
        candidates = Self.ordered(candidates)
    }

    /// Returns the best rows, best first; ties by ascending key.
    func hits(k: Int, where predicate: RowPredicate?) throws(LexicalIndexError) -> [LexicalHit] {
        var top = TopHits(k: k)
        var scorer = BlockScorer(scan.query, rowLimit: scan.snapshot.blockRowCount)
        for (number, candidate) in candidates.enumerated() {
            if number % Self.blocksPerCheck == 0, Task.isCancelled { throw .cancelled }
            if top.isBeyond(candidate.bound) { continue }
            let group = scan.groups[candidate.group]
            scan.ranges.withUnsafeBufferPointer { ranges in
                guard let start = ranges.baseAddress else { return }
                let scores = scorer.scores(
                    block: candidate.block, of: group, ranges: start + scan.rangeStarts[candidate.group])
                add(scores, of: group.blocks[candidate.block], in: group.key, to: &top, where: predicate)
            }
        }
        return top.sorted()
    }

    private func add(
        _ scores: UnsafePointer<Float>, of block: RowBlock, in group: GroupKey, to top: inout TopHits,
        where predicate: RowPredicate?
    ) {
        for row in 0..<block.count where scores[row] > 0 && top.wouldKeep(score: scores[row], key: block.keys[row]) {
            let key = RowKey(rawValue: block.keys[row])
            if let predicate, !predicate(key, block.attributes(at: row)) { continue }
            top.insert(LexicalHit(key: key, group: group, score: scores[row], flags: block.flags[row]))
        }
    }

    /// The highest possible score of a block's rows: as if a row held every term in reach without limit.
    private func bound(of block: Int, in group: GroupRows, rangeStart: Int) -> Float {
        let reach = reach(of: block, in: group)
        var bound: Float = 0
        let (query, ranges) = (scan.query, scan.ranges)
        for (number, term) in query.terms.enumerated() where term.value > 0 {
            let isPresent = reach.contains { !ranges[rangeStart + $0 * query.terms.count + number].isEmpty }
            if isPresent { bound += query.limit(value: term.value) }
        }
        // A row's sum may be rounded up while this one was rounded down.
        return bound * 1.0001
    }

    /// Orders candidates by steps of their bounds, high ones first; sorting would cost more.
    private static func ordered(_ candidates: [Candidate]) -> [Candidate] {
        let highest = candidates.reduce(0) { max($0, $1.bound) }
        guard highest > 0, candidates.count > 1 else { return candidates }
        var ends = [Int](repeating: 0, count: stepCount)
        let steps = candidates.map { candidate in
            // The first step is for the highest bounds.
            min(stepCount - 1, Int(Float(stepCount) * (1 - candidate.bound / highest)))
        }
        for step in steps { ends[step] += 1 }
        for step in 1..<stepCount { ends[step] += ends[step - 1] }
        var ordered = candidates
        for (candidate, step) in zip(candidates, steps).reversed() {
            ends[step] -= 1
            ordered[ends[step]] = candidate
        }
        return ordered
    }

    /// The blocks that can hold neighbours of a block's rows, itself included.
    private func reach(of block: Int, in group: GroupRows) -> ClosedRange<Int> {
        var (first, last) = (block, block)
        var missing = scan.query.weights.previous.count
        while missing > 0, first > 0 {
            first -= 1
            missing -= group.blocks[first].count
        }
        missing = scan.query.weights.next.count
        while missing > 0, last + 1 < group.blocks.count {
            last += 1
            missing -= group.blocks[last].count
        }
        return first...last
    }
}
