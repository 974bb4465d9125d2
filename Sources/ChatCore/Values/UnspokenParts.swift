/// The parts of a text that its writer does not say to anybody: code, and quotes of others.
///
/// It follows the part of CommonMark (https://spec.commonmark.org/0.31.2/) that people write in chats. Code is between
/// equal runs of backticks in one paragraph, or in a block fenced by three or more backticks or tildes; a block without
/// an end lasts to the end of the text. A quote is a line that begins with ">".
struct UnspokenParts {
    /// Whether each scalar of the text is in such a part.
    private(set) var flags: [Bool]
    private let text: [Unicode.Scalar]

    /// Reads a text; takes linear time, apart from backticks in runs of many lengths.
    init(of text: [Unicode.Scalar]) {
        self.text = text
        flags = [Bool](repeating: false, count: text.count)
        var fence: (sign: Unicode.Scalar, length: Int)?
        var (start, paragraph) = (0, 0)
        while start < text.count {
            let end = text[start...].firstIndex(of: "\n") ?? text.count
            let line = Line(text[start..<end])
            if let open = fence {
                mark(start..<end)
                if line.closes(open) { fence = nil }
            } else if !line.isText {
                markSpans(in: paragraph..<start)
                if line.isQuote || line.fence != nil { mark(start..<end) }
                fence = line.fence
            }
            start = end + 1
            if fence != nil || !line.isText { paragraph = min(start, text.count) }
        }
        markSpans(in: paragraph..<text.count)
    }

    private mutating func mark(_ range: Range<Int>) {
        for place in range { flags[place] = true }
    }

    /// Marks the code between runs of backticks.
    private mutating func markSpans(in range: Range<Int>) {
        let runs = backtickRuns(in: range)
        var place = 0
        while place < runs.count {
            let open = runs[place]
            guard let close = runs[(place + 1)...].firstIndex(where: { $0.count == open.count }) else {
                place += 1
                continue
            }
            mark(open.lowerBound..<runs[close].upperBound)
            place = close + 1
        }
    }

    private func backtickRuns(in range: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let end = text[place..<range.upperBound].firstIndex { $0 != "`" } ?? range.upperBound
            if end > place { runs.append(place..<end) }
            // A backslash makes the next sign an ordinary one.
            place = end < range.upperBound && text[end] == "\\" ? end + 2 : end + 1
        }
        return runs
    }

    private struct Line {
        private let rest: ArraySlice<Unicode.Scalar>

        /// Up to three blanks may be before the signs of a block.
        init(_ line: ArraySlice<Unicode.Scalar>) {
            rest = line.dropFirst(line.prefix(3).prefix { $0 == " " }.count)
        }

        var isQuote: Bool { rest.first == ">" }
        /// Whether the line belongs to a paragraph.
        var isText: Bool { !isQuote && fence == nil && rest.contains { !$0.properties.isWhitespace } }

        /// The fence that the line opens.
        var fence: (sign: Unicode.Scalar, length: Int)? {
            guard let sign = rest.first, sign == "`" || sign == "~" else { return nil }
            let length = rest.prefix { $0 == sign }.count
            // Backticks after the fence make it a span within the line.
            guard length >= 3, sign == "~" || !rest.dropFirst(length).contains("`") else { return nil }
            return (sign, length)
        }

        func closes(_ open: (sign: Unicode.Scalar, length: Int)) -> Bool {
            let length = rest.prefix { $0 == open.sign }.count
            return length >= open.length && rest.dropFirst(length).allSatisfy(\.properties.isWhitespace)
        }
    }
}
