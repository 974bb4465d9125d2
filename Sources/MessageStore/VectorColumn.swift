import ChatCore
import Foundation

/// Vectors as they are kept: Float32, little-endian.
enum VectorColumn {
    static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    static func data(_ vector: [Float]) -> Data {
        vector.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
    }

    static func vector(_ data: Data) throws(RepositoryError) -> [Float] {
        guard data.count.isMultiple(of: 4) else {
            throw .unavailable(reason: "a stored vector has a broken length")
        }
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { index in
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
            }
        }
    }
}
