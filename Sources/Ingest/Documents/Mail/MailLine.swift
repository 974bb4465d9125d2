/// A line of a mail.
struct MailLine: Equatable {
    /// How many mails ago it was written, as `>` at its beginning says.
    var depth: Int
    var text: String

    init(depth: Int = 0, _ text: String) {
        self.depth = depth
        self.text = text
    }
}

/// Reads the lines of plain text.
struct MailLines {
    /// Lines within this length may be the lines of a paragraph that was divided for the way.
    private static let wrapWidths = 60...80
    private static let depthLimit = 20

    /// What the end of a line means.
    enum Form {
        /// The end of a paragraph, or of a line that had no more room.
        case plain
        /// It continues if it ends with a space (RFC 3676), which may be part of the text.
        case flowed(keepsSpace: Bool)
        /// The end of a paragraph.
        case whole
    }

    let form: Form

    /// Returns the lines; those of a divided paragraph are one.
    func lines(of text: String) -> [MailLine] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(line)
        switch form {
        case .plain: return Self.unwrapped(lines)
        case .flowed(let keepsSpace): return Self.flowed(lines, keepsSpace: keepsSpace)
        case .whole: return lines
        }
    }

    private func line(_ source: Substring) -> MailLine {
        var (rest, depth) = (source.unicodeScalars[...], 0)
        while rest.first == ">", depth < Self.depthLimit {
            (rest, depth) = (rest.dropFirst(), depth + 1)
            if rest.starts(with: [" ", ">"]) { rest = rest.dropFirst() }
        }
        var isStuffed = depth > 0
        if case .flowed = form { isStuffed = true }
        if isStuffed, rest.first == " " { rest = rest.dropFirst() }
        return MailLine(depth: depth, String(rest))
    }

    private static func flowed(_ lines: [MailLine], keepsSpace: Bool) -> [MailLine] {
        var result: [MailLine] = []
        var isOpen = false
        for line in lines {
            let continues = line.text.hasSuffix(" ") && line.text != "-- "
            let text = continues && !keepsSpace ? String(line.text.dropLast()) : line.text
            if isOpen, result.last?.depth == line.depth, line.text != "-- " {
                result[result.count - 1].text += text
            } else {
                result.append(MailLine(depth: line.depth, text))
            }
            isOpen = continues
        }
        return result
    }

    /// Joins lines that end because the first word of the next one found no room.
    private static func unwrapped(_ lines: [MailLine]) -> [MailLine] {
        var widths: [Int: Int] = [:]
        let lengths = lines.map(\.text.count)
        for (line, length) in zip(lines, lengths) where length <= wrapWidths.upperBound {
            widths[line.depth] = max(widths[line.depth] ?? 0, length)
        }
        var result: [MailLine] = []
        for (place, line) in lines.enumerated() {
            guard place > 0, lines[place - 1].depth == line.depth, let width = widths[line.depth],
                wrapWidths.contains(width), isProse(lines[place - 1].text), isProse(line.text),
                lines[place - 1].text.last.map({ !".!?:;…".contains($0) }) == true,
                line.text.first?.isLetter == true, lengths[place - 1] <= width,
                lengths[place - 1] + 1 + line.text.prefix(while: { !$0.isWhitespace }).count > width
            else {
                result.append(line)
                continue
            }
            result[result.count - 1].text += " " + line.text
        }
        return result
    }

    /// Whether a line has words, and no columns.
    private static func isProse(_ text: String) -> Bool {
        !text.isEmpty && text != "-- " && !text.contains("  ") && !text.contains("\t") && !text.contains("|")
    }
}
