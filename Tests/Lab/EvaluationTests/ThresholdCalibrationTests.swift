import Evaluation
import Foundation
import Testing

@Suite struct ThresholdCalibrationTests {
    @Test func separateScoresAreCutHalfWay() throws {
        let result = try ThresholdCalibration(answerable: [0.75, 1, 0.875], unanswerable: [0.25, 0.5, 0])

        #expect(result.threshold == 0.625)
        #expect((result.sensitivity, result.specificity) == (1, 1))
        #expect(result.balancedAccuracy == 1)
        #expect(result.youdenJ == 1)
        #expect(result.areaUnderCurve == 1)
        #expect((result.answerableCount, result.unanswerableCount) == (3, 3))
    }

    /// Worked by hand: at 2.5 the shares are 3 of 4 and 1 of 2, at 3.5 they are 2 of 4 and 2 of 2.
    @Test func overlappingScoresAreCutWhereTheMeanOfBothSharesIsGreatest() throws {
        let result = try ThresholdCalibration(answerable: [1, 3, 4, 5], unanswerable: [2, 3])

        #expect(result.threshold == 3.5)
        #expect((result.sensitivity, result.specificity) == (0.5, 1))
        #expect(result.balancedAccuracy == 0.75)
        #expect(result.youdenJ == 0.5)
        // Pairs: 1 beats none, 3 beats one and ties one, 4 and 5 beat both.
        #expect(result.areaUnderCurve == 5.5 / 8)
    }

    @Test func ofEqualThresholdsTheLowestIsTaken() throws {
        let same = try ThresholdCalibration(answerable: [1, 1], unanswerable: [1])
        let reversed = try ThresholdCalibration(answerable: [1], unanswerable: [2])
        let two = try ThresholdCalibration(answerable: [2, 4], unanswerable: [1, 3])

        #expect(same.threshold == 1)
        #expect(same.balancedAccuracy == 0.5)
        #expect(same.areaUnderCurve == 0.5)
        #expect(reversed.threshold == 1)
        #expect((reversed.sensitivity, reversed.specificity) == (1, 0))
        #expect(reversed.areaUnderCurve == 0)
        #expect(two.threshold == 1.5)
        #expect(two.balancedAccuracy == 0.75)
    }

    @Test func neighbouringNumbersAreStillCut() throws {
        let result = try ThresholdCalibration(answerable: [(1.0).nextUp], unanswerable: [1])

        #expect(result.threshold == (1.0).nextUp)
        #expect(result.balancedAccuracy == 1)
    }

    @Test func oneKindAloneIsAnError() {
        #expect(throws: EvaluationError.nothingToMeasure("scores of unanswerable questions")) {
            try ThresholdCalibration(answerable: [1], unanswerable: [.nan])
        }
        #expect(throws: EvaluationError.nothingToMeasure("scores of answerable questions")) {
            try ThresholdCalibration(answerable: [], unanswerable: [1])
        }
    }

    @Test func itIsKeptAsJSON() throws {
        let result = try ThresholdCalibration(answerable: [1, 3, 4, 5], unanswerable: [2, 3])
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(result)) as? [String: Double])

        #expect(object["threshold"] == 3.5)
        #expect(object["areaUnderCurve"] == 0.6875)
        #expect(try JSONDecoder().decode(ThresholdCalibration.self, from: JSONEncoder().encode(result)) == result)
    }
}
