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
        bias: -1.81,
        weights: [0.02, 0, 1.87, 2.77, 4.63, 0.66, 2.39, 4.95, 3.1, 3.67, 1.94, 0.25, 0, 0, 2.62, 1.22, -2.93, 0.3])

    /// For features of words alone.
    package static let withWords = SupportModel(
        bias: -1.84,
        weights: [0, 0, 1.85, 2.77, 4.68, 0.71, 2.46, 4.69, 3.6, 3.69, 2.12, 0.23, 0, 0, 1.94, 0.99, -2.95, 0.14])

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
