/// The third step of the filter: removes links, images and addresses that are not permitted.
///
/// It works on pieces of text without blanks. `[text](target)` becomes `[text]`, and so does `![text](target)`: an
/// image is never shown, only a link to it. A permitted target stays. A definition `[label]: target` gets a blank
/// before the colon, so that references remain plain brackets. Other addresses become `…`. The filter holds back one
/// piece of at most ``longestWord`` scalars: a longer piece is removed if it contains an address, and otherwise gets a
/// blank in its middle.
struct WordFilter: Sendable {
    /// The longest piece, in scalars.
    static let longestWord = 2_048
    /// Replaces a removed address.
    static let mark: Unicode.Scalar = "…"

    private(set) var hasRemoved = false

    private let permitted: PermittedLinks
    private var word: [Unicode.Scalar] = []
    /// Whether the rest of an overlong piece is skipped.
    private var isSkipping = false

    init(permitted: PermittedLinks) {
        self.permitted = permitted
    }

    /// Reads one scalar, and appends final text to `output`.
    mutating func read(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        if scalar.isBlank || scalar.isWidePunctuation {
            flush(&output, isFollowedByText: !scalar.isBlank)
            isSkipping = false
            output.append(scalar)
        } else if !isSkipping {
            word.append(scalar)
            if word.count == Self.longestWord { cut(&output) }
        }
    }

    mutating func finish(into output: inout [Unicode.Scalar]) { flush(&output, isFollowedByText: false) }

    private mutating func cut(_ output: inout [Unicode.Scalar]) {
        if LinkScanner(word).link(from: 0) != nil {
            word = []
            isSkipping = true
            hasRemoved = true
            output.append(Self.mark)
        } else {
            flush(&output, isFollowedByText: true)
            output.append(" ")
        }
    }

    private mutating func flush(_ output: inout [Unicode.Scalar], isFollowedByText: Bool) {
        guard !word.isEmpty else { return }
        var rewriting = WordRewriting(word, permitted: permitted)
        word = []
        rewriting.run()
        output += rewriting.output
        if rewriting.endsWithLink, isFollowedByText { output.append(" ") }
        if rewriting.hasRemoved { hasRemoved = true }
    }
}

/// Rewrites one piece of text without blanks.
struct WordRewriting {
    /// The text that is kept.
    private(set) var output: [Unicode.Scalar] = []
    private(set) var hasRemoved = false
    /// Whether the last thing in ``output`` is an address, which text must not touch.
    private(set) var endsWithLink = false

    private let word: [Unicode.Scalar]
    private let permitted: PermittedLinks
    /// Text that was not searched for addresses yet.
    private var text: [Unicode.Scalar] = []

    init(_ word: [Unicode.Scalar], permitted: PermittedLinks) {
        self.word = word
        self.permitted = permitted
    }

    mutating func run() {
        var place = 0
        while place < word.count {
            if word[place] == "!", let bracket = imageStart(place) {
                // "Yes![1]" keeps its mark, separated from the bracket; an image loses it.
                if place > 0 { text += word[place..<bracket] + [" "] }
                place = bracket
            } else if word[place] == "]", place + 1 < word.count, word[place + 1] == "(" {
                place = readTarget(at: place + 1)
            } else if word[place] == "]", place + 1 < word.count, word[place + 1] == ":" {
                text += ["]", " "]
                place += 1
            } else {
                text.append(word[place])
                place += 1
            }
        }
        settle()
    }

    private func imageStart(_ place: Int) -> Int? {
        guard let bracket = word[place...].firstIndex(where: { $0 != "!" }), word[bracket] == "[" else { return nil }
        return bracket
    }

    /// Reads a link's target from its opening parenthesis; returns the position after it.
    private mutating func readTarget(at opening: Int) -> Int {
        guard let closing = closing(of: opening) else {
            text += ["]", " ", "("]
            return opening + 1
        }
        let target = word[(opening + 1)..<closing].text
        if permitted.contains(target) {
            settle()
            output += ["]"] + word[opening...closing]
            endsWithLink = true
        } else {
            hasRemoved = true
            if text.last == "[" { text.removeLast() } else { text.append("]") }
            // The text after it must not become a target itself.
            if closing + 1 < word.count, word[closing + 1] == "(" || word[closing + 1] == ":" { text.append(" ") }
        }
        return closing + 1
    }

    private func closing(of opening: Int) -> Int? {
        var depth = 0
        for place in opening..<word.count {
            if word[place] == "(" { depth += 1 }
            if word[place] == ")" { depth -= 1 }
            if depth == 0 { return place }
        }
        return nil
    }

    /// Outputs the text so far without addresses that are not permitted.
    private mutating func settle() {
        guard !text.isEmpty else { return }
        if endsWithLink, text.first.map({ !$0.isPunctuationOfASCII }) == true { output.append(" ") }
        endsWithLink = false
        let piece = text
        text = []
        let scanner = LinkScanner(piece)
        var place = 0
        while let link = scanner.link(from: place) {
            output += piece[place..<link.start]
            let kept = permitted.contains(link.text) ? link.end : shorterEnd(of: link, in: piece)
            if let kept {
                output += piece[link.start..<kept]
                endsWithLink = kept == piece.count
                if kept < link.end { output.append(" ") }
                place = kept
            } else {
                hasRemoved = true
                output.append(WordFilter.mark)
                place = link.end
            }
            if kept == link.end { break }
        }
        output += piece[place...]
    }

    /// The end of a permitted address that text in another script follows without a blank; nil when there is none.
    private func shorterEnd(of link: LinkScanner.Link, in piece: [Unicode.Scalar]) -> Int? {
        guard let end = piece[link.start..<link.end].firstIndex(where: { !$0.isASCII }) else { return nil }
        return permitted.contains(piece[link.start..<end].text) ? end : nil
    }
}
