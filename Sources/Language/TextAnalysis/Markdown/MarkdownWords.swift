/// The words of a text without the signs of Markdown, in one line: for banners of telephones and other places that show
/// plain text.
///
/// The rules are those of the page (`lib/markdown.js`); one file of cases tests both. What is not understood stays as it is.
/// The time grows with the length of the text, whatever it is.
package struct MarkdownWords {
    /// How deep quotes may be, and how many entries of lists may begin in one line.
    private static let depthLimit = 6

    private var words: [String] = []
    /// The lines of the present paragraph.
    private var paragraph: [Substring] = []

    /// Returns the words of a text.
    package static func plain(_ text: String) -> String {
        var reader = MarkdownWords()
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        reader.read(lines, depth: 0)
        return reader.words.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func read(_ lines: [Substring], depth: Int) {
        var lines = lines
        var (place, itemPlace, itemCount) = (0, 0, 0)
        while place < lines.count {
            let line = lines[place]
            if let fence = Fence(line) {
                flush()
                place += 1
                while place < lines.count, !fence.isEnded(by: lines[place]) {
                    words.append(String(lines[place]))
                    place += 1
                }
                place += 1
            } else if line.allSatisfy(\.isWhitespace) || Self.isRule(line) {
                flush()
                place += 1
            } else if let heading = Self.heading(line) {
                flush()
                words.append(MarkdownInline.plain(heading))
                place += 1
            } else if depth < Self.depthLimit, Self.quoted(line) != nil {
                flush()
                let inner = lines[place...].map(Self.quoted).prefix { $0 != nil }.compactMap(\.self)
                read(inner, depth: depth + 1)
                place += inner.count
            } else if itemPlace != place || itemCount < Self.depthLimit, let item = Self.item(line) {
                flush()
                (itemPlace, itemCount) = (place, itemPlace == place ? itemCount + 1 : 1)
                // The rest of the line may be anything: it is read again.
                lines[place] = item
            } else if let end = Self.endOfTable(lines, at: place) {
                flush()
                let rows = [line] + lines[(place + 2)..<end]
                for cell in rows.flatMap(Self.cells) { words.append(MarkdownInline.plain(cell)) }
                place = end
            } else {
                paragraph.append(line)
                place += 1
            }
        }
        flush()
    }

    private mutating func flush() {
        if !paragraph.isEmpty { words.append(MarkdownInline.plain(paragraph.joined(separator: "\n")[...])) }
        paragraph = []
    }
}

extension MarkdownWords {
    /// A line that begins code.
    struct Fence {
        let sign: Character
        let count: Int

        init?(_ line: Substring) {
            let rest = MarkdownWords.indented(line)
            guard let rest, let sign = rest.first, sign == "`" || sign == "~" else { return nil }
            let run = rest.prefix { $0 == sign }
            guard run.count >= 3, sign == "~" || !rest.dropFirst(run.count).contains("`") else { return nil }
            (self.sign, count) = (sign, run.count)
        }

        func isEnded(by line: Substring) -> Bool {
            guard let rest = MarkdownWords.indented(line) else { return false }
            let run = rest.prefix { $0 == sign }
            return run.count >= count && rest.dropFirst(run.count).allSatisfy(\.isWhitespace)
        }
    }

    /// Returns a line without up to three spaces before it; nil if there are more.
    private static func indented(_ line: Substring) -> Substring? {
        let rest = line.drop { $0 == " " }
        return line.count - rest.count <= 3 ? rest : nil
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    static func isRule(_ line: Substring) -> Bool {
        guard let signs = indented(line)?.filter({ !isBlank($0) && $0 != "\r" }), let first = signs.first else {
            return false
        }
        return signs.count >= 3 && "-*_".contains(first) && signs.allSatisfy { $0 == first }
    }

    static func heading(_ line: Substring) -> Substring? {
        guard let rest = indented(line) else { return nil }
        let count = rest.prefix { $0 == "#" }.count
        let text = rest.dropFirst(count)
        guard (1...6).contains(count), text.first.map(isBlank) ?? false else { return nil }
        var words = text.drop(while: \.isWhitespace)
        while words.last?.isWhitespace ?? false { words.removeLast() }
        // Signs at the end that stand by themselves belong to the heading.
        let bare = words.dropLast(words.reversed().prefix { $0 == "#" }.count)
        if bare.count < words.count, bare.last.map(isBlank) ?? false { words = bare }
        return words.isEmpty ? nil : words
    }

    private static func quoted(_ line: Substring) -> Substring? {
        guard let rest = indented(line), rest.first == ">" else { return nil }
        let text = rest.dropFirst()
        return text.first == " " ? text.dropFirst() : text
    }

    /// Returns what follows the sign of a list's entry.
    private static func item(_ line: Substring) -> Substring? {
        let rest = line.drop(while: isBlank)
        guard let first = rest.first else { return nil }
        var text = rest.dropFirst()
        if "0123456789".contains(first) {
            let digits = rest.prefix { "0123456789".contains($0) }
            text = rest.dropFirst(digits.count)
            guard digits.count <= 9, let sign = text.first, sign == "." || sign == ")" else { return nil }
            text = text.dropFirst()
        } else if first != "-", first != "*", first != "•" {
            return nil
        }
        let words = text.drop(while: isBlank)
        return text.count > words.count && !words.isEmpty && !words.allSatisfy(\.isWhitespace) ? words : nil
    }

    /// Returns the place behind a table that begins at a line; nil if none does.
    private static func endOfTable(_ lines: [Substring], at place: Int) -> Int? {
        guard lines[place].contains("|"), place + 1 < lines.count, isDivider(lines[place + 1]) else { return nil }
        let count = cells(lines[place]).count
        guard count == cells(lines[place + 1]).count, count <= 50 else { return nil }
        return lines[(place + 2)...].firstIndex { !$0.contains("|") } ?? lines.count
    }

    private static func isDivider(_ line: Substring) -> Bool {
        line.contains("-") && line.allSatisfy { "|-: \t\r".contains($0) }
            && cells(line).allSatisfy { cell in
                let signs = cell.drop { $0 == ":" }
                return cell.count - signs.count <= 1 && signs.prefix { $0 == "-" }.count >= max(1, signs.count - 1)
                    && (signs.last == "-" || signs.last == ":")
            }
    }

    /// The cells of a row, without those bars that are escaped or in code.
    private static func cells(_ line: Substring) -> [Substring] {
        var row = trimmed(line)
        if row.first == "|" { row = row.dropFirst() }
        if row.last == "|", !row.dropLast().hasSuffix("\\") { row = row.dropLast() }
        var (found, start, isCode, isEscaped): ([Substring], String.Index, Bool, Bool) = (
            [], row.startIndex, false, false
        )
        for place in row.indices {
            if isEscaped {
                isEscaped = false
            } else if row[place] == "\\" {
                isEscaped = true
            } else if row[place] == "`" {
                isCode.toggle()
            } else if row[place] == "|", !isCode {
                found.append(trimmed(row[start..<place]))
                start = row.index(after: place)
            }
        }
        return found + [trimmed(row[start...])]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }
}
