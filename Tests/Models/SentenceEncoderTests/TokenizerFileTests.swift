import ChatCore
import Foundation
import SentenceEncoder
import Testing

/// Tokenizers of `tokenizer.json`; scripts/check-encoders compares with the reference.
@Suite struct TokenizerFileTests {
    private func ids(_ text: String, _ change: (inout SyntheticFolder) -> Void, isUnigram: Bool) throws -> [Int32] {
        var made = SyntheticFolder(isUnigram: isUnigram)
        change(&made)
        var found: [Int32] = []
        try made.with { folder in
            let model = try BuiltInModel(folder: folder)
            found = try TransformerEncoder(model, folder: folder, threadCount: 1).tokenIDs(of: text, limit: 40)
        }
        return found
    }

    private func words(_ text: String, _ change: (inout SyntheticFolder) -> Void = { _ in }) throws -> [Int32] {
        try ids(text, change, isUnigram: false)
    }

    private func pieces(_ text: String, _ change: (inout SyntheticFolder) -> Void = { _ in }) throws -> [Int32] {
        try ids(text, change, isUnigram: true)
    }

    @Test func wordPiecesAreFound() throws {
        #expect(try words("Shipped it!") == [2, 5, 6, 7, 8, 3])
        #expect(try words("it東it") == [2, 7, 9, 7, 3])
        #expect(try words("nothing [MASK] it[SEP]") == [2, 1, 4, 7, 3, 3])
        #expect(try words("") == [2, 3])
    }

    @Test func casedModelsKeepCaseAndAccents() throws {
        let cased = { (made: inout SyntheticFolder) in
            made.tokenizer = SyntheticFolder.wordPiece(SyntheticFolder.wordPieces, lowercase: false)
        }
        #expect(try words("Ship ship SHIP", cased) == [2, 13, 5, 1, 3])
        // Texts that Unicode calls equivalent are two pieces.
        #expect(try words("e\u{301} \u{E9}", cased) == [2, 10, 11, 3])
    }

    @Test func wordsOfTooManyCharactersAreUnknown() throws {
        #expect(try words("ship" + String(repeating: "ped", count: 5)) == [2, 5, 6, 6, 6, 6, 6, 3])
        #expect(try words("ship" + String(repeating: "ped", count: 6)) == [2, 1, 3])
    }

    @Test func unigramPiecesAreFoundWordByWord() throws {
        // ▁ab costs less than ▁a and b.
        #expect(try pieces("ab") == [0, 8, 2])
        #expect(try pieces("  ab  ab ") == [0, 8, 8, 2])
        #expect(try pieces("aqr abc") == [0, 5, 15, 8, 9, 2])
        #expect(try pieces("") == [0, 2])
    }

    @Test func unknownCharactersInARowAreOneToken() throws {
        #expect(try pieces("a?!??b") == [0, 5, 3, 21, 3, 6, 2])
    }

