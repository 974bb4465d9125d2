/// SplitMix64: the same numbers for the same seed on every machine (Steele, Lea, Flood 2014, DOI 10.1145/2660193.2660195).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts from a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// Starts from a seed and a name (FNV-1a): each name has its own numbers, whatever else is drawn.
    public init(seed: UInt64, stream: String) {
        state = stream.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
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
