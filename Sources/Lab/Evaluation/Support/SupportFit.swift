package import AnswerSupport
import Foundation

/// Fits a logistic regression to compared features: gradient descent with a penalty on squared weights.
package enum SupportFit {
    private static let stepCount = 4_000
    private static let rate = 0.5
    private static let penalty = 0.1
    /// The one feature that speaks for support; its weight may only be below 0, all others only above.
    private static let supporting = "confirmed"

    /// - Parameter pairs: Features, and whether the sentence is not supported.
    /// - Returns: The model with the fitted weights.
    package static func model(_ pairs: [(features: SupportFeatures, isUnsupported: Bool)]) -> SupportModel {
        let rows = pairs.map(\.features.values)
        let count = Double(max(pairs.count, 1))
        var weights = [Double](repeating: 0, count: SupportFeatures.names.count)
        var bias = 0.0
        for _ in 0..<stepCount {
            var slopes = weights.map { penalty * $0 / count }
            var biasSlope = 0.0
            for (row, pair) in zip(rows, pairs) {
                let sum = zip(weights, row).reduce(bias) { $0 + $1.0 * $1.1 }
                let error = 1 / (1 + exp(-sum)) - (pair.isUnsupported ? 1 : 0)
                biasSlope += error / count
                for place in slopes.indices { slopes[place] += error * row[place] / count }
            }
            bias -= rate * biasSlope
            for (place, name) in SupportFeatures.names.enumerated() {
                let weight = weights[place] - rate * slopes[place]
                weights[place] = name == supporting ? min(weight, 0) : max(weight, 0)
            }
        }
        return SupportModel(bias: bias, weights: weights)
    }
}
