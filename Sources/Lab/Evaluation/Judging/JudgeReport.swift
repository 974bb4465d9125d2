/// How well a judge agrees with the people who labelled the cases.
package struct JudgeReport: Hashable, Sendable, Codable {
    /// How many cases were shown to it.
    package var caseCount: Int
    /// The ids of cases whose reply could not be read; they count nowhere else.
    package var uselessReplies: [String]
    /// Whether answers say the same as the reference, over the cases with a reference.
    package var correct: VerdictAgreement
    /// Whether answers follow from the messages.
    package var supported: VerdictAgreement
    /// Whether answers answer the question.
    package var relevant: VerdictAgreement

    /// Compares a judge's verdicts with the labels.
    ///
    /// - Parameters:
    ///   - judgements: Its verdicts by case id, without cases whose reply could not be read.
    ///   - cases: The cases that it judged.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without cases.
    package init(_ judgements: [String: Judgement], of cases: [JudgeCase]) throws(EvaluationError) {
        guard !cases.isEmpty else { throw .nothingToMeasure("cases") }
        caseCount = cases.count
        uselessReplies = cases.map(\.id).filter { judgements[$0] == nil }
        func agreement(_ side: (Judgement) -> Verdict?) -> VerdictAgreement {
            VerdictAgreement(
                cases.compactMap { labelled in
                    guard let label = side(labelled.label), let judge = judgements[labelled.id].flatMap(side) else {
                        return nil
                    }
                    return (labelled.id, label, judge)
                })
        }
        correct = agreement(\.correctness)
        supported = agreement(\.faithfulness)
        relevant = agreement(\.relevancy)
    }

    /// The agreement on each property of an answer, in the order in which it is shown.
    package var sides: [(name: String, agreement: VerdictAgreement)] {
        [("correct", correct), ("supported", supported), ("relevant", relevant)]
    }
}

/// How well a judge agrees with a person on one property of answers.
package struct VerdictAgreement: Hashable, Sendable, Codable {
    /// How many answers both judged.
    package var count: Int
    /// The share of equal verdicts; nil without answers.
    package var agreement: Double?
    /// Cohen's kappa, unweighted: (agreement − agreement by chance) ÷ (1 − agreement by chance), see
    /// [Cohen 1960](https://doi.org/10.1177/001316446002000104).
    ///
    /// 1 is full agreement, 0 is agreement by chance, less is worse. Nil without answers, and if both give the same
    /// verdict to all answers.
    package var kappa: Double?
    /// The counts of pairs, by the person's verdict, then the judge's: `confusion["yes"]["no"]`.
    package var confusion: [String: [String: Int]]
    /// The ids of the answers on which they differ.
    package var disagreements: [String]

    /// Compares verdicts.
    ///
    /// - Parameter pairs: For each answer its id, the person's verdict and the judge's.
    package init(_ pairs: [(id: String, label: Verdict, judge: Verdict)]) {
        count = pairs.count
        var table: [String: [String: Int]] = [:]
        for label in Verdict.allCases {
            for judge in Verdict.allCases {
                table[label.rawValue, default: [:]][judge.rawValue] = pairs.count {
                    $0.label == label && $0.judge == judge
                }
            }
        }
        confusion = table
        disagreements = pairs.filter { $0.label != $0.judge }.map(\.id)
        guard !pairs.isEmpty else { return }
        let total = Double(pairs.count)
        let observed = Double(pairs.count - disagreements.count) / total
        let chance = Verdict.allCases.reduce(0) { sum, verdict in
            let labelled = pairs.count { $0.label == verdict }
            let judged = pairs.count { $0.judge == verdict }
            return sum + Double(labelled) / total * (Double(judged) / total)
        }
        agreement = observed
        kappa = chance < 1 ? (observed - chance) / (1 - chance) : nil
    }
}
