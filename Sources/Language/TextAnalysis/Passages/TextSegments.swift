import ChatCore

/// A text as sentences; sentences that are too long are divided between words.
struct TextSegments {
    /// Long enough for most sentences, short enough that two fit into an excerpt.
    static let lengthLimit = 140
    /// A longer word, such as an address, may be divided.
    private static let wordByteLimit = 300

    let text: String
    /// UTF-8 ranges that cover the text, each with the white space after it.
    let ranges: [Range<Int>]

    init(_ text: String, lengthLimit: Int = lengthLimit) {
        self.text = text
        var ranges: [Range<Int>] = []
        var start = 0
        var last = 0
        for place in TextBreaks.of(text, wordByteLimit: Self.wordByteLimit).dropFirst() {
            if last > start, place.offset - start > lengthLimit,
                Self.length(text.part(utf8: start..<place.offset)) > lengthLimit
            {
                ranges.append(start..<last)
                start = last
            }
            if place.strength >= .sentence {
                ranges.append(start..<place.offset)
                start = place.offset
            }
            last = place.offset
        }
        self.ranges = ranges
    }

    /// Returns the place of the segment that holds a UTF-8 offset; the last one for an offset behind the text.
    func place(of offset: Int) -> Int {
        var (low, high) = (0, max(0, ranges.count - 1))
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the number of Unicode scalars without the white space at the end.
    static func length(_ part: Substring) -> Int {
        var (count, shown) = (0, 0)
        for scalar in part.unicodeScalars {
            count += 1
            if !scalar.properties.isWhitespace { shown = count }
        }
        return shown
    }
}
