/// How far a judge agrees with the persons who labelled cases.
public struct JudgeReport: Hashable, Sendable, Codable {
    /// How many cases were shown to it.
    public var caseCount: Int
    /// The ids of the cases to which its reply could not be read: they count nowhere else.
    public var uselessReplies: [String]
    /// Whether answers say what the reference says, over the cases with a reference.
    public var correct: VerdictAgreement
    /// Whether answers follow from the messages.
    public var supported: VerdictAgreement
    /// Whether answers answer what was asked.
    public var relevant: VerdictAgreement

    /// Compares a judge's verdicts with the labels.
    ///
    /// - Parameters:
    ///   - judgements: What it says, by the ids of cases; without those whose reply could not be read.
    ///   - cases: What was shown to it.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without cases.
    public init(_ judgements: [String: Judgement], of cases: [JudgeCase]) throws(EvaluationError) {
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

    /// The sides of an answer by the names of their verdicts, in the order in which they are shown.
    public var sides: [(name: String, agreement: VerdictAgreement)] {
        [("correct", correct), ("supported", supported), ("relevant", relevant)]
    }
}
