import Foundation

/// The figures of one measurement, as one line of JSON.
struct Figures: Encodable {
    let target: String
    let measured: String
    var values: [String: Double]

    init(_ target: BenchTarget, _ measured: String, _ values: [String: Double]) {
        self.target = target.rawValue
        self.measured = measured
        self.values = values.mapValues { ($0 * 1_000).rounded() / 1_000 }
    }

    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(self), as: UTF8.self))
        fflush(nil)
        let row = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        note("\(target) \(measured): \(row)")
    }
}

extension [Double] {
    /// The smallest value that so many of the values do not exceed; 0 if there are none.
    func percentile(_ share: Double) -> Double {
        let sorted = sorted()
        guard let last = sorted.last else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return rank >= sorted.count ? last : sorted[Swift.max(rank, 1) - 1]
    }
}
