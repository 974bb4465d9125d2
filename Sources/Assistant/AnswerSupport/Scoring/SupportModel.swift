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
        bias: -2.16,
        weights: [
            0, 0, 3.02, 3.44, 5.83, 2.39, 3.74, 6.57, 3.48, 4.63, 2.49, 0, 4.46, 1.04, 2.25, 0.24, -3.62, 0.22,
        ])

    /// For features of words alone.
    package static let withWords = SupportModel(
        bias: -2.22,
        weights: [
            0, 0, 2.81, 3.42, 5.99, 2.43, 3.82, 6.09, 3.94, 4.47, 2.76, 0, 4.46, 1.35, 1.73, 0.06, -3.78, 0.17,
        ])

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
        "swapped",
    ]
}
