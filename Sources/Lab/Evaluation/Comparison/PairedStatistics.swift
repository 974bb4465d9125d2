/// The mean of paired differences, one for each question, with its interval and significance.
package struct PairedStatistics: Hashable, Sendable, Codable {
    /// How many pairs there are.
    package var count: Int
    /// The mean difference.
    package var mean: Double
    /// The lower end of the 95 % bootstrap interval of the mean.
    package var lower: Double
    /// Its upper end.
    package var upper: Double
    /// The two-sided p value of the sign-flip test: how often chance alone gives a mean at least as far from 0.
    package var pValue: Double

    /// How many samples are drawn.
    package static let defaultResamples = 10_000

    /// The most differences other than 0 for which all sign patterns are tried.
    private static let exactLimit = 14

    /// Computes the statistics.
    ///
    /// The interval is the percentile bootstrap's over questions; the p value is exact for up to 14 differences that
    /// are not 0 and drawn at random beyond that (with the observed pattern counted in, so that it is never 0).
    ///
    /// - Parameters:
    ///   - differences: One value for each question, 1 or more.
    ///   - resamples: How many samples and sign patterns are drawn.
    ///   - generator: The source of randomness.
    /// - Precondition: `differences` is not empty.
    package init(
        differences: [Double], resamples: Int = defaultResamples, generator: inout SeededGenerator
    ) {
        precondition(!differences.isEmpty, "a mean needs a value")
        count = differences.count
        mean = differences.reduce(0, +) / Double(count)
        let changed = differences.filter { $0 != 0 }
        guard !changed.isEmpty else {
            (lower, upper, pValue) = (0, 0, 1)
            return
        }
        let means = (0..<max(1, resamples)).map { _ in Self.resampledMean(differences, &generator) }.sorted()
        lower = Self.quantile(means, 0.025)
        upper = Self.quantile(means, 0.975)
        pValue =
            changed.count <= Self.exactLimit
            ? Self.exactSignFlip(changed) : Self.sampledSignFlip(changed, resamples, &generator)
    }

    private static func resampledMean(_ values: [Double], _ generator: inout SeededGenerator) -> Double {
        var sum = 0.0
        for _ in values.indices { sum += values[generator.index(below: values.count)] }
        return sum / Double(values.count)
    }

    /// Interpolates between the two nearest of sorted values.
    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }

    /// The least sum that counts as far as the observed one; sums of the same values differ by rounding.
    private static func threshold(_ values: [Double]) -> Double {
        let scale = values.reduce(0) { $0 + $1.magnitude }
        return values.reduce(0, +).magnitude - 1e-12 * scale
    }

    private static func exactSignFlip(_ values: [Double]) -> Double {
        let threshold = threshold(values)
        let patterns = 1 << values.count
        let extreme = (0..<patterns).count { pattern in
            var sum = 0.0
            for (index, value) in values.enumerated() { sum += pattern >> index & 1 == 1 ? -value : value }
            return sum.magnitude >= threshold
        }
        return Double(extreme) / Double(patterns)
    }

    private static func sampledSignFlip(
        _ values: [Double], _ resamples: Int, _ generator: inout SeededGenerator
    ) -> Double {
        let threshold = threshold(values)
        var extreme = 0
        for _ in 0..<max(1, resamples) {
            var sum = 0.0
            var bits: UInt64 = 0
            for (index, value) in values.enumerated() {
                if index & 63 == 0 { bits = generator.next() }
                sum += bits & 1 == 1 ? -value : value
                bits >>= 1
            }
            if sum.magnitude >= threshold { extreme += 1 }
        }
        return Double(extreme + 1) / Double(max(1, resamples) + 1)
    }
}

/// SplitMix64: the same numbers for the same seed on every machine (Steele, Lea, Flood 2014, DOI 10.1145/2660193.2660195).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Starts from a seed and a name (FNV-1a): each name has its own numbers, independent of other draws.
    package init(seed: UInt64, stream: String) {
        state = stream.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number in 0..<1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns an index in 0..<`count`, which is at most 2³²; the bias is below 2⁻³².
    mutating func index(below count: Int) -> Int {
        Int(((next() >> 32) &* UInt64(count)) >> 32)
    }
}
