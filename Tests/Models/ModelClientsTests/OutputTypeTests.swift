import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

/// Replies as the public descriptions of Voyage, Mistral, Jina and Cohere have them: integers, packed bits, base64.
@Suite(.hangGuard) struct OutputTypeTests {
    private func reply(_ embedding: String) -> StubResponse {
        .text(#"{"data":[{"index":0,"embedding":\#(embedding)}]}"#, headers: [("Content-Type", "application/json")])
    }

    private func vector(
        _ type: String, _ embedding: String, dimensions: Int? = nil, usesBase64: Bool = false
    ) async throws -> [Float] {
        let server = try StubServer(reply(embedding))
        let type = try #require(OutputType(type))
        let embedder = try makeEmbedder(server, dimensions: dimensions) {
            $0.outputType = type
            $0.usesBase64 = usesBase64
        }
        return try await embedder.embedQuery("q")
    }

    private func unit(_ numbers: [Float]) -> [Float] {
        let norm = numbers.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        return numbers.map { Float(Double($0) / norm) }
    }

    /// The signs of a byte, the first in the highest bit.
    private func signs(_ bytes: UInt8...) -> [Float] {
        bytes.flatMap { byte in (0..<8).map { byte & (0x80 >> $0) == 0 ? -1 : 1 } }
    }

    @Test(arguments: [
        ("int8", "[-128, 0, 3, 127]", [Float(-128), 0, 3, 127]),
        ("output_dtype=uint8", "[0, 128, 131, 255]", [-128, 0, 3, 127]),
        ("embedding_types=int8", #"{"float": [0.5, 0.5], "int8": [3, -4]}"#, [3, -4]),
        ("int8", #""gAADfw==""#, [-128, 0, 3, 127]),
        ("uint8", #""AICD\/w==""#, [-128, 0, 3, 127]),
    ])
    func integersAreComponents(type: String, embedding: String, expected: [Float]) async throws {
        #expect(try await vector(type, embedding) == unit(expected))
    }

    @Test(arguments: [
        ("ubinary", "[176, 5]"), ("embedding_type=binary", "[48, -123]"), ("ubinary", #""sAU=""#),
        ("binary", #""MIU=""#), ("embedding_types=ubinary", #"{"ubinary": [176, 5]}"#),
    ])
    func packedBitsAreSigns(type: String, embedding: String) async throws {
        let expected = unit(signs(0b1011_0000, 0b0000_0101))

        #expect(try await vector(type, embedding) == expected)
        #expect(try await vector(type, embedding, dimensions: 16) == expected)
        #expect(
            try await vector(type, embedding, dimensions: 12) == unit(Array(signs(0b1011_0000, 0b0000_0101).prefix(12)))
        )
        let error = await serviceError { _ = try await vector(type, embedding, dimensions: 24) }
        #expect(error == .invalidReply(reason: "a vector of 16 dimensions instead of 24"))
    }

    @Test func aNumberForEachBitIsTakenToo() async throws {
        #expect(try await vector("binary", "[1, 0, 0, 1]", dimensions: 4) == unit([1, -1, -1, 1]))
        #expect(try await vector("ubinary", "[1, -1, -1, 1]", dimensions: 4) == unit([1, -1, -1, 1]))
    }

    /// A service that does not know the field sends floats.
    @Test(arguments: OutputType.Numbers.allCases) func floatsStay(numbers: OutputType.Numbers) async throws {
        let floats: [Float] = (0..<16).map { Float($0 % 5) * 0.25 - 0.4 }
        let text = "\(floats)"
        let bytes = floats.withUnsafeBytes { Data($0) }.base64EncodedString()

        #expect(try await vector(numbers.rawValue, text) == unit(floats))
        #expect(try await vector(numbers.rawValue, text, dimensions: 16) == unit(floats))
        #expect(try await vector(numbers.rawValue, "\"\(bytes)\"") == unit(floats))
        #expect(try await vector(numbers.rawValue, "\"\(bytes)\"", dimensions: 16) == unit(floats))
    }

    /// Rounded vectors keep the order of cosines, and bits nearly.
    @Test(arguments: [("int8", 0.001), ("uint8", 0.001), ("binary", 0.15), ("ubinary", 0.15)])
    func cosinesStay(type: String, tolerance: Double) async throws {
        var state: UInt64 = 9
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
        }
        func noisy(_ base: [Float]) -> [Float] { base.map { $0 + 0.4 * random() } }
        func cosine(_ a: [Float], _ b: [Float]) -> Double {
            zip(unit(a), unit(b)).reduce(0) { $0 + Double($1.0 * $1.1) }
        }
        let base = (0..<512).map { _ in random() }
        let vectors = [noisy(base), noisy(base), (0..<512).map { _ in random() }]

        var read: [[Float]] = []
        for vector in vectors {
            let numbers: [Int]
            switch type {
            case "int8": numbers = vector.map { Int(($0 / 1.4 * 127).rounded()) }
            case "uint8": numbers = vector.map { Int(($0 / 1.4 * 127).rounded()) + 128 }
            default:
                numbers = stride(from: 0, to: vector.count, by: 8).map { start in
                    (0..<8).reduce(0) { $0 << 1 | (vector[start + $1] > 0 ? 1 : 0) } - (type == "binary" ? 128 : 0)
                }
            }
            read.append(try await self.vector(type, "\(numbers)"))
        }

        #expect(read.allSatisfy { $0.count == 512 })
        for (a, b) in [(0, 1), (0, 2)] {
            #expect(abs(cosine(read[a], read[b]) - cosine(vectors[a], vectors[b])) < tolerance)
        }
    }

    @Test func aVectorOfZerosIsStillRefused() async throws {
        let error = await serviceError { _ = try await vector("int8", "[0, 0, 0]") }
        #expect(error == .invalidReply(reason: "a vector of zeros"))
    }

    @Test(arguments: ["", "int4", "=int8", "output_dtype=", "dtype=int8", "a=b=int8", "output_dtype=int8 "])
    func otherTextsAreNoTypes(text: String) {
        #expect(OutputType(text) == nil)
    }
}

/// What is asked for.
extension OutputTypeTests {
    private func fields(
        model: String = "m", dimensions: Int? = 64, _ change: (inout EmbeddingServiceSettings) -> Void
    ) async throws -> [String: Any] {
        let server = try StubServer { .embeddings(for: $0, dimensions: 64) }
        let embedder = try makeEmbedder(server, dimensions: dimensions) {
            $0.model = model
            change(&$0)
        }
        _ = try await embedder.embedQuery("q")
        var fields = try #require(server.requests.first?.json)
        fields["input"] = nil
        fields["model"] = nil
        return fields
    }

    @Test func theFieldsOfEachServiceAreSent() async throws {
        let voyage = try await fields { $0.outputType = OutputType("int8") }
        #expect(voyage.keys.sorted() == ["output_dimension", "output_dtype"])
        #expect(voyage["output_dtype"] as? String == "int8" && voyage["output_dimension"] as? Int == 64)
        let short = try await fields {
            $0.outputType = OutputType("ubinary")
            $0.usesBase64 = true
        }
        #expect(short["encoding_format"] as? String == "base64")
        let jina = try await fields {
            $0.outputType = OutputType("embedding_type=binary")
            $0.inputTypes = InputTypes("task=retrieval.query/retrieval.passage")
        }
        #expect(jina.keys.sorted() == ["dimensions", "embedding_type", "task"])
        #expect(jina["embedding_type"] as? String == "binary" && jina["task"] as? String == "retrieval.query")
        let cohere = try await fields { $0.outputType = OutputType("embedding_types=uint8") }
        #expect(cohere["embedding_types"] as? [String] == ["uint8"])
    }

    /// Voyage refuses `dimensions`, and `encoding_format: float`.
    @Test func aModelsOwnFieldsAreKnown() async throws {
        let voyage = try await fields(model: "voyage-3.5") { _ in }
        #expect(voyage.keys.sorted() == ["output_dimension", "output_dtype"])
        #expect(voyage["output_dtype"] as? String == "float")
        let other = try await fields { _ in }
        #expect(other.keys.sorted() == ["dimensions", "encoding_format"])
    }

    @Test func typesArePartOfTheSpace() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        func space(_ change: (inout EmbeddingServiceSettings) -> Void) async throws -> EmbeddingSpace {
            try await makeEmbedder(server, dimensions: 4) {
                $0.queryPrefix = "q: "
                change(&$0)
            }.space()
        }
        let plain = try await space { _ in }
        #expect(try await space { $0.outputType = OutputType("float") } == plain, "floats are the usual numbers")
        for (types, output) in [
            (nil, "int8"), ("query/passage", "embedding_type=ubinary"), ("task=a.q/a.p", nil), ("task=a.q/a.p", "int8"),
        ] {
            let (types, output) = (types.flatMap { InputTypes($0) }, output.flatMap { OutputType($0) })
            let found = try await space {
                $0.inputTypes = types
                $0.outputType = output
            }
            #expect(found != plain)
            let read = InputTypes.read(queryPrefix: found.queryPrefix, passagePrefix: found.passagePrefix)
            #expect(read.types == types && read.output == output)
            #expect(read.queryPrefix == "q: " && read.passagePrefix == "")
        }
    }

    @Test(arguments: ["model=a/b", "task=a", "=a/b", "a=b=c/d", "input=q/p", "embedding_type=q/p"])
    func otherTextsAreNoInputTypes(text: String) {
        #expect(InputTypes(text) == nil)
    }

    @Test func hostedModelsHavePresets() throws {
        let jina = try #require(EmbeddingPreset.of(model: "jina-embeddings-v3"))
        #expect(jina.inputType.flatMap { InputTypes($0) }?.field == "task")
        #expect(jina.queryPrefix == "" && jina.passagePrefix == "")
        #expect(EmbeddingPreset.of(model: "jina-embeddings-v2-base-en")?.inputType == nil)
        for preset in EmbeddingPreset.all {
            if let type = preset.inputType { #expect(InputTypes(type) != nil, "\(type)") }
        }
        #expect(EmbeddingPreset.of(model: "e5-mistral-7b-instruct")?.models == "e5 with instructions")
        #expect(EmbeddingPreset.of(model: "mistral-embed")?.models == "Mistral mistral-embed")
    }
}
