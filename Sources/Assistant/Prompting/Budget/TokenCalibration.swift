import Synchronization

/// Learns the ratio of a service's token counts to those of `TokenEstimate`.
///
/// It rises at once to the observed ratio and sinks slowly: a prompt that is too short costs a source, one that is too
/// long costs the answer.
package final class TokenCalibration: Sendable {
    /// The factors that can be learned; the lower end keeps room for a prompt in another script than the earlier ones.
    package static let range = 0.7...2.0
    /// The part of the way that one lower count moves the factor.
    static let step = 0.1

    private let factors = Mutex<[String: Double]>([:])
    private let largest = Mutex<[String: Int]>([:])

    /// Makes a calibration that knows no model yet.
    package init() {}

    /// Returns the factor for an estimate; 1 for an unknown model.
    package func factor(for model: String) -> Double {
        factors.withLock { $0[model] ?? 1 }
    }

    /// The most tokens that a model's service ever counted in one prompt; 0 before the first.
    ///
    /// It takes prompts of that length: one of at most this length that is counted shorter was not cut. Some services
    /// leave out the tokens that they had in their cache.
    package func largestCount(for model: String) -> Int {
        largest.withLock { $0[model] ?? 0 }
    }

    /// Learns from one prompt.
    ///
    /// - Parameters:
    ///   - estimated: What `TokenEstimate` said, the factor not applied.
    ///   - counted: What the service said; nothing is learned from 0 or less.
    ///   - model: The model's name.
    package func learn(estimated: Int, counted: Int, for model: String) {
        guard estimated > 0, counted > 0 else { return }
        largest.withLock { $0[model] = max($0[model] ?? 0, counted) }
        let seen = Double(counted) / Double(estimated)
        factors.withLock { factors in
            let known = factors[model] ?? 1
            factors[model] = Self.bounded(seen > known ? seen : known + (seen - known) * Self.step)
        }
    }

    /// Learns that a prompt was too long for the service, which did not say by how much.
    package func learnOverflow(for model: String) {
        factors.withLock { factors in
            factors[model] = Self.bounded((factors[model] ?? 1) * 1.4)
        }
    }

    private static func bounded(_ factor: Double) -> Double {
        min(max(factor, range.lowerBound), range.upperBound)
    }
}
