import ChatCore
import Foundation
import SentenceEncoder
import Testing
import TextAnalysis

/// The built-in embedder says how long a passage may be, by its own tokenizer.
@Suite struct PassageLimitTests {
    private func pieces(
        _ text: String, by name: String = "", limit: Int = BuiltInModel.miniLM.tokenLimit
    ) async throws -> [PassagePreparation.Piece] {
        let embedder = BuiltInEmbedder(folder: Fixture.modelFolder, threadCount: 1, passageTokenLimit: limit)
        return PassagePreparation.pieces(
            senderName: name, searchableText: text, limit: try await embedder.passageLimit())
    }

    @Test func aTextThatTheModelReadsAsAWholeIsOnePassage() async throws {
        let text = String(repeating: "word ", count: 254)

        #expect(try await pieces(text).count == 1)
        #expect(try await pieces(text + "more").count == 2)
        // Name and colon are two tokens more.
        #expect(try await pieces(String(repeating: "word ", count: 252), by: "ada").count == 1)
        #expect(try await pieces(String(repeating: "word ", count: 253), by: "ada").count == 2)
        #expect(try await pieces(String(repeating: "word ", count: 100), limit: 64).count == 2)
        #expect(try await pieces(String(repeating: "word ", count: 255), limit: 512).count == 2)
    }

    @Test(arguments: [
        "The pilot comes at five, and the berth is free. ", "Größere Schiffe dürfen erst ab 6. März einlaufen. ",
        "배가 아홉 시에 떠난다. ", "船は九時に出る。", "ท่าเรือเปิดเก้าโมงเช้า", "Корабль уходит в девять. ", "👩‍👩‍👧‍👦🚢",
        "aGVsbG8gd29ybGQhaGVsbG8gd29ybGQ", "1234567890.12 ", "[SEP] ", "x?y=1&z=2/",
    ])
    func theModelReadsAllOfEveryPassage(sample: String) async throws {
        let encoder = try Fixture.encoder(threadCount: 1)
        let text = String(repeating: sample, count: 4_000 / sample.utf8.count)

        let pieces = try await pieces(text, by: "Grace Hopper")

        #expect(pieces.allSatisfy { encoder.tokenCount(of: $0.text) <= BuiltInModel.miniLM.tokenLimit })
        #expect(pieces.first?.range.lowerBound == 0)
        #expect(pieces.last?.range.upperBound == text.utf8.count)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.range.upperBound >= $1.range.lowerBound })
    }
}
