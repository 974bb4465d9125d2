/// Scores all rows of one block, term by term.
///
/// It works on a *window*: the rows of the block, with room before and after them for their neighbours in other blocks.
/// The occurrences of a term are laid out along the window, and every row near one gathers its own and its neighbours'
/// occurrences. So the cost depends on the occurrences, and long runs of rows are computed several at a time.
struct BlockScorer: ~Copyable {
    /// A neighbour's offset from a row, and the weight of an occurrence there.
    private struct Place {
        let offset: Int
        let weight: Float
    }

    /// Runs of rows with at most this gap between them are computed together.
    private static let joinedGap = 8

    private let query: PreparedQuery
    /// The places before a row, farthest first.
    private let previous: [Place]
    /// The places after a row, nearest first.
    private let next: [Place]
    /// Rows of a window before the block's first row, one for each place.
    private let start: Int
    /// Rows of the largest window.
    private let capacity: Int
    /// 1 if a row is linked to the one before it, else 0.
    private let links: UnsafeMutablePointer<Float>
    private let textLengths: UnsafeMutablePointer<Float>
    /// The weight of an occurrence in each place for each row, 0 without a neighbour: `capacity` numbers for each
    /// place.
    private let placeWeights: UnsafeMutablePointer<Float>
    private let reach: UnsafeMutablePointer<Float>
    private let normalisers: UnsafeMutablePointer<Float>
    /// Occurrences of a term in the text of each row; all zero between two terms.
    private let texts: UnsafeMutablePointer<Float>
    /// Weighted occurrences of a term in all fields of each row; all zero between two terms.
    private let owns: UnsafeMutablePointer<Float>
    private let frequencies: UnsafeMutablePointer<Float>
    private let scores: UnsafeMutablePointer<Float>
    /// Rows of the window that hold the term, ascending.
    private let holders: UnsafeMutablePointer<Int32>
    private var holderCount = 0

    init(_ query: PreparedQuery, rowLimit: Int) {
        let weights = query.weights
        self.query = query
        previous = weights.previous.enumerated().reversed().map { Place(offset: -$0 - 1, weight: $1) }
        next = weights.next.enumerated().map { Place(offset: $0 + 1, weight: $1) }
        start = previous.count
        capacity = rowLimit + previous.count + next.count
        func row() -> UnsafeMutablePointer<Float> { .zeros(rowLimit + weights.previous.count + weights.next.count) }
        (links, textLengths, reach, normalisers) = (row(), row(), row(), row())
        (texts, owns, frequencies, scores) = (row(), row(), row(), row())
        placeWeights = .zeros(capacity * max(1, previous.count + next.count))
        holders = .allocate(capacity: capacity)
    }

    deinit {
        for row in [links, textLengths, reach, normalisers, texts, owns, frequencies, scores, placeWeights] {
            row.deallocate()
        }
        holders.deallocate()
    }

    /// Scores the rows of one block.
    ///
    /// - Parameters:
    ///   - number: The block's number in its group.
    ///   - group: The group.
    ///   - ranges: For every block of the group the postings of each term of the query, one block after another.
    /// - Returns: The score of each row, valid until the next call; 0 for rows without a match.
    mutating func scores(
        block number: Int, of group: GroupRows, ranges: UnsafePointer<PostingRange>
    ) -> UnsafePointer<Float> {
        let block = group.blocks[number]
        let (first, last) = (RowLocation(block: number, row: 0), RowLocation(block: number, row: block.count - 1))
        let gap = query.weights.maximumGap
        let before = group.neighbours(before: first, atMost: previous.count, maximumGap: gap)
        let after = group.neighbours(after: last, atMost: next.count, maximumGap: gap)
        open(group, block, before: before, after: after)

        let termCount = query.terms.count
        for term in 0..<termCount where query.terms[term].value > 0 {
            for (distance, place) in before.enumerated().reversed() {
                hold(place, of: group, ranges[place.block * termCount + term], at: start - 1 - distance)
            }
            let range = ranges[number * termCount + term]
            for index in Int(range.start)..<Int(range.end) {
                let posting = block.postings[index]
                hold(posting, at: start + posting.row)
            }
            for (distance, place) in after.enumerated() {
                hold(place, of: group, ranges[place.block * termCount + term], at: start + block.count + distance)
            }
            addScores(query.terms[term].value, rowCount: block.count)
        }
        return UnsafePointer(scores + start)
    }

