import Foundation

/// A small model of one file with random weights, written as ``QuantizedModelFile`` describes, and the network computed
/// plainly in double precision.
struct SyntheticModel {
    /// Pieces and scores that the tests of the tokenizer know by heart.
    static let smallPieces: [(String, Float)] = [
        ("<s>", 0), ("<pad>", 0), ("</s>", 0), ("<unk>", 0), ("▁", -4), ("▁a", -2), ("b", -3), ("ab", -2.5),
        ("▁ab", -4),
        ("c", -5), ("abc", -9), ("▁x", -2), ("y", -2), ("▁xy", -4), ("▁p", -1), ("qr", -3), ("▁pq", -2), ("r", -2),
        ("東京", -3), ("東", -4), ("は", -3), ("!", -3), ("bb", -3.25), ("bbb", -6), ("x", -6),
    ]
    static let smallMap: [(UInt32, [UInt32])] = [
        (0x09, [0x20]), (0x20_0B, []), (0xFB01, [0x61, 0x62]), (0xFF01, [0x21, 0x20]), (0x1F600, [0x1F601]),
    ]

    enum Tensor {
        case floats([Float])
        /// Blocks of 18 bytes.
        case quantized([UInt8])
    }

    var pieces = smallPieces
    var map = smallMap
    var (width, layers, heads, innerWidth, extraIDs, positions): (Int, Int, Int, Int, Int, Int) = (64, 2, 2, 96, 3, 48)
    var epsilon: Float = 1e-5
    /// The position of the first token.
    var firstPosition = 0
    var (start, end, unknown): (Int32, Int32, Int32) = (0, 2, 3)
    var tensors: [(name: String, tensor: Tensor)] = []

    var vocabularyCount: Int { pieces.count + extraIDs }

    /// Makes random weights.
    init(seed: UInt64 = 1, pieces: [(String, Float)] = smallPieces, width: Int = 64, heads: Int = 2) {
        (self.pieces, self.width, self.heads) = (pieces, width, heads)
        var random = SplitMix(state: seed)
        func floats(_ count: Int, around middle: Float = 0, by scale: Float = 0.2) -> Tensor {
            .floats((0..<count).map { _ in middle + scale * random.unit() })
        }
        func quantized(_ count: Int) -> Tensor {
            .quantized((0..<count / 32).flatMap { _ in block(&random) })
        }
        func block(_ random: inout SplitMix) -> [UInt8] {
            // Scales of about 1/100; one in ten is subnormal.
            let isSubnormal = random.next() % 10 == 0
            let half =
                UInt16(isSubnormal ? 1 : 8 << 10) | UInt16(random.next() % 1_024) | UInt16(random.next() % 2) << 15
            return [UInt8(half & 255), UInt8(half >> 8)] + (0..<16).map { _ in UInt8(random.next() % 256) }
        }
        tensors = [
            ("emb.word", quantized(vocabularyCount * width)), ("emb.pos", floats(positions * width)),
            ("emb.type", floats(2 * width)), ("emb.ln.w", floats(width, around: 1)), ("emb.ln.b", floats(width)),
        ]
        for layer in 0..<layers {
            for part in ["q", "k", "v", "ao"] {
                tensors += [
                    ("l\(layer).\(part).w", quantized(width * width)), ("l\(layer).\(part).b", floats(width)),
                ]
            }
            tensors += [
                ("l\(layer).fi.w", quantized(width * innerWidth)), ("l\(layer).fi.b", floats(innerWidth)),
                ("l\(layer).fo.w", quantized(width * innerWidth)), ("l\(layer).fo.b", floats(width)),
            ]
            for part in ["aln", "oln"] {
                tensors += [
                    ("l\(layer).\(part).w", floats(width, around: 1)), ("l\(layer).\(part).b", floats(width)),
                ]
            }
        }
    }

    struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        /// A number in -1...1.
        mutating func unit() -> Float { Float(Int64(bitPattern: next()) >> 40) / Float(1 << 23) }
    }
}

/// The file.
extension SyntheticModel {
    var data: Data {
        var head = Data("E5S1".utf8)
        head.add(UInt32(1))
        for size in [width, layers, heads, innerWidth, vocabularyCount, positions, 2] { head.add(Int32(size)) }
        head.add(epsilon.bitPattern)
        head.add(Int32(32))
        for number in [Int32(pieces.count), start, end, 1, unknown] { head.add(number) }
        head.add(UInt64(pieces.reduce(0) { $0 + $1.0.utf8.count }))
        var offset = 0
        for piece in pieces {
            head.add(UInt32(offset))
            offset += piece.0.utf8.count
        }
        head.add(UInt32(offset))
        for piece in pieces { head.add(piece.1.bitPattern) }
        for piece in pieces { head.append(contentsOf: piece.0.utf8) }
        head.add(Int32(map.count))
        head.add(UInt32(map.reduce(0) { $0 + 5 + 4 * $1.1.count }))
        for (scalar, others) in map.sorted(by: { $0.0 < $1.0 }) {
            head.add(scalar)
            head.add(UInt8(others.count))
            for other in others { head.add(other) }
        }
        head.add(Int32(tensors.count))
        let directoryCount = tensors.reduce(0) { $0 + 2 + $1.name.utf8.count + 21 }
        var place = (head.count + directoryCount + 63) / 64 * 64
        var body = Data()
        for (name, tensor) in tensors {
            head.add(UInt16(name.utf8.count))
            head.append(contentsOf: name.utf8)
            let bytes: Data
            switch tensor {
            case .floats(let floats):
                bytes = floats.withUnsafeBytes { Data($0) }
                head.add(UInt8(0))
                head.add(UInt32(floats.count))
            case .quantized(let blocks):
                bytes = Data(blocks)
                head.add(UInt8(1))
                head.add(UInt32(blocks.count / 18 * 32))
            }
            head.add(UInt64(place))
            head.add(UInt64(bytes.count))
            let padding = (64 - bytes.count % 64) % 64
            body += bytes + Data(count: padding)
            place += bytes.count + padding
        }
        return head + Data(count: (64 - head.count % 64) % 64) + body
    }
}

