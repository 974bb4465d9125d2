package import ChatCore

/// What a few known texts show of an embedding model and of the service that runs it.
package struct EmbeddingCheck: Encodable, Sendable {
    /// Something that makes searches worse, and what to do.
    package enum Fault: Encodable, Sendable, Hashable {
        /// Answers are no nearer to their questions than other messages.
        case collapsed
        /// Answers stand out more with other prefixes.
        case betterPrefixes(query: String, passage: String, distance: Double)
        /// The end of a text of so many tokens does not count.
        case cutsTexts(tokenCount: Int)
        /// A batch returns the vectors of other texts.
        case otherOrder
        /// A text has another vector in a batch than alone.
        case dependsOnBatch

        /// One word for programs.
        package var word: String {
            switch self {
            case .collapsed: "collapsed"
            case .betterPrefixes: "prefixes"
            case .cutsTexts: "truncation"
            case .otherOrder: "order"
            case .dependsOnBatch: "batch"
            }
        }

        /// Writes the word.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(word)
        }
    }

    /// Two texts of known relation.
    package struct Pair: Encodable, Sendable {
        /// `paraphrase`, `translation`, `answer` or `unrelated`.
        package let relation: String
        /// The cosine of their vectors.
        package let cosine: Double
        /// The cosine that would say the same in the space of the built-in English encoder.
        package let onReference: Double
    }

    /// The space of the vectors.
    package let space: EmbeddingSpace
    /// What cosines say in it.
    package let scale: CosineScale
    /// How far answers are above other messages, in standard deviations of these.
    package let distance: Double
    /// Texts of known relation.
    package let pairs: [Pair]
    /// What makes searches worse.
    package let faults: [Fault]

    /// A distance below this says nothing: chance gives as much with the few texts.
    private static let leastDistance = 0.75
    /// Other prefixes must be this much better, since a few texts decide.
    private static let leastGain = 1.15
    /// Vectors this near are the same: base64 and floats of services differ less.
    private static let sameCosine = 0.999

    private static let known: [(relation: String, question: String, text: String)] = [
        ("paraphrase", "The meeting was moved to Friday.", "We will meet on Friday instead."),
        ("translation", "The meeting was moved to Friday.", "Die Besprechung wurde auf Freitag verlegt."),
        ("answer", "When is the meeting?", "We will meet on Friday instead."),
        ("unrelated", "When is the meeting?", "The cat sleeps on the warm roof of the shed."),
    ]

    /// Embeds the known texts.
    ///
    /// - Parameters:
    ///   - embedder: Makes the vectors, as the settings say.
    ///   - variants: Embedders of the same model with other prefixes.
    ///   - passageTokenCount: The length of a passage by the settings, in tokens.
    ///   - batchCount: The most texts of a request.
    /// - Throws: ``ModelServiceError``.
    package init(
        of embedder: any Embedder, variants: [any Embedder], passageTokenCount: Int, batchCount: Int
    ) async throws {
        space = try await embedder.space()
        let measured = try await ScaleProbe.standard.measure(embedder, in: space, batchCount: batchCount)
        (scale, distance) = (measured.scale, measured.distance)
        var faults: [Fault] = []
        if distance < Self.leastDistance { faults.append(.collapsed) }
        if let better = try await Self.better(variants, than: distance, batchCount) { faults.append(better) }
        if let cut = try await Self.cut(by: embedder, upTo: passageTokenCount) { faults.append(cut) }
        var texts = KnownTexts(embedder, in: space, batchCount: batchCount)
        if let fault = try await Self.batchFault(in: &texts) { faults.append(fault) }
        self.faults = faults
        let questions = try await texts.vectors(of: Self.known.map(\.question), as: .query)
        let answers = try await texts.vectors(of: Self.known.map(\.text), as: .passage)
        pairs = zip(Self.known, zip(questions, answers)).map { known, vectors in
            let cosine = KnownTexts.cosine(vectors.0, vectors.1)
            return Pair(relation: known.relation, cosine: cosine, onReference: measured.scale.onReference(cosine))
        }
    }

    private static func better(
        _ variants: [any Embedder], than distance: Double, _ batchCount: Int
    ) async throws -> Fault? {
        var best: (space: EmbeddingSpace, distance: Double)?
        for variant in variants {
            let space = try await variant.space()
            let found = try await ScaleProbe.standard.measure(variant, in: space, batchCount: batchCount).distance
            if found > max(distance, 0) * leastGain, found > best?.distance ?? leastDistance {
                best = (space, found)
            }
        }
        return best.map {
            .betterPrefixes(query: $0.space.queryPrefix, passage: $0.space.passagePrefix, distance: $0.distance)
        }
    }

    /// Whether two long texts that differ at their ends get the same vector; a service that refuses them is right.
    private static func cut(by embedder: any Embedder, upTo tokenCount: Int) async throws -> Fault? {
        for length in [64, 128, 256, 512, 1_024, 2_048, 4_096] where length <= tokenCount || length == 64 {
            // Short words are one token in every vocabulary.
            let start = Array(repeating: "the sea is wide and", count: max(1, (length - 24) / 5)).joined(separator: " ")
            let ends = [
                " the crane was sold to a bakery for nine hundred", " my aunt plays chess with the night nurse",
            ]
            let reply = try await embedder.embed(ends.map { start + $0 }, as: .passage)
            guard case .vector(let one)? = reply.outcomes.first, case .vector(let other)? = reply.outcomes.last else {
                return nil
            }
            if KnownTexts.cosine(one, other) > 0.999_999 { return .cutsTexts(tokenCount: length) }
        }
        return nil
    }

    private static func batchFault(in texts: inout KnownTexts) async throws -> Fault? {
        let mixed = [
            "short", "The landlord wants the rent by bank transfer from now on, and before the third of each month.",
            "昼食はスープです。", "Bitte nicht vor der Laderampe parken.", "Ok, see you tomorrow.",
        ]
        let together = try await texts.vectors(of: mixed, as: .passage)
        var alone: [[Float]] = []
        for text in mixed { alone += try await texts.vectors(of: [text], as: .passage) }
        func areSame(_ one: Int, _ other: Int) -> Bool { KnownTexts.cosine(together[one], alone[other]) > sameCosine }
        if mixed.indices.allSatisfy({ areSame($0, $0) }) { return nil }
        let isMixed = mixed.indices.contains { one in mixed.indices.contains { $0 != one && areSame(one, $0) } }
        return isMixed ? .otherOrder : .dependsOnBatch
    }
}
