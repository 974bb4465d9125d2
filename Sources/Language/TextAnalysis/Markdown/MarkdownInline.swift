/// The words of a paragraph in Markdown, without its signs or with those of another notation.
struct MarkdownInline {
    /// How many signs may wait for their ends.
    private static let openLimit = 24
    /// The most characters of an address.
    private static let addressLimit = 2_048

    /// A part of the result; signs that may begin something are a separate one.
    private struct Piece {
        var text: String
        /// What stands for the signs that have begun something.
        var marks = ""
    }

    private var pieces: [Piece] = []
    /// The places of signs that may begin something, and their characters.
    private var open: [Int] = []
    /// The places of opening brackets.
    private var brackets: [Int] = []
    private var plain = ""

    private let style: MarkdownStyle
    private let text: [Character]
    private var place = 0
    /// The places of runs of backticks by their lengths.
    private var runs: [Int: [Int]] = [:]
    /// Up to where an address was read that did not end; it is not read again for each bracket in it.
    private var unclosedEnd = 0
    /// How many of these runs are behind the present place.
    private var passed: [Int: Int] = [:]

    /// Returns the words of a paragraph.
    static func plain(_ text: Substring) -> String { styled(text, .plain) }

    /// Returns a paragraph in another notation.
    static func styled(_ text: Substring, _ style: MarkdownStyle) -> String {
        var reader = MarkdownInline(text, style)
        while reader.place < reader.text.count { reader.take() }
        reader.flush()
        return joined(reader.pieces[...])
    }

    private static func joined(_ pieces: ArraySlice<Piece>) -> String {
        pieces.reduce(into: "") { $0 += $1.text + $1.marks }
    }

    private init(_ text: Substring, _ style: MarkdownStyle) {
        self.style = style
        self.text = Array(text)
        var place = 0
        while place < self.text.count {
            let isTick = self.text[place] == "`"
            let count = isTick ? runLength(at: place) : 1
            if isTick { runs[count, default: []].append(place) }
            place += count
        }
    }

    private func character(_ place: Int) -> Character? { text.indices.contains(place) ? text[place] : nil }

    /// How often the character at a place follows itself.
    private func runLength(at place: Int) -> Int {
        var end = place
        while end < text.count, text[end] == text[place] { end += 1 }
        return end - place
    }

    private mutating func flush() {
        if !plain.isEmpty { pieces.append(Piece(text: style.escaped(plain))) }
        plain = ""
    }

    private mutating func take() {
        let next = text[place]
        switch next {
        case "\\": takeEscaped()
        case "`": takeCode()
        case "*", "_", "~":
            let count = runLength(at: place)
            if count > 3 || next == "~" && count != 2 {
                plain += String(repeating: next, count: count)
            } else {
                takeSigns(next, count)
            }
            place += count
        case "[":
            flush()
            pieces.append(Piece(text: "["))
            brackets.append(pieces.count - 1)
            if brackets.count > Self.openLimit { brackets.removeFirst() }
            place += 1
        case "]" where !brackets.isEmpty: endLink()
        case "h", "H":
            if let end = endOfAddress() {
                plain += String(text[place..<end])
                place = end
            } else {
                takeOne()
            }
        default: takeOne()
        }
    }

    private mutating func takeOne() {
        plain.append(text[place])
        place += 1
    }

    private mutating func takeEscaped() {
        guard let next = character(place + 1), "`*_~[]|".contains(next) else { return takeOne() }
        plain.append(next)
        place += 2
    }

    private mutating func takeCode() {
        let count = runLength(at: place)
        let places = runs[count] ?? []
        var index = passed[count] ?? 0
        while index < places.count, places[index] < place + count { index += 1 }
        passed[count] = index
        guard index < places.count else {
            plain += String(repeating: "`", count: count)
            place += count
            return
        }
        let code = String(text[(place + count)..<places[index]])
        flush()
        pieces.append(Piece(text: style.code.open + style.escaped(code) + style.code.close))
        place = places[index] + count
    }
}

/// Emphasis.
extension MarkdownInline {
    private static func isSpace(_ character: Character?) -> Bool { character?.isWhitespace ?? true }

