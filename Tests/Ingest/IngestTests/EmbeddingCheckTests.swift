import ChatCore
import Ingest
import Synchronization
import TestSupport
import Testing

@Suite struct EmbeddingCheckTests {
    /// Puts each question of the probe near its answer; other texts are apart, by their bytes.
    private struct Planted: Embedder {
        /// How it differs from a good service.
        enum Flaw { case none, blind, cuts, reverses, mixes, needsPrefix }

        static let dimensions = 512
        var flaw = Flaw.none
        var queryPrefix = ""

        func space() async throws -> EmbeddingSpace {
            EmbeddingSpace(provider: "fake", model: "planted", dimensions: Self.dimensions, queryPrefix: queryPrefix)
        }

        private static let pairs = ScaleProbe.standard.parts.flatMap { zip($0.questions, $0.answers) }

        private func vector(_ text: String, _ purpose: EmbeddingPurpose) -> [Float] {
            var components = [Float](repeating: 0, count: Self.dimensions)
            let knowsPair = flaw != .blind && (flaw != .needsPrefix || purpose == .passage || queryPrefix == "query: ")
            if knowsPair, let place = Self.pairs.firstIndex(where: { $0.0 == text || $0.1 == text }) {
                components[place] = 1
            }
            let read = flaw == .cuts ? text.prefix(400) : text[...]
            var hash: UInt64 = 14_695_981_039_346_656_037
            for byte in read.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
            for _ in 0..<48 {
                components[Int(hash % UInt64(Self.dimensions))] += hash >> 40 & 1 == 0 ? 0.1 : -0.1
                hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                hash ^= hash >> 29
            }
            let length = components.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return components.map { $0 / length }
        }

        func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
            var vectors = texts.map { vector($0, purpose) }
            // Texts of the probe come in batches, too.
            let isProbe = texts.contains { text in
                Self.pairs.contains { $0.0 == text || $0.1 == text }
                    || ScaleProbe.standard.parts.contains { $0.messages.contains(text) && texts.count > 5 }
            }
            if flaw == .reverses, texts.count > 1, !isProbe { vectors.reverse() }
            if flaw == .mixes, texts.count > 1, !isProbe {
                vectors = vectors.map { vector in zip(vector, vectors[0]).map { ($0 + $1) / 2 } }
            }
            return EmbeddingReply(outcomes: vectors.map { .vector($0) })
        }
    }

    private func faults(of flaw: Planted.Flaw, variants: [Planted] = []) async throws -> [EmbeddingCheck.Fault] {
        try await EmbeddingCheck(
            of: Planted(flaw: flaw), variants: variants, passageTokenCount: 512, batchCount: 32
        ).faults
    }

    @Test func aGoodServiceHasNoFaults() async throws {
        let check = try await EmbeddingCheck(
            of: Planted(), variants: [Planted(queryPrefix: "query: ")], passageTokenCount: 512, batchCount: 32)

        #expect(check.faults.isEmpty)
        #expect(check.distance > 3)
        #expect(check.pairs.map(\.relation) == ["paraphrase", "translation", "answer", "unrelated"])
    }

    @Test func aModelThatKnowsNoAnswersIsCollapsed() async throws {
        #expect(try await faults(of: .blind) == [.collapsed])
    }

    @Test func aServiceThatCutsTextsIsToldByItsLength() async throws {
        // 400 characters are less than the 104 tokens that the second text repeats.
        #expect(try await faults(of: .cuts) == [.cutsTexts(tokenCount: 128)])
    }

    @Test func batchesMustBeLikeSingleRequests() async throws {
        #expect(try await faults(of: .reverses) == [.otherOrder])
        #expect(try await faults(of: .mixes) == [.dependsOnBatch])
    }

    @Test func prefixesThatDoBetterAreNamed() async throws {
        let variants = ["search_query: ", "query: "].map { Planted(flaw: .needsPrefix, queryPrefix: $0) }
        let found = try await faults(of: .needsPrefix, variants: variants)

        #expect(found.map(\.word) == ["collapsed", "prefixes"])
        guard case .betterPrefixes("query: ", "", let distance)? = found.last else {
            Issue.record("\(found)")
            return
        }
        #expect(distance > 3)
    }
}
