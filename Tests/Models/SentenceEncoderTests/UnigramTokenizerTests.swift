import ChatCore
import Foundation
import SentenceEncoder
import Testing

@Suite struct UnigramTokenizerTests {
    private func withTokenizer(
        _ model: SyntheticModel = SyntheticModel(), _ body: (UnigramTokenizer) throws -> Void
    ) throws {
        try withFile(of: model) { try body(UnigramTokenizer(QuantizedModelFile(url: $0))) }
    }

    /// Worked out by hand from the pieces of ``SyntheticModel``; an unknown character scores -9 - 10.
    static let cases: [(String, [Int32])] = [
        ("", []),
        ("a", [5]),
        // -4 as a whole, -5 as ▁a b, -6.5 as ▁ ab.
        ("ab", [8]),
        // -9 as ▁ab c, -10 as ▁a b c, -13 as ▁ abc: the longest piece is not the best.
        ("abc", [8, 9]),
        // -4 both ways: the piece that starts first.
        ("xy", [13]),
        // ▁p qr and ▁pq r, -4 both: the piece that starts first.
        ("pqr", [14, 15]),
        // -2 - 3.25 as ▁a bb, -4 - 3 as ▁ab b; then -2 - 6 as ▁a bbb, -4 - 3.25 as ▁ab bb.
        ("abb", [5, 22]),
        ("abbb", [8, 22]),
        ("aΩb", [5, 3, 6]),
        ("ΩΩ", [4, 3, 3]),
        ("a b", [5, 4, 6]),
        ("a   b", [5, 4, 6]),
        (" a", [5]),
        ("   a", [5]),
        ("a ", [5, 4]),
        (" ", [4]),
        ("a\tab", [5, 8]),
        ("a \t ab", [5, 8]),
        // Removed before anything is split.
        ("a\u{200B}b", [8]),
        ("\u{200B}", []),
        ("\u{200B} a", [5]),
        // One character that becomes two, and one that becomes itself and a space.
        ("\u{FB01}", [8]),
        ("a！ ab", [5, 21, 8]),
        ("a！", [5, 21, 4]),
        // What a character becomes is not mapped again.
        ("a\u{1F600}", [5, 3]),
        ("東京は", [4, 18, 20]),
        ("東は", [4, 19, 20]),
        // The mark itself is no space, but looks the same.
        ("a▁ab", [5, 8]),
        ("a ▁ab", [5, 4, 8]),
        ("▁a", [4, 5]),
        // Pieces of special tokens are read as such, except the unknown one.
        ("a<s>", [5, 0]),
        ("a<unk>", [5, 3, 3, 3, 3, 3]),
    ]

    @Test(arguments: cases) func idsAreTheMostProbable(text: String, ids: [Int32]) throws {
        try withTokenizer { tokenizer in
            #expect(tokenizer.tokenIDs(text, limit: 100) == [0] + ids + [2])
            #expect(tokenizer.tokenCount(text) == ids.count + 2)
        }
    }

    @Test func cutsToTheLimitWithStartAndEnd() throws {
        try withTokenizer { tokenizer in
            #expect(tokenizer.tokenIDs("abc ab", limit: 2) == [0, 2])
            #expect(tokenizer.tokenIDs("abc ab", limit: 3) == [0, 8, 2])
            #expect(tokenizer.tokenIDs("abc ab", limit: 4) == [0, 8, 9, 2])
            #expect(tokenizer.tokenIDs("abc ab", limit: 5) == [0, 8, 9, 8, 2])
        }
    }

    /// Without a place that no piece crosses, the whole has to be read before the first token is known.
    @Test(arguments: ["b", "ab", "a b", "Ω", "\u{FB01}", "東京は", " ", "<s>"])
    func longTextsAreReadToTheirEnd(sample: String) throws {
        let text = String(repeating: sample, count: 100_000)
        try withTokenizer { tokenizer in
            let ids = tokenizer.tokenIDs(text, limit: .max)
            #expect(ids.count == tokenizer.tokenCount(text))
            #expect(ids.count > (sample == " " ? 2 : 30_000))
            #expect(tokenizer.tokenIDs(text, limit: 20) == (ids.count <= 20 ? ids : ids.prefix(19) + [2]))
        }
    }

