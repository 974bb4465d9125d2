/// Finds addresses in a piece of text without blanks, by the rules of programs that turn addresses into links.
///
/// An address is one of these: `scheme://…`; a scheme without slashes (`mailto:`, `javascript:`, `data:` …); a host
/// name whose last label is a top-level domain (`www.evil.example`, `evil.example`, with a mail's local part too); any
/// other dotted name, or four numbers, with a path (`files.intranet/x`). ``CodeNames`` with nothing around them are not
/// addresses. Fullwidth forms and backslashes before punctuation count as the characters that they represent. An
/// address extends to the end of the piece, without the punctuation at its end.
struct LinkScanner: Sendable {
    /// An address in a piece.
    struct Link: Equatable {
        let start: Int
        /// The position after its last scalar.
        let end: Int
        let text: String
    }

    private static let longestScheme = 32

    private let scalars: [Unicode.Scalar]
    /// The piece in normalised form: lower case, ASCII instead of fullwidth forms, without escaping backslashes.
    private var plain: [Unicode.Scalar] = []
    /// The position of each of them in the piece.
    private var places: [Int] = []

    init(_ piece: [Unicode.Scalar]) {
        scalars = piece
        for (place, scalar) in piece.enumerated() {
            if scalar == "\\", place + 1 < piece.count, piece[place + 1].isPunctuationOfASCII { continue }
            plain.append(Self.folded(scalar))
            places.append(place)
        }
    }

    /// Returns the first address that begins at a position or after it.
    func link(from place: Int) -> Link? {
        let first = places.firstIndex { $0 >= place } ?? places.count
        guard let start = start(from: first) else { return nil }
        let end = trimmedEnd(from: start)
        guard end > places[start] else { return nil }
        return Link(start: places[start], end: end, text: scalars[places[start]..<end].text)
    }

    private func start(from first: Int) -> Int? {
        var place = first
        while place < plain.count {
            let scalar = plain[place]
            if scalar == ":", let start = schemeStart(before: place, from: first) { return start }
            if Self.mayStandInHost(scalar) {
                let end = plain[place...].firstIndex { !Self.mayStandInHost($0) } ?? plain.count
                if let start = hostStart(place..<end, from: first) { return start }
                place = end
            } else {
                place += 1
            }
        }
        return nil
    }
}

// MARK: - Schemes

extension LinkScanner {
    private static let schemes: Set<String> = [
        "http", "https", "ftp", "ftps", "sftp", "file", "blob", "javascript", "vbscript", "livescript", "mailto", "tel",
        "sms", "smsto", "callto", "facetime", "sip", "sips", "xmpp", "magnet", "ws", "wss", "view-source", "intent",
        "itms-apps", "whatsapp", "skype", "bitcoin", "geo", "maps", "about",
    ]

    private func schemeStart(before colon: Int, from first: Int) -> Int? {
        let lowest = max(first, colon - Self.longestScheme)
        var start = colon
        while start > lowest, Self.mayStandInScheme(plain[start - 1]) { start -= 1 }
        while start < colon, !plain[start].isLatinLetter { start += 1 }
        guard start < colon, colon + 1 < plain.count else { return nil }
        if colon + 2 < plain.count, isSlash(colon + 1), isSlash(colon + 2) { return start }
        let name = plain[start..<colon].text
        if name == "data" { return isDataAddress(behind: colon) ? start : nil }
        let last = name.split(whereSeparator: { ".+-".contains($0) }).last.map(String.init)
        return Self.schemes.contains(name) || last.map(Self.schemes.contains) == true ? start : nil
    }

    private func isSlash(_ place: Int) -> Bool { plain[place] == "/" || plain[place] == "\\" }

    private func isDataAddress(behind colon: Int) -> Bool {
        let rest = plain[(colon + 1)...]
        guard let next = rest.first(where: { !$0.isLatinLetter }) else { return false }
        return next == "/" || next == "," || next == ";"
    }

    private static func mayStandInScheme(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLatinLetter || scalar.isDecimalDigit || scalar == "+" || scalar == "-" || scalar == "."
    }
}

// MARK: - Host names

extension LinkScanner {
    private func hostStart(_ run: Range<Int>, from first: Int) -> Int? {
        var start = run.lowerBound
        while start < run.upperBound, [".", "-", "_"].contains(plain[start]) { start += 1 }
        var end = run.upperBound
        while end > start, [".", "-", "_"].contains(plain[end - 1]) { end -= 1 }
        guard plain[start..<end].contains("."), !isCodeName(start..<end, in: run), isHost(start..<end) else {
            return nil
        }
        let before = start
        if start > first, plain[start - 1] == "@" {
            start -= 1
            while start > first, Self.mayStandInLocalPart(plain[start - 1]) { start -= 1 }
            return plain[start] == "@" ? before : start
        }
        while start > first, isSlash(start - 1) { start -= 1 }
        return start
    }

