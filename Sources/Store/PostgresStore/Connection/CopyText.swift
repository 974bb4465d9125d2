import Foundation
import MessageStore

/// Rows in the text format of `COPY`.
struct CopyText {
    /// Bytes that are collected before they are sent.
    static let portionByteCount = 256 * 1024

    private static let digits = Array("0123456789abcdef".utf8)

    var bytes: [UInt8] = []

    mutating func append(_ row: [SQLValue]) {
        for (place, value) in row.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: "\t")) }
            switch value {
            case .list: preconditionFailure("no column holds a list")
            case .null: bytes += #"\N"#.utf8
            case .integer(let number): bytes += String(number).utf8
            case .real(let number): bytes += String(number).utf8
            case .text(let text): append(text)
            case .data(let data):
                bytes += #"\\x"#.utf8
                for byte in data {
                    bytes.append(Self.digits[Int(byte >> 4)])
                    bytes.append(Self.digits[Int(byte & 15)])
                }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
            case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
            default: bytes.append(byte)
            }
        }
    }
}