    private static func isWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }

    private mutating func takeSigns(_ sign: Character, _ count: Int) {
        flush()
        let (before, after) = (character(place - 1), character(place + count))
        let needsEdge = sign == "_" || count == 1
        let canOpen = !Self.isSpace(after) && !(needsEdge && Self.isWord(before))
        let canClose = !Self.isSpace(before) && !(needsEdge && Self.isWord(after))
        let rest = canClose ? close(sign, count) : count
        guard rest > 0 else { return }
        pieces.append(Piece(text: String(repeating: sign, count: rest)))
        guard canOpen else { return }
        open.append(pieces.count - 1)
        if open.count > Self.openLimit { open.removeFirst() }
    }

    /// Ends what earlier signs began; returns how many signs are left.
    private mutating func close(_ sign: Character, _ count: Int) -> Int {
        var rest = count
        while rest > 0 {
            let opener = open.lastIndex { place in
                pieces[place].text.first == sign && (sign != "~" || pieces[place].text.count == rest)
            }
            guard let opener else { return rest }
            let place = open[opener]
            let used = sign == "~" ? rest : min(2, rest, pieces[place].text.count)
            let marks = sign == "~" ? style.struck : used == 2 ? style.strong : style.emphasized
            pieces[place].text.removeFirst(used)
            pieces[place].marks = marks.open + pieces[place].marks
            pieces.append(Piece(text: "", marks: marks.close))
            // What began within cannot end outside.
            forget(behind: pieces[place].text.isEmpty ? place - 1 : place)
            rest -= used
        }
        return 0
    }

    private mutating func forget(behind place: Int) {
        while let last = open.last, last > place { open.removeLast() }
        while let last = brackets.last, last > place { brackets.removeLast() }
    }
}

/// Links.
extension MarkdownInline {
    /// Ends a link with words, if its address is one that the page follows.
    private mutating func endLink() {
        let start = brackets.removeLast()
        flush()
        let words = Self.joined(pieces[(start + 1)...])
        guard let target = target(), !words.isEmpty, !Self.pretends(words, target.host) else {
            plain += "]"
            place += 1
            return
        }
        pieces.replaceSubrange(start..., with: [Piece(text: style.link(words, target.address))])
        forget(behind: start)
        // There are no links within links.
        brackets = []
        place = target.end
    }

    /// Returns what `](address)` leads to and the place behind it; nil if that is not what follows.
    private mutating func target() -> (end: Int, address: String, host: String)? {
        guard character(place + 1) == "(", place >= unclosedEnd else { return nil }
        var (end, depth) = (place + 2, 0)
        while let next = character(end), !next.isWhitespace, next != "<", next != ">" {
            if next == ")" {
                if depth == 0 { break }
                depth -= 1
            }
            if next == "(" { depth += 1 }
            end += 1
        }
        guard character(end) == ")", depth == 0 else {
            unclosedEnd = end
            return nil
        }
        let address = String(text[(place + 2)..<end])
        return Self.host(of: address).map { (end + 1, address, $0) }
    }

    /// Returns the host of an address of the web.
    private static func host(of address: String) -> String? {
        let lowercased = address.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let host = lowercased.dropFirst(scheme.count).prefix { !"/?#:".contains($0) }
        // A name before an @ pretends to be a host.
        return host.isEmpty || host.contains("@") || address.utf8.count >= addressLimit ? nil : String(host)
    }

    /// Whether the words of a link name another host than the one that it leads to.
    private static func pretends(_ words: String, _ host: String) -> Bool {
        let parts = words.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        let named = parts.lazy.map { $0.split(separator: ".", omittingEmptySubsequences: true) }.first { $0.count > 1 }
        guard let name = named?.joined(separator: ".") else { return false }
        return name != host && "www.\(name)" != host && name != "www.\(host)"
    }

    /// Returns the place behind an address of the web that begins here; its signs are no Markdown.
    private func endOfAddress() -> Int? {
        guard !Self.isWord(character(place - 1)) else { return nil }
        let start = String(text[place..<min(place + 8, text.count)]).lowercased()
        guard let scheme = ["https://", "http://"].first(where: start.hasPrefix) else { return nil }
        var end = place + scheme.count
        while let next = character(end), !next.isWhitespace, !"<>\"".contains(next), end - place < Self.addressLimit {
            // In the words of a link its target follows.
            if next == "]", character(end + 1) == "(" { break }
            end += 1
        }
        while end > place + scheme.count, isLoose(end) { end -= 1 }
        return end > place + scheme.count ? end : nil
    }

    /// Whether the last character before a place belongs to the sentence and not to the address.
    private func isLoose(_ end: Int) -> Bool {
        let last = text[end - 1]
        guard let opening = ([")": "(", "]": "["] as [Character: Character])[last] else {
            return ".,;:!?'*_~}»”’…".contains(last)
        }
        let address = text[place..<end]
        return address.count { $0 == last } > address.count { $0 == opening }
    }
}
