import ChatCore
import Foundation
import SentenceEncoder
import Testing

@Suite struct TokenEncodingTests {
    @Test(arguments: MiniLMEncoderTests.arithmetics, [1, 2])
    func statesAgreeWithTheReference(arithmetic: Arithmetic, threadCount: Int) throws {
        let references = try Fixture.tokenReferences()
        let encoder = try Fixture.encoder(threadCount: threadCount, arithmetic: arithmetic)

        let states = encoder.tokenStates(of: references.map { TokenText(prefix: $0.prefix, text: $0.text) })

        #expect(states.count == references.count)
        for (reference, rows) in zip(references, states) {
            #expect(rows.count == reference.tokens.count * BuiltInModel.miniLM.dimensions)
            for (place, token) in reference.tokens.enumerated() {
                let row = Array(
                    rows[place * BuiltInModel.miniLM.dimensions..<(place + 1) * BuiltInModel.miniLM.dimensions])
                let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
                #expect(furthest(row.map { $0 / length }, token.vector) < 1e-5, "\(token.piece)")
            }
        }
    }

    /// One component of most tokens is about 0.8, so that a code is worth 0.0063.
    @Test func roundedVectorsAreCloseToTheReference() async throws {
        let references = try Fixture.tokenReferences()
        let encoder = try Fixture.encoder()

        let encoded = try await encoder.encodeTokens(
            concurrently: references.map { TokenText(prefix: $0.prefix, text: $0.text) })

        for (reference, vectors) in zip(references, encoded) {
            #expect(vectors.count == reference.tokens.count)
            #expect(vectors.dimensions == BuiltInModel.miniLM.dimensions)
            for (place, token) in reference.tokens.enumerated() {
                let vector = vectors.vector(at: place)
                #expect(furthest(vector, token.vector) < 3.5e-3, "\(token.piece)")
                #expect(cosine(vector, token.vector) > 0.999, "\(token.piece)")
                #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
            }
        }
    }

    @Test func tokensKnowTheirWords() async throws {
        let references = try Fixture.tokenReferences()
        let punctuation: Set = ["-", ",", "'", ".", "?", ":", "\u{201C}", "\u{201D}"]
        let unknown: Set = ["[UNK]", "[MASK]"]

        let encoded = try await Fixture.encoder().encodeTokens(
            concurrently: references.map { TokenText(prefix: $0.prefix, text: $0.text) })

        for (reference, vectors) in zip(references, encoded) {
            let expected = reference.tokens.map {
                EncodedToken(
                    range: $0.start..<$0.end, isWord: !punctuation.contains($0.piece) && !unknown.contains($0.piece))
            }
            #expect(vectors.tokens == expected)
        }
    }

    @Test func prefixChangesTheVectorsButHasNone() async throws {
        let texts = [TokenText(text: "see you there"), TokenText(prefix: "Ana", text: "see you there")]

        let encoded = try await Fixture.encoder().encodeTokens(concurrently: texts)

        #expect(encoded.map(\.count) == [3, 3])
        #expect(encoded[0].tokens == encoded[1].tokens)
        #expect(cosine(encoded[0].vector(at: 0), encoded[1].vector(at: 0)) < 0.999)
    }

    @Test func textsAreCutButNotDisplacedByTheirPrefix() async throws {
        let long = String(repeating: "word ", count: 300)
        let texts = [TokenText(text: long), TokenText(prefix: "Ana", text: long), TokenText(prefix: long, text: long)]

        let encoded = try await Fixture.encoder().encodeTokens(concurrently: texts)

        let room = BuiltInModel.miniLM.tokenLimit - 2
        #expect(encoded.map(\.count) == [room, room - 2, room - TransformerEncoder.prefixTokenLimit])
        #expect(encoded[2].tokens.last?.range == 189 * 5..<189 * 5 + 4)
    }

    @Test func resultDoesNotDependOnTheOthers() async throws {
        let texts = try Fixture.references().prefix(40).map { TokenText(prefix: "Sam", text: $0.text) }
        let encoder = try Fixture.encoder()

        let together = try await encoder.encodeTokens(concurrently: texts)

        for (text, vectors) in zip(texts, together) {
            #expect(try await encoder.encodeTokens(concurrently: [text]) == [vectors], "\(text.text.prefix(40))")
        }
    }

    @Test func noTextsGiveNothing() async throws {
        #expect(try await Fixture.encoder().encodeTokens(concurrently: []).isEmpty)
    }

    @Test func builtInEmbedderEncodesTokens() async throws {
        let encoder: any TokenEncoder = BuiltInEmbedder(folder: Fixture.modelFolder, threadCount: 2)
        let texts = [TokenText(prefix: "Ana", text: "lunch at noon?")]
        #expect(try await encoder.tokenVectors(of: texts) == Fixture.encoder().encodeTokens(concurrently: texts))
    }

    @Test func missingModelIsMisconfigured() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "no-model-\(UUID().uuidString)")
        let encoder = BuiltInEmbedder(folder: folder, threadCount: 1)
        let reason = "the sentence model in \(folder.path) is missing or damaged: nexus model fetch"
        await #expect(throws: ModelServiceError.misconfigured(reason: reason)) {
            try await encoder.tokenVectors(of: [TokenText(text: "hello")])
        }
    }

    @Test func cancelledTaskThrows() async throws {
        let encoder = try Fixture.encoder()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await encoder.encodeTokens(concurrently: [TokenText(text: "a text that is not wanted")])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
