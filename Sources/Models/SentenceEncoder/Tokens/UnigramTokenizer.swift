package import ChatCore

/// Turns text into token ids by a Unigram model, as XLM-R and models after it do.
///
/// Every character counts, the space after the last word too; a character that no piece holds is one unknown token.
package struct UnigramTokenizer: SentenceTokenizer {
    private let pieces: UnigramPieces
    private let map: CharacterMap
    private let frame: UnigramFrame

    package init(_ file: QuantizedModelFile) {
        (pieces, map) = (file.pieces, file.map)
        frame = UnigramFrame(start: pieces.start, end: pieces.end, unknown: pieces.unknown)
    }

    /// The number of pieces.
    package var vocabularyCount: Int { pieces.count }

    /// See ``SentenceTokenizer/tokenIDs(_:limit:)``.
    package func tokenIDs(_ text: String, limit: Int) -> [Int32] {
        frame.ids(of: text, limit: limit, forEachToken)
    }

    /// See ``SentenceTokenizer/tokenCount(_:)``.
    ///
    /// - Complexity: O(*n* · *l*) for *n* bytes and *l* bytes of the longest piece.
    package func tokenCount(_ text: String) -> Int { frame.count(of: text, forEachToken) }

    /// See ``SentenceTokenizer/tokens(of:prefix:limit:prefixLimit:)``.
    package func tokens(
        of text: String, prefix: String, limit: Int, prefixLimit: Int
    ) -> (ids: [Int32], tokens: [EncodedToken]) {
        frame.tokens(of: text, prefix: prefix, limit: limit, prefixLimit: prefixLimit, forEachToken)
    }

    private func forEachToken(
        of text: String, limit: Int, describes: Bool, _ body: (UnigramLattice.Token) -> Void
    ) {
        guard limit > 0 else { return }
        var text = text
        text.withUTF8 { bytes in
            var lattice = UnigramLattice(bytes, pieces: pieces, map: map)
            var count = 0
            lattice.forEachToken(describes: describes) { token in
                body(token)
                count += 1
                return count < limit
            }
        }
    }
}
