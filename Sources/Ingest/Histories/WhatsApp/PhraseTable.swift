import Foundation

/// Phrases with gaps, and the search for the one that a text is.
///
/// Phrases and texts are compared folded: see ``folded(_:)``.
struct PhraseTable {
    /// A phrase with gaps: the texts before, between and after them.
    fileprivate struct Template {
        var literals: [String]
        /// Whether each gap takes digits only.
        var isNumber: [Bool]
    }

    private var whole: Set<String> = []
    /// Templates by their first character, or by their last one if they begin with a gap.
    private var byFirst: [Character: [Template]] = [:]
    private var byLast: [Character: [Template]] = [:]
    /// Templates with a gap at both ends.
    private var open: [Template] = []

    /// Takes phrases between bars; `%` is a gap for any text, `#` for digits.
    init(_ phrases: String) {
        for phrase in Self.list(phrases) { add(phrase) }
    }

    /// The phrases of a table, folded.
    static func list(_ phrases: String) -> [String] {
        phrases.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map { folded(String($0)) }.filter { !$0.isEmpty }
    }

    private mutating func add(_ phrase: String) {
        guard phrase.contains(where: { $0 == "%" || $0 == "#" }) else {
            whole.insert(phrase)
            return
        }
        let literals = phrase.split(omittingEmptySubsequences: false) { $0 == "%" || $0 == "#" }.map(String.init)
        let template = Template(
            literals: literals, isNumber: phrase.filter { $0 == "%" || $0 == "#" }.map { $0 == "#" })
        if let first = literals.first?.first {
            byFirst[first, default: []].append(template)
        } else if let last = literals.last?.last {
            byLast[last, default: []].append(template)
        } else {
            open.append(template)
        }
    }

    /// Whether a folded text is one of the phrases, whatever its gaps hold.
    func contains(_ text: String) -> Bool { fillings(of: text, { _ in true }) }

    /// Whether a folded text is one of the phrases, and the texts in its gaps meet a condition.
    func fillings(of text: String, _ condition: ([Substring]) -> Bool) -> Bool {
        if whole.contains(text) { return condition([]) }
        guard let first = text.first, let last = text.last else { return false }
        func isMet(_ template: Template) -> Bool { template.gaps(in: text).map(condition) ?? false }
        return byFirst[first]?.contains(where: isMet) == true || byLast[last]?.contains(where: isMet) == true
            || open.contains(where: isMet)
    }

    /// Folds a text: small letters, plain quotes and blanks, without marks that nobody sees, vowel marks of Arabic, and
    /// the last full stop.
    static func folded(_ text: String) -> String {
        foldedASCII(text) ?? foldedScalars(text)
    }

    /// The same for texts in ASCII, as most are; nil for others.
    private static func foldedASCII(_ text: String) -> String? {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var isBlank = true
        for byte in text.utf8 {
            switch byte {
            case 0x80...: return nil
            case 0x20, 0x09...0x0D:
                if !isBlank { folded.append(0x20) }
                isBlank = true
            case 0x41...0x5A:
                folded.append(byte | 0x20)
                isBlank = false
            default:
                folded.append(byte)
                isBlank = false
            }
        }
        while let last = folded.last, last == 0x20 || last == 0x2E { folded.removeLast() }
        return String(decoding: folded, as: UTF8.self)
    }

    private static func foldedScalars(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isBlank = true
        for scalar in text.lowercased().unicodeScalars where !isDropped(scalar) {
            let blank = scalar.properties.isWhitespace
            if blank, isBlank { continue }
            isBlank = blank
            scalars.append(blank ? " " : plain(scalar))
        }
        while let last = scalars.last, " .。।۔".unicodeScalars.contains(last) { scalars.removeLast() }
        return String(scalars)
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        InvisibleMarks.isMark(scalar) || (0x200B...0x200D).contains(scalar.value)
            || (0x64B...0x652).contains(scalar.value)
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "“", "”", "„", "«", "»", "「", "」", "״": "\""
        case "’", "‘", "ʼ": "'"
        default: scalar
        }
    }
}

extension PhraseTable.Template {
    /// The longest text of a gap: names of people and groups are shorter.
    fileprivate static let gapLimit = 300

    /// The texts in the gaps; nil if the text is not this phrase.
    fileprivate func gaps(in text: String) -> [Substring]? {
        // The ends decide quickly, and most phrases differ there.
        guard let first = literals.first, let last = literals.last, text.hasPrefix(first), text.hasSuffix(last) else {
            return nil
        }
        var rest = text.dropFirst(first.count)
        var gaps: [Substring] = []
        for literal in literals.dropFirst().dropLast() {
            guard let found = Self.place(of: literal, in: rest) else { return nil }
            gaps.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        guard rest.hasSuffix(last) else { return nil }
        gaps.append(rest.dropLast(last.count))
        return zip(gaps, isNumber).allSatisfy(Self.isFilled) ? gaps : nil
    }

    /// Finds a text by its bytes: general searches for strings take many times as long.
    private static func place(of literal: String, in text: Substring) -> Range<Substring.Index>? {
        let (text, literal) = (text.utf8, Array(literal.utf8))
        guard let first = literal.first else { return text.startIndex..<text.startIndex }
        var start = text.startIndex
        while let found = text[start...].firstIndex(of: first) {
            if text[found...].starts(with: literal) {
                return found..<text.index(found, offsetBy: literal.count)
            }
            start = text.index(after: found)
        }
        return nil
    }

    private static func isFilled(_ gap: Substring, isNumber: Bool) -> Bool {
        !gap.isEmpty && gap.utf8.count <= gapLimit && (!isNumber || gap.allSatisfy(\.isNumber))
    }
}
