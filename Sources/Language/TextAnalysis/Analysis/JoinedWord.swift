import ChatCore

/// A name that signs join without a blank: `RESTAURANT_SIGNALS`, `pump-log`, `main.swift`, `AB-123`, `v2.3`, `#deploy`, `c++`.
///
/// It is one term beside the terms of its words, so that the literal name is found before texts that only hold its words.
package struct JoinedWord: Hashable, Sendable {
    /// The whole name folded, with its signs: the term that is indexed.
    package let term: String
    /// Its place in the text, in UTF-8 bytes.
    package let range: Range<Int>
    /// Whether it can only be a name: it has an underscore, a dot between words, letters and digits, or a capital inside.
    ///
    /// "Follow-up" is a word, `pump-log` looks the same.
    package let isName: Bool

    /// The longest name in UTF-8 bytes; longer runs, such as addresses with a query, are only their words.
    static let byteLimit = 128

    /// Finds the joined words of a text.
    ///
    /// Hyphens and underscores join most closely, then dots, then the other signs, so `src/pump-log.swift` holds
    /// `pump-log` and `pump-log.swift` too.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - tokens: Its tokens, by ``TextAnalyzer/tokens(of:language:)`` of any language.
    /// - Returns: The joined words in the order of their first byte, the shorter one first.
    /// - Complexity: Linear in the length of the text.
    package static func find(in text: String, tokens: [TextToken]) -> [JoinedWord] {
        var text = text
        return text.withUTF8 { bytes in JoinedWordReader(bytes: bytes, tokens: tokens).all() }
    }
}

/// Reads the joined words of one text.
private struct JoinedWordReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let tokens: [TextToken]

    /// How closely a sign joins; a run is read with the signs of one closeness and those of the closer ones.
    private enum Closeness: Int, CaseIterable { case hyphens, dots, all }

    func all() -> [JoinedWord] {
        var found: [JoinedWord] = []
        var place = 0
        while place < tokens.count {
            var end = place + 1
            while end < tokens.count, join(before: end) != nil { end += 1 }
            found += words(in: place..<end)
            place = end
        }
        return found
    }

    /// Reads a run of tokens that signs join, level by level.
    private func words(in run: Range<Int>) -> [JoinedWord] {
        var found: [JoinedWord] = []
        for level in run.count > 1 ? Closeness.allCases : [] {
            var start = run.lowerBound
            for end in (run.lowerBound + 1)...run.upperBound {
                if end < run.upperBound, let sign = join(before: end), sign.rawValue <= level.rawValue { continue }
                // Without a sign of this level it was read before.
                let isNew = ((start + 1)..<max(end, start + 1)).contains { join(before: $0) == level }
                if isNew, let word = word(start..<end) { found.append(word) }
                start = end
            }
        }
        if let tag = tag(run.lowerBound) { found.append(tag) }
        if let code = signed(run.upperBound - 1) { found.append(code) }
        return found.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    }

    /// Returns how closely the signs between a token and the one before join them; nil if they part them.
    private func join(before place: Int) -> Closeness? {
        guard tokens[place - 1].kind == .word, tokens[place].kind == .word else { return nil }
        let gap = bytes[tokens[place - 1].range.upperBound..<tokens[place].range.lowerBound]
        guard let sign = gap.first, gap.count <= 3 else { return nil }
        if gap.count == 1, sign == UInt8(ascii: "_") || sign == UInt8(ascii: "-") { return .hyphens }
        if gap.allSatisfy({ $0 == UInt8(ascii: "_") }) { return .hyphens }
        if gap.count == 1, sign == UInt8(ascii: ".") { return .dots }
        let isJoint = gap.allSatisfy { "/\\:@#+._-".utf8.contains($0) } && gap.contains { "/\\:@#+".utf8.contains($0) }
        return isJoint ? .all : nil
    }

    private func word(_ places: Range<Int>) -> JoinedWord? {
        let range = tokens[places.lowerBound].range.lowerBound..<tokens[places.upperBound - 1].range.upperBound
        guard range.count <= JoinedWord.byteLimit else { return nil }
        var term = tokens[places.lowerBound].word
        for place in places.dropFirst() {
            let gap = bytes[tokens[place - 1].range.upperBound..<tokens[place].range.lowerBound]
            term += String(decoding: gap, as: UTF8.self) + tokens[place].word
        }
        return JoinedWord(term: term, range: range, isName: isName(places))
    }

    private func isName(_ places: Range<Int>) -> Bool {
        let range = tokens[places.lowerBound].range.lowerBound..<tokens[places.upperBound - 1].range.upperBound
        let hasDigit = bytes[range].contains { (0x30...0x39).contains($0) }
        let hasLetter = places.contains { tokens[$0].word.unicodeScalars.contains { $0.properties.isAlphabetic } }
        guard hasLetter else { return false }
        // "U.S." and "e.g." are abbreviations, "done.Then" lacks a blank.
        let hasDots = places.dropFirst().contains { place in
            join(before: place) == .dots && !isCapital(tokens[place].range.lowerBound)
        }
        let isAbbreviation = places.allSatisfy { tokens[$0].word.unicodeScalars.count == 1 }
        let hasCapitalInside = places.contains { place in
            tokens[place].range.dropFirst().contains(where: isCapital)
        }
        return hasDigit || bytes[range].contains(UInt8(ascii: "_")) || hasDots && !isAbbreviation || hasCapitalInside
    }

    private func isCapital(_ offset: Int) -> Bool { (0x41...0x5A).contains(bytes[offset]) }

    /// "#deploy", "#123".
    private func tag(_ place: Int) -> JoinedWord? {
        let start = tokens[place].range.lowerBound
        guard tokens[place].kind == .word, start > 0, bytes[start - 1] == UInt8(ascii: "#"),
            start == 1 || !isWordByte(bytes[start - 2]) && bytes[start - 2] != UInt8(ascii: "#")
        else { return nil }
        var end = place + 1
        while end < tokens.count, join(before: end) == .hyphens { end += 1 }
        guard let whole = word(place..<end) else { return nil }
        return JoinedWord(term: "#" + whole.term, range: (start - 1)..<whole.range.upperBound, isName: true)
    }

    /// "C++", "C#".
    private func signed(_ place: Int) -> JoinedWord? {
        let range = tokens[place].range
        guard tokens[place].kind == .word, range.count <= JoinedWord.byteLimit else { return nil }
        for sign in ["++", "#"] where bytes[range.upperBound...].starts(with: sign.utf8) {
            let end = range.upperBound + sign.utf8.count
            guard end == bytes.count || !isWordByte(bytes[end]) && bytes[end] != sign.utf8.first else { continue }
            return JoinedWord(term: tokens[place].word + sign, range: range.lowerBound..<end, isName: true)
        }
        return nil
    }

    /// Whether a byte belongs to a word; all that is not ASCII counts as such.
    private func isWordByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
