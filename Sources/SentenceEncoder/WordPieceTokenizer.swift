public import Foundation

/// Turns text into token ids as the uncased BERT models expect them.
///
/// Agrees with Hugging Face's `tokenizers` for all-MiniLM-L6-v2: the literal texts `[PAD]`, `[UNK]`, `[CLS]`, `[SEP]`
/// and `[MASK]` become the special tokens, wherever they stand; everything else is normalised, cut into words
/// and matched piece by piece. A word of more than 100 scalars, or one without a match, is one unknown token.
public struct WordPieceTokenizer: Sendable {
    /// The most scalars that a word may have without counting as unknown.
    private static let wordScalarLimit = 100

    private let vocabulary: WordPieceVocabulary
    private let specials: [(text: [UInt8], id: Int32)]
    private let unknown: Int32
    private let start: Int32
    private let end: Int32

    /// The number of different token ids.
    public var vocabularyCount: Int { vocabulary.count }

    /// Reads a vocabulary: one piece a line, the line number from 0 is the id.
    ///
    /// - Parameter vocabulary: The file `vocab.txt`.
    /// - Throws: ``EncoderError/unreadable(file:)``, ``EncoderError/malformedVocabulary(file:)``.
    public init(vocabulary: URL) throws(EncoderError) {
        guard let data = try? Data(contentsOf: vocabulary) else {
            throw .unreadable(file: vocabulary.lastPathComponent)
        }
        guard String(validating: data, as: UTF8.self) != nil else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        var lines = [UInt8](data).split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let pieces = WordPieceVocabulary(pieces: lines)
        let ids = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map { (Array($0.utf8), pieces.id(of: $0.utf8)) }
        let known = ids.compactMap { text, id in id.map { (text: text, id: $0) } }
        guard known.count == ids.count, pieces.count <= Int(Int32.max) else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        (self.vocabulary, specials) = (pieces, known)
        (unknown, start, end) = (known[1].id, known[2].id, known[3].id)
    }

    /// Returns the ids of the tokens of `text` between `[CLS]` and `[SEP]`, cut to `limit` with both.
    ///
    /// - Parameters:
    ///   - text: Any text; no more of it is read than is needed.
    ///   - limit: The most ids wanted.
    /// - Returns: 2 to `limit` ids.
    /// - Precondition: `limit` is at least 2.
    public func tokenIDs(_ text: String, limit: Int = 256) -> [Int32] {
        precondition(limit >= 2, "the start and the end token always stand")
        var ids = [start]
        var text = text
        text.withUTF8 { appendTokens(of: $0, to: &ids, limit: limit - 1) }
        if ids.count > limit - 1 { ids.removeLast(ids.count - (limit - 1)) }
        ids.append(end)
        return ids
    }

    /// Returns how many tokens all of `text` has, `[CLS]` and `[SEP]` included.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    public func tokenCount(_ text: String) -> Int {
        tokenIDs(text, limit: .max).count
    }

    /// Appends tokens until the text ends or there are `limit` ids or a few more.
    private func appendTokens(of text: UnsafeBufferPointer<UInt8>, to ids: inout [Int32], limit: Int) {
        var segmentStart = 0
        var position = 0
        while position < text.count, ids.count < limit {
            guard text[position] == 0x5B, let special = special(in: text, at: position) else {
                position += 1
                continue
            }
            appendPieces(of: UnsafeBufferPointer(rebasing: text[segmentStart..<position]), to: &ids, limit: limit)
            if ids.count < limit { ids.append(special.id) }
            position += special.text.count
            segmentStart = position
        }
        appendPieces(of: UnsafeBufferPointer(rebasing: text[segmentStart...]), to: &ids, limit: limit)
    }

    /// Returns the special token whose text starts at `position`.
    private func special(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (text: [UInt8], id: Int32)? {
        specials.first { text[position...].starts(with: $0.text) }
    }

    /// Appends the tokens of text without special tokens.
    private func appendPieces(of text: UnsafeBufferPointer<UInt8>, to ids: inout [Int32], limit: Int) {
        guard !text.isEmpty, ids.count < limit else { return }
        var normalizer = BertNormalizer()
        _ = normalizer.forEachWord(in: text) { word, scalarCount in
            if scalarCount > Self.wordScalarLimit || !vocabulary.appendPieces(of: word, to: &ids) {
                ids.append(unknown)
            }
            return ids.count < limit
        }
    }
}
