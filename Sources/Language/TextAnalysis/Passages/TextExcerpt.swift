import ChatCore

/// Chooses the part of a long text that is shown; pure.
package enum TextExcerpt {
    /// Returns the sentences of `text` around a place, as many as fit.
    ///
    /// The part begins and ends at a sentence, and takes sentences behind and before the place in turn. A sentence that
    /// is too long is cut between words; addresses are not cut.
    ///
    /// - Parameters:
    ///   - focus: The UTF-8 bytes that must be seen; the part begins with their first sentence if they are too long.
    ///   - text: The text.
    ///   - limit: The most Unicode scalars.
    /// - Returns: UTF-8 bytes of `text` without white space at the ends, between characters.
    package static func range(around focus: Range<Int>, of text: String, limit: Int) -> Range<Int> {
        if text.utf8.count <= limit || text.unicodeScalars.count <= limit {
            return trimmed(0..<text.utf8.count, of: text)
        }
        let segments = TextSegments(text, lengthLimit: min(limit, TextSegments.lengthLimit))
        guard !segments.ranges.isEmpty else { return 0..<0 }
        func fits(_ first: Int, _ last: Int) -> Bool {
            let range = segments.ranges[first].lowerBound..<segments.ranges[last].upperBound
            // A scalar has at most four bytes, and an excerpt ends with little white space.
            return range.count <= 8 * limit + 64 && TextSegments.length(text.part(utf8: range)) <= limit
        }
        var first = segments.place(of: focus.lowerBound)
        let end = segments.place(of: max(focus.lowerBound, focus.upperBound - 1))
        var last = first
        while last < end, fits(first, last + 1) { last += 1 }
        var (canGrow, canBegin) = (last + 1 < segments.ranges.count, first > 0)
        while canGrow || canBegin {
            if canGrow {
                canGrow = fits(first, last + 1)
                if canGrow { last += 1 }
                canGrow = canGrow && last + 1 < segments.ranges.count
            }
            if canBegin {
                canBegin = fits(first - 1, last)
                if canBegin { first -= 1 }
                canBegin = canBegin && first > 0
            }
        }
        let range = segments.ranges[first].lowerBound..<segments.ranges[last].upperBound
        return cut(trimmed(range, of: text), of: text, at: focus.lowerBound, limit: limit)
    }

    /// Returns a part of a range with at most `limit` scalars, between characters: the first one, or one that begins at
    /// `focus` if that is behind it.
    private static func cut(_ range: Range<Int>, of text: String, at focus: Int, limit: Int) -> Range<Int> {
        var (range, part) = (range, text.part(utf8: range))
        guard range.count > limit, part.unicodeScalars.count > limit else { return range }
        let before = text.part(utf8: range.lowerBound..<max(range.lowerBound, focus))
        if before.unicodeScalars.count >= limit, focus < range.upperBound {
            range = range.lowerBound + before.utf8.count..<range.upperBound
            part = text.part(utf8: range)
        }
        var (length, count) = (0, 0)
        for character in part {
            count += character.unicodeScalars.count
            if count > limit { break }
            length += character.utf8.count
        }
        return range.lowerBound..<range.lowerBound + length
    }

    private static func trimmed(_ range: Range<Int>, of text: String) -> Range<Int> {
        let part = text.part(utf8: range)
        guard let first = part.firstIndex(where: { !$0.isWhitespace }),
            let last = part.lastIndex(where: { !$0.isWhitespace })
        else { return range.lowerBound..<range.lowerBound }
        let start = range.lowerBound + part.utf8.distance(from: part.startIndex, to: first)
        return start..<start + part[first...last].utf8.count
    }
}
