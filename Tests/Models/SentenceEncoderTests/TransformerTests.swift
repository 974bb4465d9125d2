import ChatCore
import Foundation
import SentenceEncoder
import Testing

/// The network on small random weights, against a plain computation in double precision.
@Suite struct TransformerTests {
    static let texts = [
        "a", "ab abc", "東京は! xy", "pqr aΩb pqr", "", String(repeating: "ab c ", count: 30), "bbbbbb\u{FB01} !",
    ]

    private func withEncoder(
        _ model: SyntheticModel, threadCount: Int = 1, batchTokenLimit: Int = 512, arithmetic: Arithmetic = .best,
        tokenPrefix: String = "", _ body: (TransformerEncoder, UnigramTokenizer) throws -> Void
    ) throws {
        try withFile(of: model) { url in
            let encoder = try TransformerEncoder(
                file: url, tokenPrefix: tokenPrefix, threadCount: threadCount, batchTokenLimit: batchTokenLimit,
                arithmetic: arithmetic)
            try body(encoder, UnigramTokenizer(QuantizedModelFile(url: url)))
        }
    }

    @Test(arguments: MiniLMEncoderTests.arithmetics, [1, 2])
    func vectorsAgreeWithAPlainComputation(arithmetic: Arithmetic, threadCount: Int) throws {
        let model = SyntheticModel(seed: 7)
        try withEncoder(model, threadCount: threadCount, arithmetic: arithmetic) { encoder, tokenizer in
            #expect(encoder.dimensions == 64)
            #expect(encoder.tokenLimit == 48)
            let vectors = encoder.encode(Self.texts, prefix: "ab! ")

            for (text, vector) in zip(Self.texts, vectors) {
                let expected = model.vector(tokenizer.tokenIDs("ab! " + text, limit: 48))
                #expect(furthest(vector, expected) < 2e-5, "\(text)")
            }
        }
    }

    @Test(arguments: [1, 20, 512]) func batchesDoNotMatter(batchTokenLimit: Int) throws {
        let model = SyntheticModel(seed: 8)
        try withEncoder(model, threadCount: 3, batchTokenLimit: batchTokenLimit) { encoder, tokenizer in
            for (text, vector) in zip(Self.texts, encoder.encode(Self.texts)) {
                #expect(furthest(vector, model.vector(tokenizer.tokenIDs(text, limit: 48))) < 2e-5, "\(text)")
            }
        }
    }

    @Test func tokenStatesAreThoseOfTheTextsOwnTokens() throws {
        let model = SyntheticModel(seed: 9)
        try withEncoder(model, tokenPrefix: "c! ") { encoder, tokenizer in
            let texts = [
                TokenText(prefix: "a", text: "ab abc"), TokenText(text: "東は"), TokenText(prefix: "a", text: ""),
            ]

            let states = encoder.tokenStates(of: texts)

            let wholes = ["c! a: ab abc", "c! 東は", "c! a:"]
            for (place, count) in [3, 3, 0].enumerated() {
                let rows = model.states(tokenizer.tokenIDs(wholes[place], limit: 48)).dropLast().suffix(count)
                #expect(furthest(states[place], rows.flatMap { $0.map(Float.init) }) < 1e-4, "\(wholes[place])")
            }
        }
    }

    @Test func tokenVectorsHaveTheirWords() async throws {
        let model = SyntheticModel(seed: 10)
        let folder = FileManager.default.temporaryDirectory.appending(path: "encoder-\(UUID().uuidString)")
        try model.data.write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let encoder = try TransformerEncoder(file: folder, tokenPrefix: "", threadCount: 2)

        let found = try await encoder.encodeTokens(concurrently: [TokenText(prefix: "a", text: "abc ab")])

        #expect(found.map(\.dimensions) == [64])
        #expect(found.first?.tokens.map(\.range) == [0..<3, 0..<3, 4..<6])
        #expect(found.first?.tokens.map(\.isWord) == [true, true, true])
    }

    @Test func textsAreCutToThePositions() throws {
        try withEncoder(SyntheticModel(seed: 11)) { encoder, _ in
            let head = String(repeating: "ab ", count: 45) + "ab"
            let vectors = encoder.encode([head, head + " xy pqr", head + " c"])
            #expect(encoder.tokenCount(of: head) == 48)
            #expect(furthest(vectors[0], vectors[1]) < 1e-6)
            #expect(furthest(vectors[0], vectors[2]) < 1e-6)
        }
    }
}
