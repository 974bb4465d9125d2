import Foundation

/// The kernels' definitions as plain loops in double precision.
enum Plain {
    static func softmax(_ row: [Double]) -> [Double] {
        let largest = row.max() ?? 0
        let exponentials = row.map { exp($0 - largest) }
        let sum = exponentials.reduce(0, +)
        return exponentials.map { $0 / sum }
    }

    static func gelu(_ value: Double) -> Double {
        value / 2 * (1 + erf(value / 2.0.squareRoot()))
    }

    static func layerNorm(_ row: [Double], epsilon: Double) -> [Double] {
        let mean = row.reduce(0, +) / Double(row.count)
        let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
        return row.map { ($0 - mean) / (variance + epsilon).squareRoot() }
    }

    /// Attention with heads of 32 components over rows of queries, keys and values; biases on all three.
    static func attention(_ qkv: [Float], _ bias: [Float], tokens: Int, heads: Int, headWidth: Int) -> [Double] {
        let width = heads * headWidth
        func part(_ which: Int, _ token: Int, _ component: Int) -> Double {
            Double(qkv[token * 3 * width + which * width + component]) + Double(bias[which * width + component])
        }
        var out = Array(repeating: 0.0, count: tokens * width)
        for head in 0..<heads {
            let components = head * headWidth..<(head + 1) * headWidth
            for query in 0..<tokens {
                let scores = (0..<tokens).map { key in
                    components.reduce(0) { $0 + part(0, query, $1) * part(1, key, $1) }
                        / Double(headWidth).squareRoot()
                }
                for (token, weight) in softmax(scores).enumerated() {
                    for component in components { out[query * width + component] += weight * part(2, token, component) }
                }
            }
        }
        return out
    }

    /// The row scaled to length 1.
    static func unit(_ row: [Float]) -> [Float] {
        let length = row.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        return row.map { Float(Double($0) / length) }
    }
}

/// Repeatable numbers in -1...1 (SplitMix64).
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func floats(_ count: Int) -> [Float] {
        (0..<count).map { _ in next() }
    }

    private mutating func next() -> Float {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Float(bits >> 40) / Float(1 << 23) - 1
    }
}
