/// Splits a text into folded tokens in one pass.
///
/// Words are runs of letters and digits, as in SQLite's unicode61 tokenizer: apostrophes, dots and colons separate
/// ("don't" is don and t, "v2.3" is v2 and 3). In scripts without blanks each letter and each adjacent pair is a token.
/// Time is linear for every text, and the memory of one token is bounded.
struct TokenScanner {
    /// Of a longer run only this many scalars count.
    static let tokenLimit = 64

    private let keepsUmlauts: Bool
    private let emit: (_ word: String, _ range: Range<Int>, _ kind: TextToken.Kind) -> Void

    private var word: [UInt8] = []
    private var wordRange = 0..<0
    private var wordCount = 0
    private var ideograph: Ideograph?
    private var previous: Ideograph?

    private struct Ideograph {
        var scalar: Unicode.Scalar
        var range: Range<Int>
    }

    /// Calls `emit` for every token in order; ranges are in UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - keepsUmlauts: Whether ä, ö and ü stay, as the German stemmer needs them.
    ///   - emit: Takes the folded token, its range and its kind.
    static func scan(
        _ text: String, keepsUmlauts: Bool, emit: (_ word: String, _ range: Range<Int>, _ kind: TextToken.Kind) -> Void
    ) {
        var text = text
        text.withUTF8 { bytes in
            withoutActuallyEscaping(emit) { emit in
                var scanner = TokenScanner(keepsUmlauts: keepsUmlauts, emit: emit)
                scanner.scan(bytes)
                scanner.endWord()
                scanner.endIdeographs()
            }
        }
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        while offset < bytes.count {
            if wordCount == 0, ideograph == nil, previous == nil {
                offset = takeASCIIWords(bytes, from: offset)
                guard offset < bytes.count else { return }
            }
            let (scalar, width) = Self.scalar(in: bytes, at: offset)
            take(scalar, offset..<offset + width)
            offset += width
        }
    }

    /// Reads words of ASCII letters and their separators while no token is open: the largest part of most texts.
    ///
    /// - Returns: The stop position: the end, or the beginning of a word or separator that is not all ASCII.
    private mutating func takeASCIIWords(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var offset = offset
        while true {
            while offset < bytes.count, Self.asciiFolding[Int(bytes[offset])] == Self.separator { offset += 1 }
            var end = offset
            while end < bytes.count, Self.asciiFolding[Int(bytes[end])] > Self.beyond { end += 1 }
            if end < bytes.count, bytes[end] >= 0x80 { return offset }
            guard offset < end else { return end }
            let letters = UnsafeBufferPointer(rebasing: bytes[offset..<min(end, offset + Self.tokenLimit)])
            word.append(contentsOf: letters.lazy.map { Self.asciiFolding[Int($0)] })
            emit(String(decoding: word, as: UTF8.self), offset..<end, .word)
            word.removeAll(keepingCapacity: true)
            offset = end
        }
    }

    private static let separator: UInt8 = 0
    private static let beyond: UInt8 = 1

    /// The class of each byte: a letter or digit, ``separator``, or ``beyond`` for other than ASCII.
    private static let asciiFolding: [UInt8] = (0...0xFF).map { (byte: UInt8) in
        switch byte {
        case 0x61...0x7A, 0x30...0x39: byte
        case 0x41...0x5A: byte | 0x20
        case 0..<0x80: separator
        default: beyond
        }
    }

