import ChatCore

/// Divides a long text into parts that overlap; pure.
///
/// A part ends at the best place in its second half: after a paragraph, else after a sentence or a line, else after a
/// word, else after a character. The next one begins before that: it repeats the sentences of the last 15 %, or the
/// last sentence when that is up to 30 %, else the words of the last 15 %.
struct PassageSplitter {
    private let text: String
    private let breaks: [TextBreak]
    private let fits: (Substring) -> Bool

    /// - Parameters:
    ///   - text: The text to divide.
    ///   - tokenCount: About how many tokens a part may have; longer words may be broken.
    ///   - fits: Whether a part is short enough.
    init(_ text: String, tokenCount: Int, fits: @escaping (Substring) -> Bool) {
        self.text = text
        breaks = TextBreaks.of(text, wordByteLimit: tokenCount / 2)
        self.fits = fits
    }

    /// Returns the UTF-8 ranges of the parts, in order.
    ///
    /// - Returns: Ranges that cover the text and begin and end between characters.
    func ranges() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, covered) = (0, 0)
        while covered < lastPlace {
            if start < covered, !fits(start, covered + 1) { start = covered }
            let end = end(from: start, after: covered)
            ranges.append(breaks[start].offset..<breaks[end].offset)
            (start, covered) = (overlap(from: start, to: end), end)
        }
        return ranges
    }

    // MARK: - Places are indexes into `breaks`

    private var lastPlace: Int { breaks.count - 1 }

    private func fits(_ start: Int, _ end: Int) -> Bool {
        fits(text.part(utf8: breaks[start].offset..<breaks[end].offset))
    }

    /// Returns the end of the part that begins at `start`; it is after `covered`.
    private func end(from start: Int, after covered: Int) -> Int {
        let furthest = furthest(from: start, after: covered)
        guard furthest < lastPlace else { return furthest }
        let (first, whole) = (breaks[start].offset, breaks[lastPlace].offset)
        var upper = breaks[furthest].offset
        // The rest would be small: both parts become smaller instead.
        if whole - upper < (upper - first) / 4 { upper = first + (whole - first) * 3 / 4 }
        let lower = first + (upper - first) / 2
        var best: Int?
        for place in stride(from: furthest, to: covered, by: -1) where breaks[place].offset <= upper {
            if breaks[place].offset <= lower, best != nil { break }
            if breaks[place].strength > best.map({ breaks[$0].strength }) ?? .none { best = place }
            if breaks[place].offset <= lower { break }
        }
        var end = best ?? covered + 1
        while end > covered + 1, !fits(start, end) { end -= 1 }
        return end
    }

    /// Returns the furthest end of a part that fits; the place after `covered` counts as fitting.
    private func furthest(from start: Int, after covered: Int) -> Int {
        var low = covered + 1
        var step = 64
        while low + step <= lastPlace, fits(start, low + step) {
            low += step
            step *= 2
        }
        var high = min(low + step, lastPlace + 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if fits(start, middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the start of the next part.
    private func overlap(from start: Int, to end: Int) -> Int {
        let size = breaks[end].offset - breaks[start].offset
        let near = size * 3 / 20
        let sentence =
            earliest(within: near, of: end, after: start, strength: .sentence)
            ?? (start + 1..<end).last { breaks[$0].strength >= .sentence }.flatMap {
                breaks[end].offset - breaks[$0].offset <= 2 * near ? $0 : nil
            }
        if let place = sentence ?? earliest(within: near, of: end, after: start, strength: .word) { return place }
        // Only a word that was broken may begin with a part of it.
        guard breaks[end].strength == .character else { return end }
        return earliest(within: near, of: end, after: start, strength: .character) ?? end
    }

    private func earliest(within size: Int, of end: Int, after start: Int, strength: TextBreak.Strength) -> Int? {
        var found: Int?
        for place in stride(from: end - 1, to: start, by: -1) {
            guard breaks[end].offset - breaks[place].offset <= size else { break }
            if breaks[place].strength >= strength { found = place }
        }
        return found
    }
}
