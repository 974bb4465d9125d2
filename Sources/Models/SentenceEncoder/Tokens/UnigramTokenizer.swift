package import ChatCore

/// Turns text into token ids by a Unigram model, as XLM-R and models after it do.
///
/// Every character counts, the space after the last word too; a character that no piece holds is one unknown token.
package struct UnigramTokenizer: SentenceTokenizer {
    private let pieces: UnigramPieces
    private let map: CharacterMap

    package init(_ file: QuantizedModelFile) {
        (pieces, map) = (file.pieces, file.map)
    }

    /// The number of pieces.
    package var vocabularyCount: Int { pieces.count }

    /// Returns the ids of the tokens of `text` between start and end token, cut to `limit` with both.
    ///
    /// - Parameters:
    ///   - text: Any text; only the necessary part is read.
    ///   - limit: The most ids.
    /// - Returns: 2 to `limit` ids.
    /// - Precondition: `limit` is at least 2.
    package func tokenIDs(_ text: String, limit: Int) -> [Int32] {
        precondition(limit >= 2, "there is always a start and an end token")
        var ids = [pieces.start]
        forEachToken(of: text, limit: limit - 2, describes: false) { ids.append($0.id) }
        ids.append(pieces.end)
        return ids
    }

    /// Returns how many tokens all of `text` has, start and end included.
    ///
    /// - Complexity: O(*n* · *l*) for *n* bytes and *l* bytes of the longest piece.
    package func tokenCount(_ text: String) -> Int {
        var count = 2
        forEachToken(of: text, limit: .max, describes: false) { _ in count += 1 }
        return count
    }

    /// Returns the ids of the tokens of a text after its prefix, between start and end token.
    ///
    /// The prefix ends with a space, which the text's first word brings itself.
    package func tokens(
        of text: String, prefix: String, limit: Int, prefixLimit: Int
    ) -> (ids: [Int32], tokens: [EncodedToken]) {
        precondition(limit >= prefixLimit + 2, "there is always a start and an end token")
        var ids = [pieces.start]
        let before = prefix.hasSuffix(" ") ? String(prefix.dropLast()) : prefix
        forEachToken(of: before, limit: prefixLimit, describes: false) { ids.append($0.id) }
        var own: [UnigramLattice.Token] = []
        forEachToken(of: text, limit: limit - 1 - ids.count, describes: true) { own.append($0) }
        ids += own.map(\.id) + [pieces.end]
        return (ids, Self.words(own, unknown: pieces.unknown))
    }

    /// Gives each token the word that it is a part of.
    ///
    /// A word ends at spaces and at tokens without a letter or digit. In scripts without spaces each token is a word.
    static func words(_ tokens: [UnigramLattice.Token], unknown: Int32) -> [EncodedToken] {
        func isWord(_ token: UnigramLattice.Token) -> Bool { token.characters.contains(.word) && token.id != unknown }
        func continues(_ token: UnigramLattice.Token, with next: UnigramLattice.Token) -> Bool {
            isWord(token) && isWord(next) && !next.opensWord && !token.characters.contains(.unspacedLast)
                && !next.characters.contains(.unspacedFirst) && token.range.upperBound >= next.range.lowerBound
        }
        var encoded: [EncodedToken] = []
        var start = 0
        for place in tokens.indices {
            let isLast = place + 1 == tokens.count || !continues(tokens[place], with: tokens[place + 1])
            guard isLast else { continue }
            let range = tokens[start].range.lowerBound..<tokens[place].range.upperBound
            for token in tokens[start...place] {
                encoded.append(EncodedToken(range: range, isWord: isWord(token)))
            }
            start = place + 1
        }
        return encoded
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
