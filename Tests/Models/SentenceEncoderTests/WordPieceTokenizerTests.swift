import Crypto
import Foundation
import SentenceEncoder
import Testing

@Suite struct WordPieceTokenizerTests {
    @Test func idsEqualTheReference() throws {
        let tokenizer = try Fixture.tokenizer()
        let references = try Fixture.references()

        #expect(references.count >= 28)
        for reference in references {
            #expect(tokenizer.tokenIDs(reference.text) == reference.ids, "\(reference.text.prefix(40))")
        }
    }

    /// Each scalar between two letters, compared by digest in blocks of 4,096.
    @Test func everyScalarIsTreatedAsInTheReference() throws {
        let tokenizer = try Fixture.tokenizer()
        let blocks = try Fixture.scalarBlocks()

        #expect(blocks.count >= 64)
        for block in blocks {
            var lines = ""
            for scalar in (block.start..<block.start + 0x1000).compactMap(Unicode.Scalar.init) {
                lines += tokenizer.tokenIDs("a\(scalar)b").map(String.init).joined(separator: " ") + "\n"
            }
            let digest = SHA256.hash(data: Data(lines.utf8)).map { String(format: "%02x", $0) }.joined()
            #expect(digest == block.sha256, "block from U+\(String(block.start, radix: 16))")
        }
    }

    @Test func cutsToTheLimitWithStartAndEnd() throws {
        let tokenizer = try Fixture.tokenizer()

        #expect(tokenizer.tokenIDs("one two three", limit: 2) == [101, 102])
        #expect(tokenizer.tokenIDs("one two three", limit: 4) == [101, 2028, 2048, 102])
        #expect(tokenizer.tokenIDs("one two three", limit: 5) == [101, 2028, 2048, 2093, 102])
        #expect(tokenizer.tokenIDs("one two three", limit: 6) == [101, 2028, 2048, 2093, 102])
        #expect(tokenizer.tokenIDs("", limit: 256) == [101, 102])
    }

    @Test func countsTokensBeyondTheLimit() throws {
        let tokenizer = try Fixture.tokenizer()
        #expect(tokenizer.tokenCount(String(repeating: "word ", count: 1_000)) == 1_002)
        #expect(tokenizer.vocabularyCount == 30_522)
    }

    @Test func longTextIsReadOnlyAsFarAsNeeded() throws {
        let tokenizer = try Fixture.tokenizer()
        let long = String(repeating: "word ", count: 200_000)
        #expect(tokenizer.tokenIDs(long) == [101] + Array(repeating: 2773, count: 254) + [102])
    }

    @Test func missingVocabularyIsUnreadable() throws {
        try withTemporaryFolder { folder in
            #expect(throws: EncoderError.unreadable(file: "vocab.txt")) {
                try WordPieceTokenizer(vocabulary: folder.appending(path: "vocab.txt"))
            }
        }
    }

    @Test(arguments: [
        Data(), Data("[PAD]\n[UNK]\n[CLS]\n[SEP]\n".utf8), Data([0x5B, 0xFF, 0xFE, 0x0A]),
    ])
    func malformedVocabularyIsRefused(content: Data) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "vocab.txt")
            try content.write(to: url)
            #expect(throws: EncoderError.malformedVocabulary(file: "vocab.txt")) {
                try WordPieceTokenizer(vocabulary: url)
            }
        }
    }

    @Test func smallVocabularyGivesLongestPiecesOrUnknown() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "vocab.txt")
            let pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "unh", "##able", "##a", "##ble", ","]
            try Data(pieces.joined(separator: "\n").utf8).write(to: url)
            let tokenizer = try WordPieceTokenizer(vocabulary: url)

            #expect(tokenizer.vocabularyCount == 11)
            #expect(tokenizer.tokenIDs("Unable,unhable unhx [MASK]") == [2, 5, 7, 10, 6, 7, 1, 4, 3])
        }
    }
}