extension Data {
    fileprivate mutating func add(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// The network, plainly.
extension SyntheticModel {
    func values(_ name: String) -> [Double] {
        switch tensors.first(where: { $0.name == name })?.tensor {
        case .floats(let floats): floats.map(Double.init)
        case .quantized(let bytes):
            stride(from: 0, to: bytes.count, by: 18).flatMap { start in
                let half = Int(bytes[start]) | Int(bytes[start + 1]) << 8
                let (exponent, fraction) = (half >> 10 & 31, Double(half & 1_023))
                let size = exponent == 0 ? fraction / exp2(24) : (1 + fraction / 1_024) * exp2(Double(exponent - 15))
                let scale = half >> 15 == 1 ? -size : size
                let lows = (0..<16).map { Double(Int(bytes[start + 2 + $0] & 15) - 8) * scale }
                return lows + (0..<16).map { Double(Int(bytes[start + 2 + $0] >> 4) - 8) * scale }
            }
        case nil: []
        }
    }

    private func linear(_ rows: [[Double]], _ name: String) -> [[Double]] {
        let (weight, bias) = (values(name + ".w"), values(name + ".b"))
        return rows.map { row in
            bias.indices.map { output in
                row.indices.reduce(bias[output]) { $0 + row[$1] * weight[output * row.count + $1] }
            }
        }
    }

    private func norm(_ rows: [[Double]], _ name: String) -> [[Double]] {
        let (gain, shift) = (values(name + ".w"), values(name + ".b"))
        return rows.map { row in
            let mean = row.reduce(0, +) / Double(row.count)
            let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
            let scale = 1 / (variance + Double(epsilon)).squareRoot()
            return row.indices.map { (row[$0] - mean) * scale * gain[$0] + shift[$0] }
        }
    }

    private func attention(_ rows: [[Double]], _ layer: String) -> [[Double]] {
        let (q, k, v) = (linear(rows, layer + "q"), linear(rows, layer + "k"), linear(rows, layer + "v"))
        var mixed = rows.map { $0.map { _ in 0.0 } }
        for head in 0..<heads {
            let headWidth = width / heads
            let part = head * headWidth..<(head + 1) * headWidth
            for row in rows.indices {
                let scores = k.map { key in
                    part.reduce(0) { $0 + q[row][$1] * key[$1] } / Double(headWidth).squareRoot()
                }
                let weights = scores.map { exp($0 - (scores.max() ?? 0)) }
                let total = weights.reduce(0, +)
                for column in part {
                    mixed[row][column] = v.indices.reduce(0) { $0 + weights[$1] / total * v[$1][column] }
                }
            }
        }
        return linear(mixed, layer + "ao")
    }

    /// The states of tokens after the last layer.
    func states(_ ids: [Int32]) -> [[Double]] {
        func sum(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] { zip(a, b).map { zip($0, $1).map(+) } }
        let (words, places, kinds) = (values("emb.word"), values("emb.pos"), values("emb.type"))
        var rows = ids.enumerated().map { place, id in
            (0..<width).map { words[Int(id) * width + $0] + places[(firstPosition + place) * width + $0] + kinds[$0] }
        }
        rows = norm(rows, "emb.ln")
        for layer in 0..<layers {
            rows = norm(sum(rows, attention(rows, "l\(layer).")), "l\(layer).aln")
            let inner = linear(rows, "l\(layer).fi").map { $0.map { $0 / 2 * (1 + erf($0 / 2.0.squareRoot())) } }
            rows = norm(sum(rows, linear(inner, "l\(layer).fo")), "l\(layer).oln")
        }
        return rows
    }

    /// The mean of the states, at length 1.
    func vector(_ ids: [Int32]) -> [Float] {
        let rows = states(ids)
        let mean = (0..<width).map { column in rows.reduce(0) { $0 + $1[column] } / Double(rows.count) }
        let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return mean.map { Float($0 / length) }
    }
}

/// Calls a body with the file of a model.
func withFile(of model: SyntheticModel, _ body: (URL) throws -> Void) throws {
    try withFile(containing: model.data, body)
}

/// Calls a body with a file of these bytes.
func withFile(containing data: Data, _ body: (URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
        let url = folder.appending(path: "model.bin")
        try data.write(to: url)
        try body(url)
    }
}