    /// Fills the window with links and lengths.
    private func open(_ group: GroupRows, _ block: RowBlock, before: [RowLocation], after: [RowLocation]) {
        let (end, gap) = (start + block.count, query.weights.maximumGap)
        for row in 0..<start { (links[row], textLengths[row]) = (0, 0) }
        for row in end..<end + next.count { (links[row], textLengths[row]) = (0, 0) }
        links[start] = 0
        for row in 1..<max(block.count, 1) {
            let isLinked =
                block.threads[row - 1] == block.threads[row]
                && isGap(from: block.times[row - 1], to: block.times[row], atMost: gap)
            links[start + row] = isLinked ? 1 : 0
        }
        for row in 0..<block.count { textLengths[start + row] = Float(block.textLengths[row]) }
        for (distance, place) in before.enumerated() {
            links[start - distance] = 1
            textLengths[start - 1 - distance] = Float(group.blocks[place.block].textLengths[place.row])
        }
        for (distance, place) in after.enumerated() {
            links[end + distance] = 1
            textLengths[end + distance] = Float(group.blocks[place.block].textLengths[place.row])
        }
        weighPlaces(block)
    }

    /// Finds the places of each row that have a neighbour, and computes the lengths that count.
    private func weighPlaces(_ block: RowBlock) {
        // The rows of other buffers are free until the first term.
        let (end, beside, needs) = (start + block.count, frequencies, scores)
        for row in start..<end {
            beside[row] = 0
            needs[row] = query.weights.neighbourNeed(textLength: textLengths[row])
        }
        for (isBefore, places) in [(true, 0..<previous.count), (false, 0..<next.count)] {
            for row in start..<end { reach[row] = 1 }
            for distance in places {
                let place = isBefore ? previous[previous.count - 1 - distance] : next[distance]
                let number = isBefore ? previous.count - 1 - distance : previous.count + distance
                let weights = placeWeights + number * capacity
                let link = links + (isBefore ? -distance : distance + 1)
                let text = textLengths + place.offset
                let isCounted: Float = place.weight > 0 ? 1 : 0
                for row in start..<end {
                    reach[row] *= link[row]
                    weights[row] = reach[row] * (place.weight * needs[row])
                    beside[row] += reach[row] * isCounted * text[row]
                }
            }
        }
        for row in start..<end {
            let length = Float(block.lengths[row - start]) + needs[row] * beside[row]
            normalisers[row] = query.normaliser(tokenCount: length)
            scores[row] = 0
        }
    }

    /// Lays out the occurrences in a row of another block.
    private mutating func hold(_ place: RowLocation, of group: GroupRows, _ range: PostingRange, at row: Int) {
        guard !range.isEmpty, let posting = group.blocks[place.block].posting(of: place.row, in: range) else { return }
        hold(posting, at: row)
    }

    private mutating func hold(_ posting: Posting, at row: Int) {
        texts[row] = posting.text
        owns[row] = query.own(posting)
        holders[holderCount] = Int32(truncatingIfNeeded: row)
        holderCount += 1
    }

    /// Adds one term to the scores of all rows near its holders, and clears the layout.
    private mutating func addScores(_ value: Float, rowCount: Int) {
        var (low, high) = (start, start)
        for index in 0..<holderCount {
            let holder = Int(holders[index])
            let first = max(holder - next.count, start)
            if first > high + Self.joinedGap {
                addScores(value, low..<high)
                low = first
            }
            high = min(holder + previous.count + 1, start + rowCount)
        }
        addScores(value, low..<max(low, high))
        for index in 0..<holderCount {
            let holder = Int(holders[index])
            (texts[holder], owns[holder]) = (0, 0)
        }
        holderCount = 0
    }

    /// Adds in the order of the rows, independent of block boundaries, because sums of floats depend on the order.
    private func addScores(_ value: Float, _ rows: Range<Int>) {
        let (low, high) = (rows.lowerBound, rows.upperBound)
        for row in low..<high { frequencies[row] = 0 }
        for (number, place) in previous.enumerated() { gather(place, number, low, high) }
        for row in low..<high { frequencies[row] += owns[row] }
        for (number, place) in next.enumerated() { gather(place, previous.count + number, low, high) }
        for row in low..<high {
            scores[row] += query.score(value: value, frequency: frequencies[row], normaliser: normalisers[row])
        }
    }

    private func gather(_ place: Place, _ number: Int, _ low: Int, _ high: Int) {
        let (weights, text) = (placeWeights + number * capacity, texts + place.offset)
        for row in low..<high { frequencies[row] += weights[row] * text[row] }
    }
}

extension UnsafeMutablePointer<Float> {
    /// Allocates memory for `count` numbers, all zero.
    fileprivate static func zeros(_ count: Int) -> Self {
        let memory = allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        return memory
    }
}