    /// Whether a name is one of ``CodeNames``, without anything around it that would make it an address.
    private func isCodeName(_ name: Range<Int>, in run: Range<Int>) -> Bool {
        let labels = plain[name].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, CodeNames.contains(labels[0].text, labels[1].text),
            name.lowerBound == run.lowerBound, plain[name.upperBound..<run.upperBound].allSatisfy({ $0 == "." })
        else { return false }
        if run.lowerBound > 0, ["@", "/", "\\"].contains(plain[run.lowerBound - 1]) { return false }
        let rest = plain[run.upperBound...]
        guard let next = rest.first, "/\\?#@%:".unicodeScalars.contains(next) else { return true }
        return next == ":" && rest.dropFirst().first.map { !$0.isDecimalDigit && !isSlash(run.upperBound + 1) } ?? true
    }

    private func isHost(_ run: Range<Int>) -> Bool {
        let labels = plain[run].split(separator: ".", omittingEmptySubsequences: false)
        if labels.dropLast().contains(where: { $0.text == "www" }) { return true }
        for label in labels.dropFirst() {
            // The text after a label in another script, or after its full stop, may continue without a blank.
            let latin = label.prefix { $0.isASCII }
            let ends =
                label.endIndex == run.upperBound || latin.count < label.count
                || !scalars[places[label.endIndex]].isASCII
            if ends, !latin.isEmpty, TopLevelDomains.contains(latin.text) { return true }
            if ends, TopLevelDomains.contains(label.text) { return true }
        }
        guard hasPath(behind: run.upperBound) else { return false }
        let named = labels.last { !$0.isEmpty } ?? []
        let isAddress = labels.count == 4 && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDecimalDigit) }
        return isAddress || (named.count >= 2 && named.allSatisfy { !$0.isASCII || $0.isLatinLetter })
    }

    private func hasPath(behind place: Int) -> Bool {
        guard place < plain.count else { return false }
        if plain[place] == "/" || plain[place] == "?" || plain[place] == "#" { return place + 1 < plain.count }
        guard plain[place] == ":" else { return false }
        let rest = plain[(place + 1)...].drop(while: \.isDecimalDigit)
        return rest.startIndex > place + 1 && rest.first == "/"
    }

    private static func mayStandInHost(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.isLatinLetter || scalar.isDecimalDigit || ".-_".unicodeScalars.contains(scalar)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return scalar.properties.isEmojiPresentation
        }
    }

    private static func mayStandInLocalPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLatinLetter || scalar.isDecimalDigit || "._%+-".unicodeScalars.contains(scalar)
    }
}

// MARK: - Ends

extension LinkScanner {
    private static let pairs: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "[", "}": "{"]

    /// The end of an address: before punctuation that ends a sentence, and before brackets that it does not open.
    private func trimmedEnd(from first: Int) -> Int {
        let start = places[first]
        var end = scalars.count
        var surplus = Self.pairs.mapValues { opener in scalars[start...].count { $0 == opener } }
        for (closer, _) in Self.pairs {
            surplus[closer, default: 0] = scalars[start...].count { $0 == closer } - surplus[closer, default: 0]
        }
        while end > start {
            let last = scalars[end - 1]
            if let count = surplus[last] {
                guard count > 0 else { break }
                surplus[last] = count - 1
            } else if !".,;:!?'\"*_~`\\|".unicodeScalars.contains(last) {
                break
            }
            end -= 1
        }
        return end
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        var value = scalar.value
        if (0xFF01...0xFF5E).contains(value) { value -= 0xFEE0 }
        if value == 0xFF61 || value == 0x3002 { value = 0x2E }
        if (0x41...0x5A).contains(value) { value += 0x20 }
        return Unicode.Scalar(value) ?? scalar
    }
}

extension Unicode.Scalar {
    /// Whether it is an ASCII character that is not a letter, digit or control character.
    var isPunctuationOfASCII: Bool { isASCII && value > 0x20 && value < 0x7F && !isLatinLetter && !isDecimalDigit }

    /// Whether it is punctuation of another script, after which a new piece begins; fullwidth `.`, `/` and `:` may
    /// occur in an address.
    var isWidePunctuation: Bool {
        guard !isASCII, value != 0xFF0E, value != 0xFF0F, value != 0xFF1A else { return false }
        switch properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
            .dashPunctuation:
            return true
        default: return false
        }
    }
}

extension Sequence<Unicode.Scalar> {
    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: self)
        return String(view)
    }
}

/// Names of programs and files such as `user.id` and `readme.md` whose last label is a top-level domain; only these
/// names are allowed in an answer.
///
/// Both lists are closed, so that such a name reveals nothing that a model knows: an attacker who registers all of them
/// learns at most which one was chosen, and only if a reader opens it. Other names of this kind are permitted if they
/// occur in a source; see ``PermittedLinks``.
enum CodeNames {
    /// Whether a name of two lower-case labels is one.
    static func contains(_ first: String, _ last: String) -> Bool { firsts.contains(first) && lasts.contains(last) }

    private static let firsts = Set(
        """
        account app author channel chat client comment config conversation customer data device doc document element \
        entry event field file item job key member message model module msg node obj object order package person \
        product project record reply request response result row sender session source target task team thread \
        ticket turn user value build changelog contributing index install lib license main mod readme run script \
        setup test this self
        """.split(separator: " ").map(String.init))

    private static let lasts: Set = [
        "cc", "date", "email", "id", "info", "md", "name", "pl", "py", "rs", "sh", "tel",
    ]
}
