import Evaluation
import Testing

@Suite struct PairedStatisticsTests {
    private func statistics(_ differences: [Double], seed: UInt64 = 7) -> PairedStatistics {
        var generator = SeededGenerator(seed: seed)
        return PairedStatistics(differences: differences, generator: &generator)
    }

    /// Reference values of SplitMix64 for seed 1234567, from its published test vector.
    @Test func theGeneratorIsSplitMix64() {
        var generator = SeededGenerator(seed: 1_234_567)

        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test func equalRunsDifferByNothing() {
        let result = statistics([0, 0, 0])

        #expect(result.mean == 0)
        #expect((result.lower, result.upper) == (0, 0))
        #expect(result.pValue == 1)
    }

    /// Of the 8 sign patterns of 1, 1, 1 two give a sum of 3 or -3; of the 16 of 1, 2, 3, 3 twelve reach 3.
    @Test(
        arguments: [
            ([1, 1, 1], 0.25), ([1, 0, 1, 0, 1], 0.25), ([0.1, 0.2, -0.3], 1), ([0.5], 1), ([1, 2, 3, -3], 0.75),
            ([0.3, 0.1, 0.1, 0.1], 0.125), ([0.3, 0.1, -0.2], 0.75),
        ] as [([Double], Double)])
    func fewDifferencesAreTestedExactly(differences: [Double], expected: Double) {
        #expect(statistics(differences).pValue == expected)
    }

    @Test func manyDifferencesAreTestedByDrawing() {
        let even = statistics((0..<200).map { $0 % 2 == 0 ? 0.5 : -0.5 })
        let clear = statistics((0..<200).map { $0 % 4 == 0 ? -0.5 : 0.5 })

        #expect(even.pValue == 1)
        #expect(clear.pValue == 1.0 / 10_001)
        #expect(clear.mean == 0.25)
    }

    /// With half of the differences 1 and half 0 the mean of n has the standard deviation 0.5 / √n = 0.025.
    @Test func theIntervalIsAsWideAsTheoryHasIt() {
        let result = statistics((0..<400).map { Double($0 % 2) })

        #expect(abs(result.lower - (0.5 - 1.96 * 0.025)) < 0.004)
        #expect(abs(result.upper - (0.5 + 1.96 * 0.025)) < 0.004)
    }

    @Test func theSeedDecides() {
        let differences = (0..<50).map { Double($0 % 7) - 2.5 }

        #expect(statistics(differences) == statistics(differences))
        #expect(statistics(differences) != statistics(differences, seed: 8))
    }
}
