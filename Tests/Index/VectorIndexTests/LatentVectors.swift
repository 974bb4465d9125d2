import IndexTestSupport

/// Makes vectors of any number of components out of four, as embeddings too fill few of their dimensions.
///
/// The four are small whole numbers, so many vectors are equal and ties are common.
struct LatentVectors {
    private static let latentCount = 4
    private let axes: [[Float]]

    init(dimensions: Int, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        axes = (0..<Self.latentCount).map { _ in
            (0..<dimensions).map { _ in Float.random(in: -1...1, using: &generator) }
        }
    }

    /// A vector that is never zero.
    func next(using generator: inout SplitMix64) -> [Float] {
        let first = Float(Int.random(in: 1...3, using: &generator))
        let rest = (1..<axes.count).map { _ in Float(Int.random(in: -2...2, using: &generator)) }
        let latent = [first] + rest
        let vector = axes[0].indices.map { component in
            latent.indices.reduce(Float(0)) { $0 + latent[$1] * axes[$1][component] }
        }
        return vector.contains { $0 != 0 } ? vector : axes[0]
    }
}
