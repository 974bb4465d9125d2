package import ChatCore
package import Foundation

/// Lists stored as JSON in a text column.
package enum JSONColumn {
    /// Returns the text of a list; nil for an empty list.
    package static func text<Element: Encodable>(_ list: [Element]) throws -> String? {
        guard !list.isEmpty else { return nil }
        return String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    }

    /// Returns the list of a column.
    package static func list<Element: Decodable>(_ text: String?) throws -> [Element] {
        guard let text, text != "[]" else { return [] }
        return try JSONDecoder().decode([Element].self, from: Data(text.utf8))
    }

    /// Returns the text of a value.
    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Returns the value of a column.
    package static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}

/// Vectors as they are stored: Float32, little-endian.
package enum VectorColumn {
    /// The bytes of a hash or key.
    package static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    /// The components of a vector as Float32, little-endian.
    package static func data(_ vector: [Float]) -> Data {
        guard UInt32(1).littleEndian != 1 else { return vector.withUnsafeBytes { Data($0) } }
        return vector.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
    }

    /// Reads the components of a vector; fails if the bytes are no whole number of them.
    package static func vector(_ data: Data) throws(RepositoryError) -> [Float] {
        guard data.count.isMultiple(of: 4) else {
            throw .unavailable(reason: "a stored vector has a broken length")
        }
        let vector = [Float](unsafeUninitializedCapacity: data.count / 4) { components, count in
            data.copyBytes(to: UnsafeMutableRawBufferPointer(components))
            count = data.count / 4
        }
        guard UInt32(1).littleEndian != 1 else { return vector }
        return vector.map { Float(bitPattern: UInt32(littleEndian: $0.bitPattern)) }
    }
}
