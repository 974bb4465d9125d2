import Evaluation
import Testing

@Suite struct RankingAgreementTests {
    @Test(
        arguments: [
            ("abcd", "abcd", 1, 1, 0), ("abcd", "dcba", 1, -1, 4), ("abcd", "abdc", 1, 4.0 / 6, 2),
            ("abcd", "wxyz", 0, nil, 4), ("abc", "axy", 1.0 / 3, nil, 2), ("", "", 1, nil, 0), ("ab", "", 0, nil, 2),
            // Beyond the cutoff only the correlation looks.
            ("abcdefg", "abcdgfe", 1, (21.0 - 6) / 21, 0), ("abcdef", "efabcd", 0.5, (15.0 - 16) / 15, 4),
        ] as [(String, String, Double, Double?, Int)])
    func overlapCorrelationAndDifferences(
        first: String, second: String, overlap: Double, tau: Double?, differing: Int
    ) {
        let agreement = RankingAgreement(Array(first), Array(second), cutoff: 4)

        #expect(agreement.overlap == overlap)
        #expect(agreement.kendallTau == tau)
        #expect(agreement.differingCount == differing)
    }
}
