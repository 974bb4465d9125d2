/// The numbers that a service is asked to write vectors with, and the field of the request that says so.
///
/// Services divide and round components differently, but always the same for questions and passages, so cosines stay
/// comparable. Vectors are stored as floats of length 1 whatever their numbers were.
package struct OutputType: Hashable, Sendable {
    /// The field.
    package enum Field: String, Sendable {
        /// Voyage and Mistral. They also want `output_dimension` instead of `dimensions`; Voyage refuses that, and
        /// `encoding_format: float`.
        case outputDtype = "output_dtype"
        /// Jina.
        case embeddingType = "embedding_type"
        /// Cohere: a list.
        case embeddingTypes = "embedding_types"
    }

    /// The numbers.
    package enum Numbers: String, CaseIterable, Sendable {
        case float
        /// Components of -128...127.
        case int8
        /// The same, moved to 0...255.
        case uint8
        /// The signs of eight components in a number of -128...127, the first in the highest bit.
        case binary
        /// The same in 0...255.
        case ubinary
    }

    package var field: Field
    package var numbers: Numbers

    package init(field: Field, numbers: Numbers) { (self.field, self.numbers) = (field, numbers) }

    /// Reads `int8` or `embedding_type=int8`; nil for another text.
    package init?(_ text: String) {
        let words = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(words.count), let numbers = Numbers(rawValue: words[words.count - 1]) else { return nil }
        guard words.count == 2 else {
            self.init(field: .outputDtype, numbers: numbers)
            return
        }
        guard let field = Field(rawValue: words[0]) else { return nil }
        self.init(field: field, numbers: numbers)
    }

    /// The text that is read as this value.
    package var text: String { "\(field.rawValue)=\(numbers.rawValue)" }
}

extension OutputType.Numbers {
    /// Returns the components of a vector that came as numbers.
    ///
    /// Bits become 1 and -1. Whether a service swaps bits in a byte or the sign of each first one does not change cosines,
    /// as long as it does so in all vectors. Floats of a service that ignores the type stay as they are.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the reply.
    ///   - dimensions: The components that are expected; nil if that is not known.
    /// - Returns: The components, not scaled.
    func components(of numbers: [Float], dimensions: Int?) -> [Float] {
        guard self != .float, numbers.allSatisfy({ $0 == $0.rounded() && (-128...255).contains($0) }) else {
            return numbers
        }
        switch self {
        case .float, .int8: return numbers
        case .uint8: return numbers.contains { $0 < 0 } ? numbers : numbers.map { $0 - 128 }
        case .binary, .ubinary:
            // Some servers send a number for each bit.
            if let dimensions, numbers.count == dimensions { return numbers.map { $0 > 0 ? 1 : -1 } }
            let first = self == .binary ? 128 : 0
            return Self.signs(
                of: numbers.lazy.map { UInt8(truncatingIfNeeded: Int($0) + first) }, dimensions: dimensions)
        }
    }

    /// Returns the components of a vector that came as bytes: those of its numbers, or of floats if the service ignores the
    /// type.
    func components(of bytes: [UInt8], dimensions: Int?) -> [Float] {
        if let floats = Self.floats(of: bytes, dimensions: dimensions, isSure: self == .float) { return floats }
        return switch self {
        case .float: []
        case .int8: bytes.map { Float(Int8(bitPattern: $0)) }
        case .uint8: bytes.map { Float($0) - 128 }
        case .binary: Self.signs(of: bytes.lazy.map { $0 ^ 0x80 }, dimensions: dimensions)
        case .ubinary: Self.signs(of: bytes, dimensions: dimensions)
        }
    }

    private static func signs(of bytes: some Sequence<UInt8>, dimensions: Int?) -> [Float] {
        var signs: [Float] = []
        for byte in bytes {
            for bit in 0..<8 { signs.append(byte & (0x80 >> bit) == 0 ? -1 : 1) }
        }
        // The last byte is filled up.
        if let dimensions, signs.count > dimensions, signs.count - dimensions < 8 {
            signs.removeLast(signs.count - dimensions)
        }
        return signs
    }

    /// Returns bytes as little-endian floats; nil if they are none: small integers and bits, four at a time, make floats of
    /// sizes that no vector has.
    private static func floats(of bytes: [UInt8], dimensions: Int?, isSure: Bool) -> [Float]? {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        let floats = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { place in
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
        }
        if isSure { return floats }
        if let dimensions { return floats.count == dimensions && bytes.count != dimensions ? floats : nil }
        let areLikely = floats.allSatisfy { $0 == 0 || (1e-7...100).contains($0.magnitude) }
        return floats.count >= 8 && areLikely ? floats : nil
    }
}
