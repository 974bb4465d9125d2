extension Sequence where Element == Double {
    /// The smallest value that `part` of 100 values do not exceed; 0 for an empty sequence.
    func percentile(_ part: Int) -> Double {
        let sorted = sorted()
        return sorted.isEmpty ? 0 : sorted[(Swift.max(sorted.count * part, 1) - 1) / 100]
    }

    /// The median; 0 for an empty sequence.
    var median: Double { percentile(50) }
}

extension Duration {
    /// The whole duration in seconds.
    var seconds: Double { self / .seconds(1) }
}
