import ChatCore
import Foundation

/// Vectors as they are kept: Float32, little-endian.
enum VectorColumn {
    static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    static func data(_ vector: [Float]) -> Data {
        guard UInt32(1).littleEndian != 1 else { return vector.withUnsafeBytes { Data($0) } }
        return vector.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
    }

    static func vector(_ data: Data) throws(RepositoryError) -> [Float] {
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
