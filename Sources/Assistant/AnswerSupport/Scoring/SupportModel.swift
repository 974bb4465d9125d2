import Foundation

/// Turns compared features into a score; the weights were fitted with `nexus eval support --fit`.
package struct SupportModel: Hashable, Sendable {
    /// Added to the weighted sum.
    package let bias: Double
    /// A weight for each of ``SupportFeatures/names``: above 0 speaks against support.
    package let weights: [Double]

    /// - Precondition: There is a weight for each feature.
    package init(bias: Double, weights: [Double]) {
        precondition(weights.count == SupportFeatures.names.count, "every feature has a weight")
        (self.bias, self.weights) = (bias, weights)
    }

    /// For features with the vectors of tokens.
    package static let withTokens = SupportModel(
        bias: -2.37,
        weights: [0, 0, 2.79, 3.57, 5.92, 2.61, 3.79, 7.18, 4.5, 4.84, 2.55, 0.26, 0, 1.94, 3, 0.82, -3.61, 0.41])

    /// For features of words alone.
    package static let withWords = SupportModel(
        bias: -2.45,
        weights: [0, 0, 2.61, 3.56, 6.14, 2.68, 4.12, 6.58, 4.92, 4.74, 2.84, 0.21, 0, 1.79, 2.45, 0.69, -3.88, 0.39])

    /// Returns how surely sources with these features support a sentence: 0...1.
    package func score(_ features: SupportFeatures) -> Double {
        let sum = zip(weights, features.values).reduce(bias) { $0 + $1.0 * $1.1 }
        return 1 / (1 + exp(sum))
    }

    /// How much the features of a contradiction add to the sum: conflicts, other people, negations.
    func contradiction(_ features: SupportFeatures) -> Double {
        zip(SupportFeatures.names, zip(weights, features.values)).reduce(0) { sum, next in
            Self.contradicting.contains(next.0) ? sum + next.1.0 * next.1.1 : sum
        }
    }

    private static let contradicting: Set<String> = [
        "conflicts", "misplaced", "unknownNames", "otherPerson", "negation", "opposite", "rejection", "reversed",
    ]
}
