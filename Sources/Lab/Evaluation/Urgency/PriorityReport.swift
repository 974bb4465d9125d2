package import ChatCore

/// How well scores separate urgent unread messages from those that can wait.
package struct PriorityReport: Hashable, Sendable, Codable {
    /// The dataset.
    package var dataset: String
    /// How many cases there are.
    package var caseCount: Int
    /// How many messages are labelled.
    package var labelledCount: Int
    /// How many of them got a score.
    package var scoredCount: Int
    /// How many pairs of an urgent message and one that can wait the cases have.
    package var pairCount: Int
    /// In how many of them the urgent one has the higher score; one without a score is below all others.
    package var rightCount: Int
    /// The share of such pairs.
    package var accuracy: Double
    /// The other pairs, as `case: high, low`.
    package var wrong: [String]

    /// Compares scores with labels.
    ///
    /// - Parameters:
    ///   - scores: The scores of the unread messages, by the id of their case; a message may have none.
    ///   - cases: The labels.
    ///   - dataset: The dataset's name.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without a case.
    package init(
        _ scores: [String: [MessageID: Double]], of cases: [PriorityCase], dataset: String
    ) throws(EvaluationError) {
        guard !cases.isEmpty else { throw .nothingToMeasure("labelled messages") }
        self.dataset = dataset
        caseCount = cases.count
        (labelledCount, scoredCount, pairCount) = (0, 0, 0)
        wrong = []
        for labelled in cases {
            let scores = scores[labelled.id] ?? [:]
            let ids = labelled.high + labelled.low
            labelledCount += ids.count
            scoredCount += ids.count { scores[$0] != nil }
            for high in labelled.high {
                for low in labelled.low {
                    pairCount += 1
                    guard scores[high] ?? -1 <= scores[low] ?? -1 else { continue }
                    wrong.append("\(labelled.id): \(high), \(low)")
                }
            }
        }
        rightCount = pairCount - wrong.count
        accuracy = Double(rightCount) / Double(pairCount)
    }
}
