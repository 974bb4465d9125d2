package import ChatCore

/// Turns text into token ids by the Unigram model of a `tokenizer.json`, as Hugging Face's `tokenizers` does.
///
/// It differs from ``UnigramTokenizer`` where that library differs from SentencePiece: each word is split into pieces by
/// itself, with scores in 64-bit floats; unknown characters that follow each other are one token; texts of added tokens
/// are always those tokens.
package struct UnigramWordTokenizer: SentenceTokenizer {
    private let pieces: ScoredPieces
    private let normalizer: TextNormalizer
    private let splitter: WordSplitter
    /// Those that are looked for in the text as it is, and in the normalised one.
    private let added, addedToNormalized: AddedTokens
    private let frame: UnigramFrame

    package let vocabularyCount: Int

    init(
        pieces: ScoredPieces, normalizer: TextNormalizer, splitter: WordSplitter, added: [TokenizerFile.AddedToken],
        ends: (start: Int32, end: Int32)
    ) {
        (self.pieces, self.normalizer, self.splitter) = (pieces, normalizer, splitter)
        frame = UnigramFrame(start: ends.start, end: ends.end, unknown: pieces.unknown)
        self.added = AddedTokens(added.filter { !$0.isNormalized }.map(\.entry))
        addedToNormalized = AddedTokens(
            added.filter(\.isNormalized).map { token in
                let entry = token.entry
                let text = entry.text.withUnsafeBufferPointer {
                    normalizer.apply(to: NormalizedText($0, in: 0..<$0.count)).bytes
                }
                return AddedTokens.Entry(
                    text: text, id: entry.id, isWord: entry.isWord, takesBefore: entry.takesBefore,
                    takesAfter: entry.takesAfter)
            })
        vocabularyCount = Int(([ends.start, ends.end] + added.map(\.id)).reduce(Int32(pieces.count - 1), max)) + 1
    }

    /// See ``SentenceTokenizer/tokenIDs(_:limit:)``.
    package func tokenIDs(_ text: String, limit: Int) -> [Int32] {
        frame.ids(of: text, limit: limit, forEachToken)
    }

    /// See ``SentenceTokenizer/tokenCount(_:)``.
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
        var count = 0
        func take(_ token: UnigramLattice.Token) -> Bool {
            guard count < limit else { return false }
            body(token)
            count += 1
            return count < limit
        }
        func special(_ id: Int32, _ range: Range<Int>) -> Bool {
            take(UnigramLattice.Token(id: id, range: range, opensWord: true, characters: []))
        }
        var text = text
        text.withUTF8 { bytes in
            added.forEachPart(of: bytes) { part in
                if let id = part.id { return special(id, part.range) }
                let normalized = normalizer.apply(to: NormalizedText(bytes, in: part.range))
                var goesOn = true
                normalized.bytes.withUnsafeBufferPointer { inner in
                    addedToNormalized.forEachPart(of: inner) { part in
                        if let id = part.id {
                            goesOn = special(id, normalized.origin(of: part.range))
                        } else {
                            var own = NormalizedText()
                            own.append(normalized, part.range)
                            goesOn = appendTokens(of: own, describes: describes, take)
                        }
                        return goesOn
                    }
                }
                return goesOn
            }
        }
    }

    /// Calls `take` with the tokens of a normalised part until it returns false.
    private func appendTokens(
        of part: NormalizedText, describes: Bool, _ take: (UnigramLattice.Token) -> Bool
    ) -> Bool {
        let (text, words) = splitter.words(of: part)
        for word in words {
            for (id, range) in pieces.split(text.bytes, word) {
                let token =
                    describes
                    ? described(id, range, of: text)
                    : UnigramLattice.Token(id: id, range: 0..<0, opensWord: false, characters: [])
                guard take(token) else { return false }
            }
        }
        return true
    }

    private func described(_ id: Int32, _ range: Range<Int>, of text: NormalizedText) -> UnigramLattice.Token {
        let mark = UnigramLattice.mark
        let opensWord = text.bytes[range].starts(with: mark)
        let start = opensWord ? range.lowerBound + mark.count : range.lowerBound
        guard start < range.upperBound else {
            return UnigramLattice.Token(id: id, range: text.origin(of: range), opensWord: true, characters: [])
        }
        let own = start..<range.upperBound
        return UnigramLattice.Token(
            id: id, range: text.origin(of: own), opensWord: opensWord,
            characters: TokenCharacters(of: text.bytes[own]))
    }
}

