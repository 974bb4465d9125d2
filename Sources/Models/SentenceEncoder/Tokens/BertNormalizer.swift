import Foundation

/// Splits text into the words that BERT's models see: cleaned, for uncased ones without accents and in lower case, split at
/// white space, punctuation and every CJK ideograph.
///
/// It matches `BertNormalizer` and `BertPreTokenizer` of Hugging Face's tokenizers for every Unicode scalar, which a
/// test checks. That library uses the categories of Unicode 8, so characters of later versions are neither removed nor
/// punctuation here.
struct BertNormalizer {
    /// Receives one word: UTF-8, not empty, its number of scalars, and its range in the text; false ends the work.
    typealias Body = (_ word: [UInt8], _ scalarCount: Int, _ range: Range<Int>) -> Bool

    /// What is done besides cleaning and splitting; all of it for uncased models.
    struct Rules: Equatable, Sendable {
        var lowercases = true
        var stripsAccents = true
        var separatesIdeographs = true
    }

    private let rules: Rules
    private var word: [UInt8] = []
    private var scalarCount = 0
    private var wordRange = 0..<0
    /// The range of the present scalar, and the ranges of all pending ones.
    private var scalarRange = 0..<0
    private var pendingRange = 0..<0
    /// Scalars beyond ASCII that wait for decomposition, which may change their order, so it must see them together.
    private var pending = String.UnicodeScalarView()

    init(_ rules: Rules = Rules()) { self.rules = rules }

    /// Calls `body` with each word of `text`, UTF-8, from left to right.
    ///
    /// - Returns: False when `body` ended the work.
    mutating func forEachWord(in text: UnsafeBufferPointer<UInt8>, _ body: Body) -> Bool {
        var position = 0
        while position < text.count {
            let byte = text[position]
            if byte < 0x80 {
                scalarRange = position..<position + 1
                position += 1
                guard take(ascii: byte, body) else { return false }
            } else {
                let (scalar, length) = Self.decodeScalar(in: text, at: position)
                scalarRange = position..<position + length
                position += length
                guard take(scalar, body) else { return false }
            }
        }
        return takePending(body) && endWord(body)
    }

    private mutating func take(ascii byte: UInt8, _ body: Body) -> Bool {
        switch asciiClasses[Int(byte)] {
        case .removed:
            return true
        case .space:
            return takePending(body) && endWord(body)
        case .punctuation:
            return takePending(body) && endWord(body) && body([byte], 1, scalarRange)
        case .letter:
            guard takePending(body) else { return false }
            let isUpper = rules.lowercases && byte >= 0x41 && byte <= 0x5A
            append(CollectionOfOne(isUpper ? byte | 0x20 : byte), from: scalarRange)
            return true
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ body: Body) -> Bool {
        if scalar.properties.isWhitespace, scalar.value != 0x85 {
            return takePending(body) && endWord(body)
        } else if rules.separatesIdeographs, Self.isIdeograph(scalar) {
            guard takePending(body), endWord(body) else { return false }
            wait(scalar)
            return takePending(body) && endWord(body)
        } else if Self.isPunctuation(scalar) {
            guard takePending(body) else { return false }
            wait(scalar)
            return takePending(body)
        } else if !Self.isRemoved(scalar) {
            wait(scalar)
        }
        return true
    }

    private mutating func wait(_ scalar: Unicode.Scalar) {
        pendingRange = (pending.isEmpty ? scalarRange.lowerBound : pendingRange.lowerBound)..<scalarRange.upperBound
        pending.append(scalar)
    }

    /// Appends a scalar to the word.
    private mutating func append(_ scalar: some Sequence<UInt8>, from range: Range<Int>) {
        wordRange = (word.isEmpty ? range.lowerBound : wordRange.lowerBound)..<range.upperBound
        word.append(contentsOf: scalar)
        scalarCount += 1
    }

    /// Decomposes the pending scalars, drops accents, lowers the case, as the rules say, and splits at punctuation.
    private mutating func takePending(_ body: Body) -> Bool {
        if pending.isEmpty { return true }
        let text = rules.stripsAccents ? String(pending).decomposedStringWithCanonicalMapping : String(pending)
        pending.removeAll(keepingCapacity: true)
        for scalar in text.unicodeScalars where !(rules.stripsAccents && Self.isAccent(scalar)) {
            let cased = rules.lowercases ? scalar.properties.lowercaseMapping : String(scalar)
            for lower in cased.unicodeScalars {
                if Self.isPunctuation(lower) {
                    guard endWord(body), body(Array(UTF8.encode(lower) ?? .init()), 1, pendingRange) else {
                        return false
                    }
                } else {
                    append(UTF8.encode(lower) ?? .init(), from: pendingRange)
                }
            }
        }
        return true
    }

    private mutating func endWord(_ body: Body) -> Bool {
        if word.isEmpty { return true }
        defer {
            word.removeAll(keepingCapacity: true)
            scalarCount = 0
        }
        return body(word, scalarCount, wordRange)
    }

    /// Reads the scalar that starts at `position`; the text is valid because it comes from a `String`.
    private static func decodeScalar(
        in text: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        let lead = text[position]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard position + length <= text.count else { return ("\u{FFFD}", text.count - position) }
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length { value = value << 6 | UInt32(text[position + offset] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
