import ChatCore
import VectorIndex

/// The cosines of candidates and their neighbours, for one question.
///
/// A candidate is represented by its best passage. The neighbours of that are the message's passages before and after
/// it. At the ends of the message, they are the last passage of the message before and the first passage of the message
/// after.
struct NeighbourVectors: Sendable {
    /// The candidates and their neighbours, ascending.
    private let messages: [MessageNumber]
    /// The passages of each.
    private let passages: PassageLists
    /// The rows of all passages.
    private let rows: FoundRows
    /// Their cosines; nil for removed passages.
    private let cosines: [Float?]

    /// Looks up all passages, each once.
    ///
    /// - Parameters:
    ///   - candidates: The candidates, ascending.
    ///   - around: The neighbours of each candidate.
    ///   - scan: The question's vector and the generation.
    ///   - dense: The retriever that has the vectors.
    /// - Throws: `VectorIndexError`.
    init(
        of candidates: [MessageNumber], around: [MessageNeighbours?], scan: DenseRetriever.Scan,
        dense: DenseRetriever
    ) async throws {
        var all = candidates
        for beside in around {
            if let previous = beside?.previous { all.append(previous) }
            if let next = beside?.next { all.append(next) }
        }
        let messages = all.sortedUnique()
        self.messages = messages
        passages = scan.serving.directory.passages(of: messages) { candidates.place(of: messages[$0]) != nil }
        (rows, cosines) = try await dense.cosines(of: passages.numbers, for: scan)
    }

    /// Adds the features by vectors to candidates.
    ///
    /// - Parameters:
    ///   - candidates: The candidates.
    ///   - around: The neighbours of each candidate.
    func complete(_ candidates: inout [Candidate], _ around: [MessageNeighbours?]) {
        var windows: [[Int]] = []
        windows.reserveCapacity(candidates.count)
        for place in candidates.indices { windows.append(complete(&candidates[place], around[place])) }
        for (place, length) in rows.lengths(ofSums: windows).enumerated() {
            guard let window = window(windows[place], length: length) else { continue }
            let (own, need) = (candidates[place].cosine ?? window, around[place]?.need ?? 1)
            candidates[place].window = own + need * (window - own)
        }
    }

    /// Adds the features by single vectors to a candidate, and returns the passages of its window.
    private func complete(_ candidate: inout Candidate, _ around: MessageNeighbours?) -> [Int] {
        let own = passages(of: candidate.number)
        for passage in own {
            guard let cosine = cosines[passage].map(Double.init), cosine > candidate.cosine ?? -.infinity else {
                continue
            }
            (candidate.cosine, candidate.place) = (cosine, passage - own.lowerBound)
        }
        guard let around else { return [] }
        let best = own.lowerBound + (candidate.place ?? 0)
        let last = around.previous.flatMap { passages(of: $0).last }
        // Uses the last passage, because a question usually is at the end of a message.
        if around.answersPrevious { candidate.answered = last.flatMap { cosines[$0] }.map(Double.init) }
        var window: [Int] = []
        func add(_ passage: Int?) { if let passage, cosines[passage] != nil { window.append(passage) } }
        add(best > own.lowerBound ? best - 1 : last)
        add(own.isEmpty ? nil : best)
        add(best + 1 < own.upperBound ? best + 1 : around.next.flatMap { passages(of: $0).first })
        return window
    }

    private func passages(of message: MessageNumber) -> Range<Int> {
        messages.place(of: message).map { passages[$0] } ?? 0..<0
    }

    /// The cosine of the question and the mean of some passages' vectors, which have length 1.
    private func window(_ passages: [Int], length: Double?) -> Double? {
        guard let length, length > 0, !passages.isEmpty else { return nil }
        let along = passages.reduce(0.0) { $0 + Double(cosines[$1] ?? 0) }
        return passages.count > 1 ? along / length : along
    }
}

extension Array where Element: Comparable {
    /// The elements in ascending order, each once.
    func sortedUnique() -> [Element] {
        var unique: [Element] = []
        unique.reserveCapacity(count)
        for element in sorted() where element != unique.last { unique.append(element) }
        return unique
    }

    /// Returns the place of an element; nil when it is not there.
    ///
    /// - Precondition: The elements ascend.
    /// - Complexity: O(log elements).
    func place(of element: Element) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == element ? low : nil
    }
}
