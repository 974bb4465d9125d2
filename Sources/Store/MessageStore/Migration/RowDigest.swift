import Crypto
import Foundation

/// The number and a hash of rows, in any order: the sum of the rows' SHA-256, modulo 2^64 in each of four parts.
struct RowDigest: Equatable, Sendable {
    private(set) var rowCount: Int64 = 0
    private var sums: [UInt64] = [0, 0, 0, 0]

    /// Adds a row; each value is hashed with its type and length.
    mutating func add(_ values: [SQLValue]) {
        var bytes = Data()
        for value in values {
            switch value {
            case .list: preconditionFailure("no column holds a list")
            case .null: bytes.append(0)
            case .integer(let number): bytes.append(1, UInt64(bitPattern: number))
            case .real(let number): bytes.append(2, number.bitPattern)
            case .text(let text):
                bytes.append(3, UInt64(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            case .data(let data):
                bytes.append(4, UInt64(data.count))
                bytes.append(data)
            }
        }
        SHA256.hash(data: bytes).withUnsafeBytes { hash in
            for part in sums.indices {
                sums[part] &+= hash.loadUnaligned(fromByteOffset: 8 * part, as: UInt64.self)
            }
        }
        rowCount += 1
    }
}

extension Data {
    fileprivate mutating func append(_ type: UInt8, _ number: UInt64) {
        append(type)
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
