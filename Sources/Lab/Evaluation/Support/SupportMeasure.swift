package import AnswerSupport
package import ChatCore
import Foundation
import TextAnalysis

/// Checks labelled sentences with the support checker, and with the plain methods that it must beat.
package struct SupportMeasure: Sendable {
    private let encoder: (any TokenEncoder)?
    private let embedder: (any Embedder)?

    /// - Parameters:
    ///   - encoder: The vectors of tokens; nil leaves out the method that needs them.
    ///   - embedder: The vectors of texts; nil leaves out the plain cosine.
    package init(encoder: (any TokenEncoder)?, embedder: (any Embedder)?) {
        (self.encoder, self.embedder) = (encoder, embedder)
    }

    /// Measures one half; the thresholds of the plain methods are those with the best F1 on the development half.
    ///
    /// - Throws: Errors of the encoders, ``EvaluationError/nothingToMeasure(_:)``.
    package func report(on all: [SupportCase], half: SupportCase.Half) async throws -> SupportReport {
        let cases = all.filter { $0.half == half }
        guard !cases.isEmpty else { throw EvaluationError.nothingToMeasure("cases of this half") }
        let dev = all.filter { $0.half == .dev }
        var scores: [(name: String, scores: [Double])] = []
        var thresholds: [String: Double] = [:]
        for (name, encoder) in [("checker with tokens", encoder), ("checker with words", nil)] {
            if encoder == nil, name != "checker with words" { continue }
            let checked = try await Self.checked(cases, with: SupportChecker(encoder: encoder))
            scores.append((name, checked.map { $0?.support ?? .supported == .supported ? 1 : 0 }))
            thresholds[name] = 0.5
        }
        for (name, score) in [("cosine", cosines), ("word overlap", overlaps)] {
            guard let own = try await score(cases), let known = half == .dev ? own : try await score(dev) else {
                continue
            }
            scores.append((name, own))
            thresholds[name] = Self.bestThreshold(known, dev)
        }
        return SupportReport(cases, half: half, scores: scores, thresholds: thresholds)
    }

    /// Fits the weights of ``SupportModel`` on the development half.
    package func fit(on all: [SupportCase]) async throws -> (withTokens: SupportModel?, withWords: SupportModel) {
        let dev = all.filter { $0.half == .dev }
        func model(_ encoder: (any TokenEncoder)?) async throws -> SupportModel {
            let checked = try await Self.checked(dev, with: SupportChecker(encoder: encoder))
            let pairs = zip(dev, checked).compactMap { labelled, sentence in
                sentence?.features.map { ($0, labelled.label != .supported) }
            }
            return SupportFit.model(pairs)
        }
        return (encoder == nil ? nil : try await model(encoder), try await model(nil))
    }

    private static func checked(
        _ cases: [SupportCase], with checker: SupportChecker
    ) async throws -> [SentenceSupport?] {
        var checked: [SentenceSupport?] = []
        for labelled in cases {
            let sentences = try await checker.check(
                answer: labelled.sentence, citations: [], sources: labelled.sources, language: labelled.language)
            checked.append(sentences.first)
        }
        return checked
    }

    /// The greatest cosine of a sentence with one of the messages, or with all of them in one text.
    private func cosines(_ cases: [SupportCase]) async throws -> [Double]? {
        guard let embedder else { return nil }
        var cosines: [Double] = []
        for labelled in cases {
            let said = labelled.messages.map { "\($0.sender): \($0.text)" }
            let texts = [labelled.sentence] + said + (said.count > 1 ? [said.joined(separator: "\n")] : [])
            let vectors = try await embedder.embed(texts, as: .query).outcomes.map { outcome -> [Float] in
                if case .vector(let vector) = outcome { vector } else { [] }
            }
            let products = vectors.dropFirst().map { vector in
                zip(vectors[0], vector).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            }
            cosines.append(products.max() ?? 0)
        }
        return cosines
    }

    /// The share of a sentence's content words that the messages or their senders' names have.
    private func overlaps(_ cases: [SupportCase]) async throws -> [Double]? {
        cases.map { labelled in
            let given = Set(
                labelled.messages.flatMap {
                    TextAnalyzer.terms(of: "\($0.sender) \($0.text)", language: labelled.language)
                })
            let terms = TextAnalyzer.terms(of: labelled.sentence, languages: [labelled.language])
            return terms.isEmpty ? 0 : Double(terms.count { given.contains($0.term) }) / Double(terms.count)
        }
    }

    /// Returns the threshold with the best F1 of "not supported".
    static func bestThreshold(_ scores: [Double], _ cases: [SupportCase]) -> Double {
        var best = (f1: -1.0, threshold: 0.0)
        for threshold in Set(scores).sorted() {
            var counts = SupportReport.Counts()
            for (labelled, score) in zip(cases, scores) {
                counts.add(isLabelled: labelled.label != .supported, isFound: score < threshold)
            }
            if counts.f1 > best.f1 { best = (counts.f1, threshold) }
        }
        return best.threshold
    }
}
