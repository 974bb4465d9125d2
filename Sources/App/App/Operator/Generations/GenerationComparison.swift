import Evaluation

/// A request of `nexus generations compare`.
struct ComparisonRequest: Codable, Sendable {
    var first: Int64
    var second: Int64
    /// A folder with an evaluation dataset whose messages are in the data folder; nil takes questions that people
    /// asked.
    var dataset: String?
    /// How many of the newest questions are taken.
    var recentCount: Int
    /// Whether a dataset's questions search all conversations of their asker.
    var searchesAll = false
}

/// How the answers of two generations to the same questions differ.
struct GenerationComparison: Codable, Sendable {
    /// One question, without its text.
    struct Question: Codable, Sendable {
        /// The turn's id, or the dataset's id of the question.
        var id: String
        var agreement: RankingAgreement
        /// Share of the evidence among the first ten; nil without evidence.
        var firstRecall: Double?
        var secondRecall: Double?
    }

    var first: Int64
    var second: Int64
    /// The cutoff of ``overlap`` and of the recalls.
    var cutoff: Int
    /// How many questions were skipped: their conversations are not in the data folder, or their asker sees none.
    var skippedCount: Int
    var questions: [Question]

    /// Mean share of the first ten hits that both have: 0...1.
    var overlap: Double { Self.mean(questions.map(\.agreement.overlap)) ?? 1 }
    /// Mean Kendall's tau of the hits that both have: -1...1; nil when no question has two of them.
    var rankCorrelation: Double? { Self.mean(questions.compactMap(\.agreement.kendallTau)) }
    /// How many questions have different first ten hits.
    var differingCount: Int { questions.count { $0.agreement.differingCount > 0 } }
    /// How many questions have evidence.
    var evidencedCount: Int { questions.count { $0.firstRecall != nil } }
    /// Mean recall@10 of the first generation; nil without evidence.
    var firstRecall: Double? { Self.mean(questions.compactMap(\.firstRecall)) }
    /// Mean recall@10 of the second generation; nil without evidence.
    var secondRecall: Double? { Self.mean(questions.compactMap(\.secondRecall)) }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// The figures for programs, with the means.
    struct Summary: Encodable {
        let first: Int64
        let second: Int64
        let cutoff: Int
        let questionCount: Int
        let skippedCount: Int
        let differingCount: Int
        let overlap: Double
        let kendallTau: Double?
        let evidencedCount: Int
        let firstRecall: Double?
        let secondRecall: Double?
        let questions: [Question]
    }

    /// The figures for programs.
    var summary: Summary {
        Summary(
            first: first, second: second, cutoff: cutoff, questionCount: questions.count, skippedCount: skippedCount,
            differingCount: differingCount, overlap: overlap, kendallTau: rankCorrelation,
            evidencedCount: evidencedCount, firstRecall: firstRecall, secondRecall: secondRecall, questions: questions)
    }
}
