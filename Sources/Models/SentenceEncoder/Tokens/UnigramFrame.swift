import ChatCore

/// Puts a start and an end token around the tokens that a Unigram model reads in texts.
struct UnigramFrame: Sendable {
    /// Calls a function with the first tokens of a text; the first three are the text, the most tokens, and whether the
    /// tokens need their places and characters.
    typealias Reading = (String, Int, Bool, (UnigramLattice.Token) -> Void) -> Void

    let start, end: Int32
    /// The token of a character that no piece holds.
    let unknown: Int32

    /// See ``SentenceTokenizer/tokenIDs(_:limit:)``.
    func ids(of text: String, limit: Int, _ read: Reading) -> [Int32] {
        precondition(limit >= 2, "there is always a start and an end token")
        var ids = [start]
        read(text, limit - 2, false) { ids.append($0.id) }
        ids.append(end)
        return ids
    }

    /// See ``SentenceTokenizer/tokenCount(_:)``.
    func count(of text: String, _ read: Reading) -> Int {
        var count = 2
        read(text, .max, false) { _ in count += 1 }
        return count
    }

    /// See ``SentenceTokenizer/tokens(of:prefix:limit:prefixLimit:)``.
    ///
    /// The prefix ends with a space, which the first word of the text brings itself.
    func tokens(
        of text: String, prefix: String, limit: Int, prefixLimit: Int, _ read: Reading
    ) -> (ids: [Int32], tokens: [EncodedToken]) {
        precondition(limit >= prefixLimit + 2, "there is always a start and an end token")
        var ids = [start]
        read(prefix.hasSuffix(" ") ? String(prefix.dropLast()) : prefix, prefixLimit, false) { ids.append($0.id) }
        var own: [UnigramLattice.Token] = []
        read(text, limit - 1 - ids.count, true) { own.append($0) }
        ids += own.map(\.id) + [end]
        return (ids, words(own))
    }

    /// Gives each token the word that it is a part of.
    ///
    /// A word ends at spaces and at tokens without a letter or digit. In scripts without spaces each token is a word.
    private func words(_ tokens: [UnigramLattice.Token]) -> [EncodedToken] {
        func isWord(_ token: UnigramLattice.Token) -> Bool { token.characters.contains(.word) && token.id != unknown }
        func continues(_ token: UnigramLattice.Token, with next: UnigramLattice.Token) -> Bool {
            isWord(token) && isWord(next) && !next.opensWord && !token.characters.contains(.unspacedLast)
                && !next.characters.contains(.unspacedFirst) && token.range.upperBound >= next.range.lowerBound
        }
        var encoded: [EncodedToken] = []
        var first = 0
        for place in tokens.indices {
            let isLast = place + 1 == tokens.count || !continues(tokens[place], with: tokens[place + 1])
            guard isLast else { continue }
            let range = tokens[first].range.lowerBound..<tokens[place].range.upperBound
            for token in tokens[first...place] {
                encoded.append(EncodedToken(range: range, isWord: isWord(token)))
            }
            first = place + 1
        }
        return encoded
    }
}