/// The pieces of a Unigram vocabulary with scores in 64-bit floats.
struct ScoredPieces: Sendable {
    /// How much less than the rarest piece an unknown character scores.
    private static let unknownPenalty = 10.0

    /// The token of a character that no piece holds.
    let unknown: Int32
    private let trie: PieceTrie
    private let scores: [Double]
    private let unknownScore: Double

    /// The number of pieces.
    var count: Int { scores.count }

    /// - Returns: nil when a score is no finite number, or the unknown token is not among the pieces.
    init?(_ pieces: [(text: [UInt8], score: Double)], unknown: Int) {
        guard pieces.indices.contains(unknown), pieces.count < Int(Int32.max),
            pieces.allSatisfy({ $0.score.isFinite })
        else { return nil }
        var (text, offsets) = ([UInt8](), [0])
        for piece in pieces {
            text.append(contentsOf: piece.text)
            offsets.append(text.count)
        }
        trie = text.withUnsafeBytes { PieceTrie(text: $0, offsets: offsets, lastCounts: true) }
        scores = pieces.map(\.score)
        self.unknown = Int32(unknown)
        unknownScore = (scores.min() ?? 0) - Self.unknownPenalty
    }

    /// The best way to a place of a word.
    private struct Way {
        var score = -Double.infinity
        var piece: Int32 = -1
        var start = 0
    }

    /// Returns the most probable pieces of a word (Viterbi), and their places in the text.
    ///
    /// - Precondition: The word is whole UTF-8, and not empty.
    func split(_ text: [UInt8], _ word: Range<Int>) -> [(id: Int32, range: Range<Int>)] {
        var ways = Array(repeating: Way(), count: word.count + 1)
        ways[0].score = 0
        text.withUnsafeBufferPointer { text in
            trie.slots.withUnsafeBufferPointer { slots in
                var position = 0
                while position < word.count {
                    let next = min(position + UTF8Scalar.length(lead: text[word.lowerBound + position]), word.count)
                    follow(text, word, from: position, slots, &ways)
                    // A single character's own piece is always better.
                    let sum = ways[position].score + unknownScore
                    if sum > ways[next].score { ways[next] = Way(score: sum, piece: unknown, start: position) }
                    position = next
                }
            }
        }
        return path(ways, word)
    }

    /// Notes the pieces that start at a place.
    private func follow(
        _ text: UnsafeBufferPointer<UInt8>, _ word: Range<Int>, from position: Int,
        _ slots: UnsafeBufferPointer<PieceTrie.Slot>, _ ways: inout [Way]
    ) {
        let score = ways[position].score
        var (node, place) = (0, position)
        while place < word.count {
            let child = Int(slots[node].base ^ UInt32(text[word.lowerBound + place]))
            guard child < slots.count, slots[child].parent == UInt32(node) else { break }
            (node, place) = (child, place + 1)
            let piece = slots[node].piece
            guard piece >= 0 else { continue }
            let sum = score + scores[Int(piece)]
            if sum > ways[place].score { ways[place] = Way(score: sum, piece: piece, start: position) }
        }
    }

    private func path(_ ways: [Way], _ word: Range<Int>) -> [(id: Int32, range: Range<Int>)] {
        var found: [(id: Int32, range: Range<Int>)] = []
        var end = word.count
        while end > 0 {
            let way = ways[end]
            let range = word.lowerBound + way.start..<word.lowerBound + end
            if way.piece == unknown, let last = found.last, last.id == unknown {
                found[found.count - 1].range = range.lowerBound..<last.range.upperBound
            } else {
                found.append((way.piece, range))
            }
            end = way.start
        }
        return found.reversed()
    }
}
