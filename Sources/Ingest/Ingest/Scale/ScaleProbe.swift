package import ChatCore
import Foundation

/// Texts that show what cosines say in an embedding space.
///
/// They are the same for every workspace, so nothing that anybody wrote can change what a search shows. The spread of
/// the cosines of a model differs less between workspaces than the models do: on the five sample chats 0.018 to 0.023
/// with multilingual-e5-small, 0.07 to 0.12 with all-MiniLM-L6-v2.
package struct ScaleProbe: Sendable {
    /// Texts of one language.
    package struct Part: Sendable {
        /// Questions of a team.
        package let questions: [String]
        /// The answer to each question.
        package let answers: [String]
        /// Messages that answer no question.
        package let messages: [String]

        /// - Parameters:
        ///   - pairs: Questions with their answers: at least one.
        ///   - messages: Messages that answer no question: at least two.
        package init(pairs: [(question: String, answer: String)], messages: [String]) {
            (questions, answers, self.messages) = (pairs.map(\.question), pairs.map(\.answer), messages)
        }
    }

    /// The least distance of answers and other messages that counts, in standard deviations: a model that does not know
    /// a language at all still has the others.
    private static let leastDistance = 0.1
    /// The least standard deviation that counts; below it every cosine says the same.
    private static let leastSpread = 1e-4
    /// The least contrast: answers have the cosines of other messages, and these differ widely.
    private static let leastContrast = 0.1

    /// What the texts show of a space.
    package struct Measurement: Sendable {
        /// The scale, rounded so that the same model gives the same scale on every machine.
        package let scale: CosineScale
        /// How far answers are above other messages, in standard deviations of these; the mean of the languages.
        package let distance: Double
        /// What the requests took.
        package let usage: EmbeddingUsage
    }

    /// One for each language.
    package let parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }

    /// Embeds the texts and measures their cosines.
    ///
    /// - Parameters:
    ///   - embedder: Makes the vectors.
    ///   - space: The space that they must be in.
    ///   - batchCount: The most texts of a request: 1 or more.
    /// - Returns: What was measured.
    /// - Throws: ``ModelServiceError``, also when a text was refused.
    package func measure(
        _ embedder: any Embedder, in space: EmbeddingSpace, batchCount: Int
    ) async throws -> Measurement {
        var texts = KnownTexts(embedder, in: space, batchCount: batchCount)
        let questions = try await texts.vectors(of: parts.flatMap(\.questions), as: .query)
        let passages = try await texts.vectors(of: parts.flatMap { $0.answers + $0.messages }, as: .passage)
        var (means, distances, contrasts): ([Double], [Double], [Double]) = ([], [], [])
        var (question, passage) = (0, 0)
        for part in parts {
            let passageCount = part.answers.count + part.messages.count
            let found = Self.measured(
                questions[question..<question + part.questions.count], passages[passage..<passage + passageCount])
            means.append(found.mean)
            distances.append(found.distance)
            contrasts.append(found.contrast)
            question += part.questions.count
            passage += passageCount
        }
        // A model that is twice as sure in one language and half as sure in another is as sure as before.
        let contrast = exp(contrasts.map { log($0) }.mean)
        return Measurement(
            scale: CosineScale(
                mean: means.mean.rounded(by: 1e4), contrast: max(contrast.rounded(by: 10), Self.leastContrast)),
            distance: distances.mean, usage: texts.usage)
    }

    /// Returns the mean of the cosines of questions and what does not answer them, and the contrast of one language.
    private static func measured(
        _ questions: ArraySlice<[Float]>, _ passages: ArraySlice<[Float]>
    ) -> (mean: Double, distance: Double, contrast: Double) {
        var (means, spreads, gaps): ([Double], [Double], [Double]) = ([], [], [])
        for (place, question) in questions.enumerated() {
            var cosines = passages.map { KnownTexts.cosine(question, $0) }
            let answer = cosines.remove(at: place)
            means.append(cosines.mean)
            spreads.append(cosines.map { ($0 - cosines.mean) * ($0 - cosines.mean) }.mean.squareRoot())
            gaps.append(answer - cosines.mean)
        }
        let spread = max(spreads.mean, leastSpread)
        let distance = gaps.mean / spread
        return (means.mean, distance, max(distance, leastDistance) / spread)
    }
}

extension [Double] {
    fileprivate var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}

extension Double {
    /// Rounds to a multiple of `1 / factor`.
    fileprivate func rounded(by factor: Double) -> Double { (self * factor).rounded() / factor }
}
