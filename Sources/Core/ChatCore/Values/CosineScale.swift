/// What a cosine says in one embedding space.
///
/// Encoders differ in it far more than in what they know: E5 models put all cosines between 0.7 and 0.9, OpenAI's
/// between 0.1 and 0.6. A search adds cosines to other signals, so it reads each on one scale for all models.
public struct CosineScale: Hashable, Sendable, Codable {
    /// The mean cosine of questions and messages that have nothing to do with them: -1...1.
    public let mean: Double
    /// How much one unit of cosine speaks for an answer, in log-odds: above 0.
    ///
    /// It is (mean of answers − ``mean``) ÷ (standard deviation among other messages)², the weight that Fisher's linear
    /// discriminant gives to the cosine.
    public let contrast: Double

    /// The scale of all-MiniLM-L6-v2, on which the weights and thresholds of searches were tuned.
    public static let reference = CosineScale(mean: 0.3858, contrast: 35)

    /// The most by which cosines are stretched: a space without differences has no order to show.
    private static let stretchLimit = 25.0

    public init(mean: Double, contrast: Double) {
        (self.mean, self.contrast) = (mean, contrast)
    }

    /// Returns the cosine that says the same in the reference's space.
    public func onReference(_ cosine: Double) -> Double {
        let stretch = min(contrast / Self.reference.contrast, Self.stretchLimit)
        return Self.reference.mean + (cosine - mean) * stretch
    }
}
