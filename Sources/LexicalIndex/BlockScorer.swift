/// Scores all rows of one block, term by term.
///
/// It works on a *window*: the rows of the block, and before and after them the neighbours that they reach in other
/// blocks. An occurrence is added to the frequencies of all rows of the window whose score it counts for; then the
/// frequencies that were touched are turned into scores. So the cost follows the occurrences, not the rows.
struct BlockScorer: ~Copyable {
    private let query: PreparedQuery
    private let previous: [Float]
    private let next: [Float]
    /// Room for a window and one place behind it.
    private let capacity: Int
    /// Whether a row of the window is linked to the one before it; false at both ends.
    private let isLinked: UnsafeMutablePointer<Bool>
    private let textLengths: UnsafeMutablePointer<UInt32>
    /// Zero between terms.
    private let frequencies: UnsafeMutablePointer<Float>
    /// Zero where they are not known yet.
    private let normalisers: UnsafeMutablePointer<Float>
    private let scores: UnsafeMutablePointer<Float>
    private let touched: UnsafeMutablePointer<Int32>
    private var touchedCount = 0

    init(_ query: PreparedQuery, rowLimit: Int) {
        self.query = query
        previous = query.weights.previous
        next = query.weights.next
        capacity = rowLimit + previous.count + next.count + 1
        isLinked = .allocate(capacity: capacity)
        textLengths = .allocate(capacity: capacity)
        frequencies = .allocate(capacity: capacity)
        normalisers = .allocate(capacity: capacity)
        scores = .allocate(capacity: capacity)
        touched = .allocate(capacity: capacity)
        frequencies.initialize(repeating: 0, count: capacity)
    }

    deinit {
        isLinked.deallocate()
        textLengths.deallocate()
        frequencies.deallocate()
        normalisers.deallocate()
        scores.deallocate()
        touched.deallocate()
    }

    /// Scores the rows of one block.
    ///
    /// - Parameters:
    ///   - number: The block's number in its group.
    ///   - group: The group.
    ///   - ranges: For every block of the group the postings of each term of the query, one block after the other.
    ///   - body: Is given each row of the block with a score above 0, in order.
    mutating func score(
        block number: Int, of group: GroupRows, ranges: UnsafePointer<PostingRange>, _ body: (Int, Float) -> Void
    ) {
        let block = group.blocks[number]
        let first = RowLocation(block: number, row: 0)
        let last = RowLocation(block: number, row: block.count - 1)
        let gap = query.weights.maximumGap
        let before = group.neighbours(before: first, atMost: previous.count, maximumGap: gap)
        let after = group.neighbours(after: last, atMost: next.count, maximumGap: gap)
        let start = before.count
        open(group, block, before: before, after: after)

        for (term, entry) in query.terms.enumerated() {
            func add(_ place: RowLocation, at row: Int) {
                let range = ranges[place.block * query.terms.count + term]
                if !range.isEmpty, let posting = group.blocks[place.block].posting(of: place.row, in: range) {
                    self.add(posting, at: row)
                }
            }
            for (distance, place) in before.enumerated().reversed() { add(place, at: start - 1 - distance) }
            for index in ranges[number * query.terms.count + term].indices {
                let posting = block.postings[index]
                self.add(posting, at: start + posting.row)
            }
            for (distance, place) in after.enumerated() { add(place, at: start + block.count + distance) }
            saturate(entry.value, block, start: start)
        }
        for row in 0..<block.count where scores[start + row] > 0 { body(row, scores[start + row]) }
    }

    /// Makes the window ready.
    private func open(_ group: GroupRows, _ block: RowBlock, before: [RowLocation], after: [RowLocation]) {
        let (start, end) = (before.count, before.count + block.count)
        let rowCount = end + after.count
        for (distance, place) in before.enumerated() {
            isLinked[start - distance] = true
            textLengths[start - 1 - distance] = group.blocks[place.block].textLengths[place.row]
        }
        isLinked[0] = false
        let gap = query.weights.maximumGap
        for row in 1..<max(block.count, 1) {
            isLinked[start + row] =
                block.threads[row - 1] == block.threads[row]
                && isGap(from: block.times[row - 1], to: block.times[row], atMost: gap)
        }
        (textLengths + start).update(from: block.textLengths, count: block.count)
        for (distance, place) in after.enumerated() {
            isLinked[end + distance] = true
            textLengths[end + distance] = group.blocks[place.block].textLengths[place.row]
        }
        isLinked[rowCount] = false
        normalisers.update(repeating: 0, count: rowCount)
        scores.update(repeating: 0, count: rowCount)
    }

    /// Adds the occurrences that a row holds to all rows that they count for.
    private mutating func add(_ posting: Posting, at row: Int) {
        let (text, weights) = (posting.text, query.weights)
        if text > 0 {
            for distance in 1..<next.count + 1 {
                guard isLinked[row - distance + 1] else { break }
                add(next[distance - 1] * text, to: row - distance)
            }
        }
        add(weights.text * text + weights.sender * posting.sender + weights.date * posting.date, to: row)
        if text > 0 {
            for distance in 1..<previous.count + 1 {
                guard isLinked[row + distance] else { break }
                add(previous[distance - 1] * text, to: row + distance)
            }
        }
    }

    private mutating func add(_ amount: Float, to row: Int) {
        guard amount > 0 else { return }
        if frequencies[row] == 0 {
            touched[touchedCount] = Int32(truncatingIfNeeded: row)
            touchedCount += 1
        }
        frequencies[row] += amount
    }

    /// Turns the frequencies of one term into scores.
    private mutating func saturate(_ value: Float, _ block: RowBlock, start: Int) {
        for index in 0..<touchedCount {
            let row = Int(touched[index])
            let frequency = frequencies[row]
            frequencies[row] = 0
            guard row >= start, row < start + block.count else { continue }
            if normalisers[row] == 0 { normalisers[row] = normaliser(of: row, own: block.lengths[row - start]) }
            scores[row] += query.score(value: value, frequency: frequency, normaliser: normalisers[row])
        }
        touchedCount = 0
    }

    /// The length part of a row's score.
    private func normaliser(of row: Int, own: UInt32) -> Float {
        var tokenCount = Int(own)
        for distance in 1..<previous.count + 1 {
            guard isLinked[row - distance + 1] else { break }
            if previous[distance - 1] > 0 { tokenCount += Int(textLengths[row - distance]) }
        }
        for distance in 1..<next.count + 1 {
            guard isLinked[row + distance] else { break }
            if next[distance - 1] > 0 { tokenCount += Int(textLengths[row + distance]) }
        }
        return query.normaliser(tokenCount: tokenCount)
    }
}
