import Glibc
import IndexCore
import VectorIndex

/// Seeded rows and queries, each a pure function of its number, so that none needs to be stored.
///
/// Like text embeddings they fill few of their dimensions and form clusters: the sum of a common mean, a centre for
/// each group and an individual part, all in a space of 48 random axes whose weights fall as 1/√i.
struct BenchVectors {
    private static let axisCount = 48
    let dimensions: Int
    let groupCount: Int
    private let seed: UInt64
    /// Row-major, axis *i* starts at `i * dimensions`, already weighted.
    private let axes: [Float]
    private let mean: [Float]

    init(dimensions: Int, groupCount: Int, seed: Int) {
        self.dimensions = dimensions
        self.groupCount = groupCount
        self.seed = UInt64(seed) << 32
        var generator = SplitMix64(seed: self.seed)
        axes = (0..<Self.axisCount * dimensions).map { position in
            generator.symmetric() / Float(position / dimensions + 1).squareRoot()
        }
        mean = (0..<Self.axisCount).map { _ in generator.symmetric() }
    }

    /// The group of a row: sizes fall as a power of the group's number, as those of conversations do.
    func group(of row: Int) -> GroupKey {
        var generator = generator(stream: 1, number: row)
        let position = pow(Double.random(in: 0..<1, using: &generator), 10.0 / 3) * Double(groupCount)
        return GroupKey(rawValue: Int64(min(groupCount - 1, Int(position))))
    }

    /// A row for the index.
    func row(_ number: Int) -> VectorRow {
        let group = group(of: number)
        return VectorRow(
            key: RowKey(rawValue: Int64(number)), group: group, vector: vector(stream: 2, number, in: group))
    }

    /// A query, distributed like the rows but equal to none.
    func query(_ number: Int) -> [Float] { vector(stream: 3, number, in: group(of: number)) }

    private func vector(stream: UInt64, _ number: Int, in group: GroupKey) -> [Float] {
        var own = generator(stream: stream, number: number)
        var centre = generator(stream: 4, number: Int(group.rawValue))
        var vector = [Float](repeating: 0, count: dimensions)
        vector.withUnsafeMutableBufferPointer { sum in
            axes.withUnsafeBufferPointer { axes in
                for axis in 0..<Self.axisCount {
                    let weight = 0.8 * mean[axis] + 0.8 * centre.symmetric() + own.symmetric()
                    let start = axis * dimensions
                    for component in 0..<dimensions { sum[component] += weight * axes[start + component] }
                }
            }
        }
        return vector
    }

    private func generator(stream: UInt64, number: Int) -> SplitMix64 {
        var outer = SplitMix64(seed: seed &+ stream &* 0x1000_0000_0000 &+ UInt64(number))
        return SplitMix64(seed: outer.next())
    }
}

/// A seeded generator (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number in -1..<1.
    mutating func symmetric() -> Float { Float(Int32(truncatingIfNeeded: next() >> 32)) * 0x1p-31 }
}
