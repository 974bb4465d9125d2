import AnswerSupport
import Evaluation
import Foundation
import Testing
import TextAnalysis

@Suite struct SupportMeasureTests {
    private static func labelled(
        _ id: String, _ message: String, _ sentence: String, _ label: Support, kind: String? = nil,
        half: String = "dev",
        language: String = "en"
    ) throws -> SupportCase {
        var object: [String: Any] = [
            "id": id, "half": half, "language": language, "timeZone": "Europe/Berlin", "sentence": sentence,
            "messages": [["sender": "Ada", "sentAt": "2026-10-12T09:14", "text": message]], "label": label.rawValue,
        ]
        object["kind"] = kind
        return try JSONDecoder().decode(SupportCase.self, from: JSONSerialization.data(withJSONObject: object))
    }

    private static let pump = "The pump costs 1,840 euros."

    /// Two right decisions about what is not supported, and one false alarm.
    private static func cases() throws -> [SupportCase] {
        [
            try labelled("a", pump, "The pump costs €1840.", .supported),
            try labelled(
                "b", "Die Pumpe kostet 1.840 Euro.", "Die Pumpe kostet 1.480 Euro.", .contradicted, kind: "number",
                language: "de"),
            try labelled("c", pump, "The library is closed on Sundays.", .partly),
            try labelled("d", pump, "The harvest festival begins soon.", .supported),
        ]
    }

    private let measure = SupportMeasure(encoder: nil, embedder: nil)

    @Test func countsDecisionsByLanguageAndKind() async throws {
        let report = try await measure.report(on: Self.cases(), half: .dev)

        #expect(report.methods.map(\.name) == ["checker with words", "word overlap"])
        let checker = try #require(report.methods.first)
        #expect(checker.all.found == 2 && checker.all.wrong == 1 && checker.all.missed == 0 && checker.all.total == 4)
        #expect(checker.all.precision == 2.0 / 3 && checker.all.recall == 1 && abs(checker.all.f1 - 0.8) < 1e-12)
        #expect(checker.withoutPartly.found == 1 && checker.withoutPartly.total == 3)
        #expect(checker.byLanguage.mapValues(\.total) == ["en": 3, "de": 1])
        #expect(checker.byKind.mapValues(\.total) == ["supported": 2, "number": 1, "partly": 1])
        #expect(checker.byKind["supported"]?.wrong == 1)
    }

    @Test func saysInLinesWhatIsRightByKind() async throws {
        let lines = try await measure.report(on: Self.cases(), half: .dev).lines

        #expect(lines.first == "half dev: precision, recall and F1 of \"not supported\"")
        #expect(lines[1] == "checker with words: 0.667 1.000 0.800 (4), without partly 0.500 1.000 0.667 (3)")
        #expect(lines.contains("  right by kind: number 1/1, partly 1/1, supported 1/2"))
    }

    @Test func takesThresholdsFromTheDevelopmentHalf() async throws {
        let dev = [
            try Self.labelled("a", "The red pump is here.", "The red pump is here.", .supported),
            try Self.labelled("b", "The red pump is here.", "The blue gate is broken.", .unsupported),
        ]
        let test = try Self.labelled(
            "c", "The red pump is here.", "The red gate is here.", .unsupported, half: "test")

        let ofDev = try await measure.report(on: dev + [test], half: .dev)
        let ofTest = try await measure.report(on: dev + [test], half: .test)

        #expect(ofDev.methods.last?.threshold == 1)
        #expect(ofTest.methods.last?.threshold == 1)
        #expect(ofTest.methods.last?.all.found == 1)
        await #expect(throws: EvaluationError.nothingToMeasure("cases of this half")) {
            try await measure.report(on: dev, half: .test)
        }
    }

    @Test func fitsOnTheDevelopmentHalfAlone() async throws {
        let dev = try Self.cases()
        let test = try Self.labelled("e", Self.pump, "The pump costs 7 euros.", .supported, half: "test")

        let fitted = try await measure.fit(on: dev)

        #expect(fitted.withTokens == nil)
        #expect(fitted.withWords == (try await measure.fit(on: dev + [test])).withWords)
    }

    @Test func fitsWeightsOfOneSign() throws {
        let supported = SupportFeatures(uncovered: 0, weakest: 0, scattered: 0, confirmed: 1)
        let pairs = (0..<20).map { place -> (features: SupportFeatures, isUnsupported: Bool) in
            place % 2 == 0 ? (supported, false) : (SupportFeatures(conflicts: 1), true)
        }

        let model = SupportFit.model(pairs)

        for (name, weight) in zip(SupportFeatures.names, model.weights) {
            #expect(name == "confirmed" ? weight <= 0 : weight >= 0, "\(name)")
        }
        #expect(model.score(supported) > 0.9)
        #expect(model.score(SupportFeatures(conflicts: 1)) < 0.1)
    }
}
