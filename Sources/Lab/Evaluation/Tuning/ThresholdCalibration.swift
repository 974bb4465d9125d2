/// The least score of questions that count as answerable, with how well it separates them from the others.
package struct ThresholdCalibration: Hashable, Sendable, Codable {
    /// A question counts as answerable if its score is at least this.
    package var threshold: Double
    /// Share of the answerable questions at or above the threshold.
    package var sensitivity: Double
    /// Share of the unanswerable questions below it.
    package var specificity: Double
    /// The mean of both: 0.5 is chance.
    package var balancedAccuracy: Double
    /// Sensitivity + specificity − 1 (Youden's J).
    package var youdenJ: Double
    /// The chance that an answerable question scores higher than an unanswerable one, ties counted half: the area under the ROC curve.
    package var areaUnderCurve: Double
    /// How many answerable questions there were.
    package var answerableCount: Int
    /// How many unanswerable questions there were.
    package var unanswerableCount: Int

    /// Chooses the threshold with the greatest balanced accuracy; of equal ones the lowest, which withholds the fewest answers.
    ///
    /// Candidates lie half-way between neighbouring scores, at the lowest score (all answerable) and above the highest
    /// (none is).
    ///
    /// - Parameters:
    ///   - answerable: The scores of questions that have an answer.
    ///   - unanswerable: The scores of questions that have none.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` when one list has no finite score.
    package init(answerable: [Double], unanswerable: [Double]) throws(EvaluationError) {
        let positives = answerable.filter(\.isFinite).sorted()
        let negatives = unanswerable.filter(\.isFinite).sorted()
        guard !positives.isEmpty else { throw .nothingToMeasure("scores of answerable questions") }
        guard let highest = Set(positives + negatives).max(), !negatives.isEmpty
        else { throw .nothingToMeasure("scores of unanswerable questions") }
        let values = Set(positives + negatives).sorted()
        let between = zip(values, values.dropFirst()).map { Self.middle($0, $1) }
        let rates = (values.prefix(1) + between + [highest.nextUp]).map { threshold in
            (
                threshold: threshold,
                sensitivity: Double(positives.count { $0 >= threshold }) / Double(positives.count),
                specificity: Double(negatives.count { $0 < threshold }) / Double(negatives.count)
            )
        }
        var best = rates[0]
        for rate in rates where rate.sensitivity + rate.specificity > best.sensitivity + best.specificity {
            best = rate
        }
        threshold = best.threshold
        sensitivity = best.sensitivity
        specificity = best.specificity
        balancedAccuracy = (best.sensitivity + best.specificity) / 2
        youdenJ = best.sensitivity + best.specificity - 1
        areaUnderCurve = Self.area(positives, negatives)
        answerableCount = positives.count
        unanswerableCount = negatives.count
    }

    /// Calibrates on the confidences of a run; a question for which nothing was found gets a score below all others.
    ///
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` when the run has no question of one kind.
    package init(_ report: RunReport) throws(EvaluationError) {
        let lowest = report.questions.compactMap(\.confidence).min() ?? 0
        func scores(_ questions: [QuestionResult]) -> [Double] {
            questions.map { $0.confidence ?? lowest.nextDown }
        }
        try self.init(
            answerable: scores(report.questions.filter(\.isAnswerable)),
            unanswerable: scores(report.questions.filter { !$0.isAnswerable }))
    }

    /// Returns the middle of two values, never the lower one, which must stay below the threshold.
    private static func middle(_ lower: Double, _ upper: Double) -> Double {
        let middle = lower + (upper - lower) / 2
        return middle > lower ? middle : upper
    }

    /// Counts the pairs in the right order; both lists are sorted.
    private static func area(_ positives: [Double], _ negatives: [Double]) -> Double {
        var below = 0
        var notAbove = 0
        var pairs = 0.0
        for score in positives {
            while below < negatives.count, negatives[below] < score { below += 1 }
            while notAbove < negatives.count, negatives[notAbove] <= score { notAbove += 1 }
            pairs += Double(below) + Double(notAbove - below) / 2
        }
        return pairs / (Double(positives.count) * Double(negatives.count))
    }
}
