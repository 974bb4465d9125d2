/// The parts of a text that its writer does not say to anybody: code, and quotes of others.
///
/// It follows the part of CommonMark (https://spec.commonmark.org/0.31.2/) that people write in chats. Code is between
/// equal runs of backticks in one paragraph, in a block fenced by three or more backticks or tildes, or in lines that are
/// indented by four columns and continue no paragraph; a fenced block without an end lasts to the end of the text. A
/// quote is a line that begins with ">". In an item of a list, indentation is counted from its text.
struct UnspokenParts {
    /// Whether each scalar of the text is in such a part.
    private(set) var flags: [Bool]
    private let text: [Unicode.Scalar]
    /// Whether the line before belongs to a paragraph, which an indented line continues.
    private var isInParagraph = false
    /// The columns at which the texts of the list items begin that the line is in, the outer ones first.
    private var items: [Int] = []

    /// Reads a text; takes linear time.
    init(of text: [Unicode.Scalar]) {
        self.text = text
        flags = [Bool](repeating: false, count: text.count)
        var fence: (sign: Unicode.Scalar, length: Int)?
        var (start, paragraph) = (0, 0)
        while start < text.count {
            let end = text[start...].firstIndex(of: "\n") ?? text.count
            if let open = fence {
                mark(start..<end)
                if Line(text[start..<end], after: items.last ?? 0).closes(open) { fence = nil }
            } else {
                let line = next(text[start..<end])
                if !line.isText || line.beginsItem { markSpans(in: paragraph..<start) }
                if line.beginsItem { paragraph = start }
                if line.isQuote || line.fence != nil || line.isCode { mark(start..<end) }
                isInParagraph = line.isQuote || line.isText && !line.isHeading
                fence = line.fence
                if !line.isText { paragraph = min(end + 1, text.count) }
            }
            start = end + 1
            if fence != nil { paragraph = min(start, text.count) }
        }
        markSpans(in: paragraph..<text.count)
    }

    /// Reads the next line that is not in a fenced block, and the list items that it is in.
    private mutating func next(_ source: ArraySlice<Unicode.Scalar>) -> Line {
        var line = Line(source, after: 0)
        guard !line.isBlank else { return line }
        // A paragraph goes on in a line that is indented less.
        let isContinued = isInParagraph && line.isText && line.item == nil
        while let column = items.last, line.indentation < column, !isContinued { items.removeLast() }
        line = Line(source, after: items.last ?? 0)
        line.isCode = line.isIndented && !isInParagraph
        while !line.isCode, !line.isIndented, let item = line.item {
            items.append(item.column)
            line = Line(item.rest, after: item.column, from: item.restColumn, beginsItem: true)
            line.isCode = line.isIndented
        }
        return line
    }

    private mutating func mark(_ range: Range<Int>) {
        for place in range { flags[place] = true }
    }

    /// Marks the code between runs of backticks.
    private mutating func markSpans(in range: Range<Int>) {
        let runs = backtickRuns(in: range)
        // A run without a later one of its length is not looked for to the end of the text.
        let last = Dictionary(runs.enumerated().map { ($1.count, $0) }) { $1 }
        var place = 0
        while place < runs.count {
            let open = runs[place]
            guard last[open.count] ?? 0 > place,
                let close = runs[(place + 1)...].firstIndex(where: { $0.count == open.count })
            else {
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
}

extension UnspokenParts {
    private struct Line {
        /// The column at which its first sign stands.
        let indentation: Int
        let beginsItem: Bool
        /// Whether it is a line of indented code.
        var isCode = false
        private let rest: ArraySlice<Unicode.Scalar>
        /// The column at which the text around it begins.
        private let start: Int

        /// - Parameters:
        ///   - line: The line, or the rest of one behind the sign of a list.
        ///   - start: The column at which the text of its list item begins.
        ///   - column: The column of the first scalar.
        ///   - beginsItem: Whether it is such a rest.
        init(_ line: ArraySlice<Unicode.Scalar>, after start: Int, from column: Int = 0, beginsItem: Bool = false) {
            var (column, place) = (column, line.startIndex)
            while place < line.endIndex, line[place] == " " || line[place] == "\t" {
                column += line[place] == "\t" ? 4 - column % 4 : 1  // bounded: at most 4 for each scalar
                place += 1
            }
            (indentation, rest, self.start, self.beginsItem) = (column, line[place...], start, beginsItem)
        }

        /// Whether it may be indented code.
        var isIndented: Bool { indentation - start >= 4 && !isBlank }
        var isBlank: Bool { rest.allSatisfy(\.properties.isWhitespace) }
        var isQuote: Bool { !isIndented && rest.first == ">" }
        /// Whether the line belongs to a paragraph, or is a heading.
        var isText: Bool { !isCode && !isQuote && fence == nil && !isBlank }

        /// Whether no paragraph goes on behind the line: a heading, the line below one, or a rule.
        var isHeading: Bool {
            let level = rest.prefix { $0 == "#" }.count
            if (1...6).contains(level), rest.count == level || rest.dropFirst(level).first == " " { return true }
            return isRule
        }

        private var isRule: Bool {
            guard let sign = rest.first, "-*_=".unicodeScalars.contains(sign) else { return false }
            let signs = rest.filter { !$0.properties.isWhitespace }
            return signs.allSatisfy { $0 == sign } && (signs.count >= 3 || sign == "=" || sign == "-")
        }

        /// The text behind the sign of a list that begins here, a dash or a number.
        var item: (column: Int, rest: ArraySlice<Unicode.Scalar>, restColumn: Int)? {
            let digits = rest.prefix { ("0"..."9").contains($0) }.count
            let sign = rest.dropFirst(digits).first
            let isSign =
                digits == 0
                ? sign == "-" || sign == "*" || sign == "+" : digits <= 9 && (sign == "." || sign == ")")
            guard isSign, !isRule else { return nil }
            let behind = rest.dropFirst(digits + 1)
            let blanks = behind.prefix { $0 == " " }.count
            guard blanks > 0 || behind.first == "\t" || behind.isEmpty else { return nil }
            let column = indentation + digits + 1  // bounded: columns of a line
            // Five blanks and more begin code, a tab is one that is wide.
            return (column + ((1...4).contains(blanks) ? blanks : 1), behind, column)
        }

        /// The fence that the line opens.
        var fence: (sign: Unicode.Scalar, length: Int)? {
            guard !isIndented, let sign = rest.first, sign == "`" || sign == "~" else { return nil }
            let length = rest.prefix { $0 == sign }.count
            // Backticks after the fence make it a span within the line.
            guard length >= 3, sign == "~" || !rest.dropFirst(length).contains("`") else { return nil }
            return (sign, length)
        }

        func closes(_ open: (sign: Unicode.Scalar, length: Int)) -> Bool {
            let length = rest.prefix { $0 == open.sign }.count
            return !isIndented && length >= open.length
                && rest.dropFirst(length).allSatisfy(\.properties.isWhitespace)
        }
    }
}
