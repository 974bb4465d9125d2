package import ChatCore
package import Foundation

/// Turns text into token ids as BERT's models expect them.
///
/// It matches Hugging Face's `tokenizers`: the literal texts of added tokens, usually `[PAD]`, `[UNK]`, `[CLS]`, `[SEP]` and
/// `[MASK]`, always become these tokens; everything else is normalised, split into words and matched piece by piece. A
/// word of more scalars than the limit, or one without a match, is one unknown token.
package struct WordPieceTokenizer: SentenceTokenizer {
    private let vocabulary: WordPieceVocabulary
    private let rules: BertNormalizer.Rules
    private let added: AddedTokens
    /// The most scalars that a word may have without counting as unknown.
    private let wordScalarLimit: Int
    /// Whether a piece contains a letter or digit, by its id.
    private let isWord: [Bool]
    private let unknown: Int32
    private let start: Int32
    private let end: Int32

    /// The number of different token ids.
    package let vocabularyCount: Int

    /// Reads a vocabulary: one piece a line, the line number from 0 is the id.
    ///
    /// - Parameter vocabulary: The file `vocab.txt`.
    /// - Throws: ``EncoderError/unreadable(file:)``, ``EncoderError/malformedVocabulary(file:)``.
    package init(vocabulary: URL) throws(EncoderError) {
        guard let data = try? Data(contentsOf: vocabulary) else {
            throw .unreadable(file: vocabulary.lastPathComponent)
        }
        guard String(validating: data, as: UTF8.self) != nil else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        var lines = [UInt8](data).split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let pieces = WordPieceVocabulary(pieces: lines)
        let names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map { Array($0.utf8) }
        let known = names.compactMap { name in pieces.id(of: name).map { AddedTokens.Entry(text: name, id: $0) } }
        guard known.count == names.count, pieces.count <= Int(Int32.max) else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        self.init(
            pieces: lines, added: known, unknown: known[1].id, ends: (known[2].id, known[3].id), scalarLimit: 100,
            rules: BertNormalizer.Rules())
    }

    /// - Parameters:
    ///   - pieces: The piece of each id; an empty one for an id without a piece.
    ///   - added: The texts that always are one token.
    ///   - unknown: The id of a word without a match.
    ///   - ends: The tokens before and after a text.
    ///   - scalarLimit: The most scalars of a word with a match.
    ///   - rules: How words are written before they are matched.
    init(
        pieces: [ArraySlice<UInt8>], added: [AddedTokens.Entry], unknown: Int32, ends: (start: Int32, end: Int32),
        scalarLimit: Int, rules: BertNormalizer.Rules
    ) {
        vocabulary = WordPieceVocabulary(pieces: pieces)
        self.added = AddedTokens(added)
        self.rules = rules
        wordScalarLimit = scalarLimit
        vocabularyCount = added.reduce(pieces.count) { max($0, Int($1.id) + 1) }
        let addedIDs = Set(added.map(\.id))
        var isWord = Array(repeating: false, count: vocabularyCount)
        for (id, piece) in pieces.enumerated() {
            isWord[id] = !addedIDs.contains(Int32(id)) && Self.holdsLetterOrDigit(piece)
        }
        self.isWord = isWord
        (self.unknown, start, end) = (unknown, ends.start, ends.end)
    }

    /// Returns the ids of the tokens of `text` between `[CLS]` and `[SEP]`, cut to `limit` with both.
    ///
    /// - Parameters:
    ///   - text: Any text; only the necessary part is read.
    ///   - limit: The most ids.
    /// - Returns: 2 to `limit` ids.
    /// - Precondition: `limit` is at least 2.
    package func tokenIDs(_ text: String, limit: Int = 256) -> [Int32] {
        precondition(limit >= 2, "there is always a start and an end token")
        return [start] + pieces(of: text, limit: limit - 2).ids + [end]
    }

    /// Returns the ids of the tokens of a text and its prefix, between `[CLS]` and `[SEP]`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - prefix: A text before it, with a space at its end; or empty.
    ///   - limit: The most ids.
    ///   - prefixLimit: The most ids of the prefix, so that a long one does not displace the text.
    /// - Returns: All ids, and the text parts of the last ones before `[SEP]`, which are those of the text.
    /// - Precondition: `limit` is at least `prefixLimit` and 2 more.
    package func tokens(
        of text: String, prefix: String, limit: Int, prefixLimit: Int
    ) -> (ids: [Int32], tokens: [EncodedToken]) {
        precondition(limit >= prefixLimit + 2, "there is always a start and an end token")
        let before = prefix.isEmpty ? [] : pieces(of: prefix, limit: prefixLimit).ids
        let own = pieces(of: text, limit: limit - 2 - before.count)
        let tokens = zip(own.ids, own.ranges).map { EncodedToken(range: $1, isWord: isWord[Int($0)]) }
        return ([start] + before + own.ids + [end], tokens)
    }

    /// The ids of tokens, and the words or special tokens that they are pieces of.
    private struct Pieces {
        var ids: [Int32] = []
        var ranges: [Range<Int>] = []

        /// Notes that the ids since the last call belong to `range`.
        mutating func close(_ range: Range<Int>) {
            ranges.append(contentsOf: repeatElement(range, count: ids.count - ranges.count))
        }
    }

    /// Returns at most `limit` tokens of `text` itself.
    private func pieces(of text: String, limit: Int) -> Pieces {
        var pieces = Pieces()
        var text = text
        text.withUTF8 { appendTokens(of: $0, to: &pieces, limit: limit) }
        let surplus = max(0, pieces.ids.count - limit)
        pieces.ids.removeLast(surplus)
        pieces.ranges.removeLast(surplus)
        return pieces
    }

    /// Returns how many tokens all of `text` has, `[CLS]` and `[SEP]` included.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    package func tokenCount(_ text: String) -> Int {
        tokenIDs(text, limit: .max).count
    }

    /// Appends tokens until the text ends or there are `limit` ids or a few more.
    private func appendTokens(of text: UnsafeBufferPointer<UInt8>, to pieces: inout Pieces, limit: Int) {
        added.forEachPart(of: text) { part in
            guard pieces.ids.count < limit else { return false }
            if let id = part.id {
                pieces.ids.append(id)
                pieces.close(part.range)
            } else {
                appendPieces(of: text, in: part.range, to: &pieces, limit: limit)
            }
            return pieces.ids.count < limit
        }
    }

    /// Appends the tokens of a part of the text without special tokens.
    private func appendPieces(
        of text: UnsafeBufferPointer<UInt8>, in part: Range<Int>, to pieces: inout Pieces, limit: Int
    ) {
        guard !part.isEmpty, pieces.ids.count < limit else { return }
        var normalizer = BertNormalizer(rules)
        let segment = UnsafeBufferPointer(rebasing: text[part])
        _ = normalizer.forEachWord(in: segment) { word, scalarCount, range in
            if scalarCount > wordScalarLimit || !vocabulary.appendPieces(of: word, to: &pieces.ids) {
                pieces.ids.append(unknown)
            }
            pieces.close(part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound)
            return pieces.ids.count < limit
        }
    }

    private static func holdsLetterOrDigit(_ piece: ArraySlice<UInt8>) -> Bool {
        String(decoding: piece, as: UTF8.self).unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
    }
}
