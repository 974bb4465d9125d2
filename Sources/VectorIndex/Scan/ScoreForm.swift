import CKernels

/// How the products of one query with a kind of codes become estimates of scores, and how far those may be off.
struct ScoreForm: Sendable {
    /// More than what the roundings of a row's length, factor and tangent, of an estimate and of a final score can
    /// come to together.
    private static let roundingSlack: Float = 1e-5
    /// Standard deviations that an estimate by bits is trusted to keep within.
    private static let trustedDeviations: Float = 3

    let kernel: nexus_score_form
    private let error: Error

    private enum Error {
        /// Certain: by the triangle inequality of angles.
        case bound
        /// Likely: the squares of what a tangent is multiplied with, one part of it shrinking with the score.
        case deviations(row: Float, query: Float)
    }

    /// For codes of one or two planes; `centre` is twice the number that a component's code is taken relative to.
    init(_ code: nexus_query_code, centre: Int32) {
        kernel = nexus_score_form(
            scale: code.scale, slack: code.error * 1.000_01 + Self.roundingSlack, offset: centre * code.sum)
        error = .bound
    }

    /// For bits of rows of `dimensions` components.
    init(_ code: nexus_bit_query, dimensions: Int) {
        kernel = nexus_score_form(scale: code.scale, slack: Self.roundingSlack, offset: code.sum)
        let square = Self.trustedDeviations * Self.trustedDeviations
        // The query's own error counts 1 + tangent² times; the tangents of rotated rows are all near 3/4.
        let query = code.error * code.error / Float(dimensions) * (1 + 16.0 / 9)
        error = .deviations(row: square / Float(max(1, dimensions - 1)), query: square * query)
    }

    /// The score that a product stands for.
    func estimate(of product: Int32, factor: Float) -> Float {
        kernel.scale * factor * Float(2 * product - kernel.offset)
    }

    /// What a row's tangent is multiplied with to tell whether its score can reach `limit`.
    func spread(at limit: Float) -> Float {
        // The square of the sine of the angle that belongs to the limit; see `index_kernels.h` for negative ones.
        let square = limit > 0 ? max(0, 1 - limit) * (1 + limit) : 1
        switch error {
        case .bound: return square.squareRoot() * 1.000_01 + kernel.slack
        case .deviations(let row, let query): return (square * row + query).squareRoot()
        }
    }

    /// The interval that the score of a row certainly lies in, by both planes: its angle to the query is that of its
    /// code, give or take the angle between the two.
    func interval(around estimate: Float, tangent: Float) -> (lower: Float, upper: Float) {
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        let (least, most) = (estimate * cosine - kernel.slack, estimate * cosine + kernel.slack)
        let lower = least <= -cosine ? -1 : least * cosine - (max(0, 1 - least * least)).squareRoot() * sine
        let upper = most >= cosine ? 1 : most * cosine + (max(0, 1 - most * most)).squareRoot() * sine
        return (lower - Self.rounding, upper + Self.rounding)
    }

    private static var rounding: Float { 1e-6 }
}