    /// Reads a scalar of valid UTF-8.
    private static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (Unicode.Scalar, width: Int) {
        let lead = UInt32(bytes[offset])
        let width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = width == 1 ? lead : lead & (0x7F >> UInt32(width))
        for byte in bytes[offset..<offset + width].dropFirst() { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", width)
    }

    private init(
        keepsUmlauts: Bool, emit: @escaping (_ word: String, _ range: Range<Int>, _ kind: TextToken.Kind) -> Void
    ) {
        self.keepsUmlauts = keepsUmlauts
        self.emit = emit
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        switch scalar.value {
        case 0x61...0x7A, 0x30...0x39: append(ascii: UInt8(truncatingIfNeeded: scalar.value), range)
        case 0x41...0x5A: append(ascii: UInt8(truncatingIfNeeded: scalar.value | 0x20), range)
        case 0..<0x80: separate()
        default: takeFolded(scalar, range)
        }
    }

    private mutating func takeFolded(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        if keepsUmlauts, takeUmlaut(scalar, range) { return }
        switch CharacterFolding.fold(scalar) {
        case .separator: separate()
        case .ignored:
            if wordCount > 0 { wordRange = wordRange.lowerBound..<range.upperBound }
        case .word(let scalars): append(scalars, range)
        case .mark(let mark): takeMark(mark, range)
        case .ideograph(let letter):
            endWord()
            flushIdeograph()
            ideograph = Ideograph(scalar: letter, range: range)
        }
    }

    private mutating func separate() {
        endWord()
        endIdeographs()
    }
}

extension TokenScanner {
    private mutating func append(ascii byte: UInt8, _ range: Range<Int>) {
        startWord(range)
        guard wordCount <= Self.tokenLimit else { return }
        word.append(byte)
    }

    private mutating func append(_ scalars: [Unicode.Scalar], _ range: Range<Int>) {
        startWord(range)
        guard wordCount <= Self.tokenLimit else { return }
        for scalar in scalars { write(scalar) }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        if let bytes = UTF8.encode(scalar) { word.append(contentsOf: bytes) }
    }

    private mutating func startWord(_ range: Range<Int>) {
        endIdeographs()
        let start = wordCount == 0 ? range.lowerBound : wordRange.lowerBound
        wordRange = start..<range.upperBound
        wordCount += 1
    }

    private mutating func endWord() {
        guard wordCount > 0 else { return }
        emit(String(decoding: word, as: UTF8.self), wordRange, .word)
        word.removeAll(keepingCapacity: true)
        wordCount = 0
    }

    /// Reads ä, ö, ü as one letter, and skips dots that follow their letter; returns whether it did.
    private mutating func takeUmlaut(_ scalar: Unicode.Scalar, _ range: Range<Int>) -> Bool {
        switch scalar {
        case "ä", "Ä": append(["ä"], range)
        case "ö", "Ö": append(["ö"], range)
        case "ü", "Ü": append(["ü"], range)
        case "\u{308}":
            guard wordCount > 0, wordCount <= Self.tokenLimit, let umlaut = Self.umlauts[word.last ?? 0]
            else { return false }
            word.removeLast()
            write(umlaut)
            wordRange = wordRange.lowerBound..<range.upperBound
        default: return false
        }
        return true
    }

    private static let umlauts: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "a"): "ä", UInt8(ascii: "o"): "ö", UInt8(ascii: "u"): "ü",
    ]

    private mutating func takeMark(_ mark: Unicode.Scalar, _ range: Range<Int>) {
        if let base = ideograph {
            guard CharacterFolding.joinsIdeograph(mark), let whole = CharacterFolding.compose(base.scalar, mark)
            else { return }
            ideograph = Ideograph(scalar: whole, range: base.range.lowerBound..<range.upperBound)
        } else if wordCount > 0 {
            append([mark], range)
        }
    }
}

extension TokenScanner {
    /// Emits the letter at hand and the pair that it makes with the one before it.
    private mutating func flushIdeograph() {
        guard let current = ideograph else { return }
        let letter = String(current.scalar)
        if let previous {
            emit(String(previous.scalar) + letter, previous.range.lowerBound..<current.range.upperBound, .bigram)
        }
        emit(letter, current.range, .unigram)
        previous = current
        ideograph = nil
    }

    private mutating func endIdeographs() {
        flushIdeograph()
        previous = nil
    }
}