    @Test func addedTokensAreFoundInTheTextAndInTheNormalisedOne() throws {
        #expect(try pieces("a<s>b") == [0, 5, 0, 4, 6, 2])
        #expect(try pieces("a   <mask> b") == [0, 5, 26, 4, 6, 2])
        #expect(
            try pieces("a<MASK>") { $0.tokenizer["normalizer"] = ["type": "Lowercase"] } == [0, 5, 26, 2])
    }

    @Test func normalizersApplyInTheirOrder() throws {
        let steps: [[String: Any]] = [
            ["type": "NFKC"], ["type": "Lowercase"],
            ["type": "Replace", "pattern": ["String": "zz"], "content": "ab"],
            ["type": "Replace", "pattern": ["Regex": " {2,}"], "content": " "], ["type": "Strip"],
        ]
        let change = { (made: inout SyntheticFolder) in
            made.tokenizer["normalizer"] = ["type": "Sequence", "normalizers": steps] as [String: Any]
            made.tokenizer["pre_tokenizer"] = ["type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"]
        }
        #expect(try pieces(" \u{FF21}\u{FF22}   ZZ ", change) == [0, 8, 8, 2])
        let marked = { (made: inout SyntheticFolder) in
            made.tokenizer["pre_tokenizer"] = ["type": "Metaspace", "replacement": "▁"]
        }
        #expect(try pieces("a  b", marked) == [0, 5, 4, 4, 6, 2], "each space is a mark")
    }

    @Test func aMapOfCharactersIsApplied() throws {
        // As the reference does: the shortest sequence that a character starts with stands for all of it.
        let map = Darts(["\u{FB01}": "ab", "x": "y", "\r": " ", "a\u{301}": "b"]).data.base64EncodedString()
        let change = { (made: inout SyntheticFolder) in
            made.tokenizer["normalizer"] = ["type": "Precompiled", "precompiled_charsmap": map]
        }
        #expect(try pieces("\u{FB01}", change) == [0, 8, 2])
        #expect(try pieces("x\u{302}", change) == [0, 4, 12, 2])
        #expect(try pieces("ab\r\nab", change) == [0, 8, 8, 2])
        #expect(try pieces("aa\u{301}", change) == [0, 8, 2])
    }

    @Test func damagedMapsAreRefused() throws {
        let data = Darts(["ab": "b"]).data
        for change in [data.prefix(3), data.prefix(40), Data([255, 255, 255, 255]), Data()] {
            var made = SyntheticFolder(isUnigram: true)
            made.tokenizer["normalizer"] = [
                "type": "Precompiled", "precompiled_charsmap": change.base64EncodedString(),
            ]
            try made.with { folder in
                #expect(throws: EncoderError.malformedFile(file: "tokenizer.json")) {
                    try TransformerEncoder(BuiltInModel(folder: folder), folder: folder, threadCount: 1)
                }
            }
        }
    }

    @Test func tokensKnowTheirWords() async throws {
        var made = SyntheticFolder(isUnigram: true)
        made.tokenizer["normalizer"] = ["type": "NFKC"]
        var opened: TransformerEncoder?
        try made.with { folder in
            opened = try TransformerEncoder(BuiltInModel(folder: folder), folder: folder, threadCount: 1)
        }
        let text = "aqr  \u{FF41}b 東京は"
        let tokens = try await #require(opened).encodeTokens(concurrently: [TokenText(prefix: "x", text: text)])[0]
            .tokens
        let words = tokens.map { token in
            String(decoding: Array(text.utf8)[token.range], as: UTF8.self) + (token.isWord ? "" : "?")
        }
        #expect(words == ["aqr", "aqr", "\u{FF41}b", "?", "東京", "は"])
    }
}

/// A map of characters as SentencePiece writes it, each node's children in their own block of 256 units.
struct Darts {
    let data: Data

    init(_ map: [String: String]) {
        var (units, texts) = ([UInt32](repeating: 0, count: 256), Data())
        func insert(_ keys: [(ArraySlice<UInt8>, Int)], at node: Int) {
            let base = units.count
            units += [UInt32](repeating: 0, count: 256)
            var leaf: UInt32 = 0
            if let own = keys.first(where: { $0.0.isEmpty }) {
                units[base] = 1 << 31 | UInt32(own.1)
                leaf = 1 << 8
            }
            units[node] = units[node] & 0xFF | UInt32(node ^ base) << 10 | leaf
            let children = Dictionary(grouping: keys.filter { !$0.0.isEmpty }) { $0.0.first ?? 0 }
            for (byte, list) in children {
                units[base ^ Int(byte)] = UInt32(byte)
                insert(list.map { ($0.0.dropFirst(), $0.1) }, at: base ^ Int(byte))
            }
        }
        var keys: [(ArraySlice<UInt8>, Int)] = []
        for (key, value) in map {
            keys.append((ArraySlice(key.utf8), texts.count))
            texts += Data(value.utf8) + [0]
        }
        insert(keys, at: 0)
        var bytes = withUnsafeBytes(of: UInt32(units.count * 4).littleEndian) { Data($0) }
        for unit in units { withUnsafeBytes(of: unit.littleEndian) { bytes.append(contentsOf: $0) } }
        data = bytes + texts
    }
}