    /// Random texts against the whole table of ways, with random pieces of which some are alike in score.
    @Test func idsAreThoseOfAPlainSearch() throws {
        var random = SyntheticModel.SplitMix(state: 3)
        let letters = Array("ab cdé東 ").map(String.init)
        var pieces = Array(SyntheticModel.smallPieces.prefix(5))
        var known = Set(pieces.map(\.0))
        while pieces.count < 60 {
            let count = 1 + Int(random.next() % 5)
            let text = (0..<count).map { _ in letters[Int(random.next() % 8)] }.joined()
                .replacingOccurrences(of: " ", with: "▁")
            if known.insert(text).inserted { pieces.append((text, -Float(random.next() % 8) / 2 - 1)) }
        }
        let model = SyntheticModel(pieces: pieces)
        try withTokenizer(model) { tokenizer in
            for _ in 0..<2_000 {
                let text = (0..<Int(random.next() % 40)).map { _ in letters[Int(random.next() % 8)] }.joined()
                #expect(tokenizer.tokenIDs(text, limit: .max) == [0] + plain(text, pieces) + [2], "\(text)")
            }
        }
    }

    private func plain(_ text: String, _ pieces: [(String, Float)]) -> [Int32] {
        guard !text.isEmpty else { return [] }
        var spelled = text.hasPrefix(" ") ? "" : "▁"
        for (place, character) in Array(text).enumerated() {
            if character != " " {
                spelled += String(character)
            } else if place == 0 || Array(text)[place - 1] != " " {
                spelled += "▁"
            }
        }
        let characters = spelled.map(String.init)
        let unknown = (pieces.map(\.1).min() ?? 0) - 10
        var ways = Array(repeating: (score: -Float.infinity, ids: [Int32]()), count: characters.count + 1)
        ways[0] = (0, [])
        for start in characters.indices {
            for end in start + 1...characters.count {
                let part = characters[start..<end].joined()
                if let id = pieces.firstIndex(where: { $0.0 == part && $0.0 != "<unk>" }) {
                    let score = ways[start].score + pieces[id].1
                    if score > ways[end].score { ways[end] = (score, ways[start].ids + [Int32(id)]) }
                }
            }
            let score = ways[start].score + unknown
            if score > ways[start + 1].score { ways[start + 1] = (score, ways[start].ids + [3]) }
        }
        return ways[characters.count].ids
    }

    @Test func ofEqualPiecesTheFirstCounts() throws {
        try withTokenizer(SyntheticModel(pieces: SyntheticModel.smallPieces + [("▁a", -1)])) {
            #expect($0.tokenIDs("a", limit: 9) == [0, 5, 2])
        }
    }

    @Test func tokensKnowTheirWords() throws {
        func token(_ range: Range<Int>, _ isWord: Bool = true) -> EncodedToken {
            EncodedToken(range: range, isWord: isWord)
        }
        try withTokenizer { tokenizer in
            func tokens(_ text: String) -> [EncodedToken] {
                tokenizer.tokens(of: text, prefix: "", limit: 40, prefixLimit: 8).tokens
            }
            #expect(tokens("abc ab") == [token(0..<3), token(0..<3), token(4..<6)])
            #expect(tokens("abc!c") == [token(0..<3), token(0..<3), token(3..<4, false), token(4..<5)])
            // The space before the first word is no part of the text.
            #expect(tokens("東京は") == [token(0..<0, false), token(0..<6), token(6..<9)])
            #expect(tokens("aΩb") == [token(0..<1), token(1..<3, false), token(3..<4)])
            #expect(tokens("c \u{FB01}c") == [token(0..<0, false), token(0..<1), token(2..<6), token(2..<6)])
            #expect(tokens("a\u{200B}bc") == [token(0..<6), token(0..<6)])
            #expect(tokens("") == [])
        }
    }

    @Test func prefixIsReadBeforeTheTextAndLimited() throws {
        try withTokenizer { tokenizer in
            let short = tokenizer.tokens(of: "ab", prefix: "a! ", limit: 20, prefixLimit: 8)
            #expect(short.ids == [0, 5, 21, 8, 2])
            #expect(short.ids == tokenizer.tokenIDs("a! ab", limit: 20))
            #expect(short.tokens == [EncodedToken(range: 0..<2, isWord: true)])
            let long = tokenizer.tokens(of: "ab ab ab ab ab", prefix: "a a a a a a ", limit: 8, prefixLimit: 3)
            #expect(long.ids == [0, 5, 5, 5, 8, 8, 8, 2])
            #expect(long.tokens.map(\.range) == [0..<2, 3..<5, 6..<8])
        }
    }
}
