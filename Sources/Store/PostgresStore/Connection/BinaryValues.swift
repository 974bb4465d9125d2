import CPostgres
import Foundation
import MessageStore

/// The values of a statement as they are sent.
struct EncodedValues {
    static let binary: CInt = 1

    private var bytes: [UInt8] = []
    /// Where each value begins; nil for NULL.
    private var starts: [Int?] = []
    private(set) var lengths: [CInt] = []
    private(set) var formats: [CInt] = []

    /// - Parameters:
    ///   - values: The values.
    ///   - types: The declared types; a value of another type is sent as text, which PostgreSQL can convert.
    init(_ values: [SQLValue], types: [Oid]) {
        for (value, type) in zip(values, types) {
            let start = bytes.count
            let isBinary = type == value.type
            switch value {
            case .null: break
            case .integer(let number):
                if isBinary { append(UInt64(bitPattern: number)) } else { bytes += String(number).utf8 }
            case .real(let number):
                if isBinary { append(number.bitPattern) } else { bytes += String(number).utf8 }
            case .text(let text): bytes += text.utf8
            case .data(let data): bytes += data
            case .list(.numbers(let numbers)):
                append(listOf: numbers.count, TypeNumber.int8)
                for number in numbers {
                    append(UInt32(8))
                    append(UInt64(bitPattern: number))
                }
            case .list(.texts(let texts)):
                append(listOf: texts.count, TypeNumber.text)
                for text in texts {
                    append(UInt32(clamping: text.utf8.count))
                    bytes += text.utf8
                }
            }
            starts.append(value == .null ? nil : start)
            lengths.append(CInt(clamping: bytes.count - start))
            formats.append(isBinary || !value.hasTextForm ? Self.binary : 0)
            // The end mark of a text form.
            bytes.append(0)
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// The head of an array: dimensions, whether there are NULLs, type, length, and the number of the first element.
    private mutating func append(listOf count: Int, _ type: Oid) {
        for number in [count == 0 ? 0 : 1, 0, type] { append(number) }
        guard count > 0 else { return }
        append(UInt32(clamping: count))
        append(UInt32(1))
    }

    /// Calls a body with the place of each value.
    func withPointers<Value>(_ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        bytes.withUnsafeBytes { bytes in
            let chars = bytes.assumingMemoryBound(to: CChar.self)
            return body(starts.map { start in start.flatMap { chars.baseAddress?.advanced(by: $0) } })
        }
    }
}

/// The numbers of types, from PostgreSQL's `pg_type.dat`.
private enum TypeNumber {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let int8List: Oid = 1_016
    static let textList: Oid = 1_009
    static let numeric: Oid = 1_700
    static let void: Oid = 2_278
    static let jsonb: Oid = 3_802
}

extension SQLValue {
    /// The type as which the value is bound; 0 lets PostgreSQL decide.
    var type: Oid {
        switch self {
        case .null: 0
        case .integer: TypeNumber.int8
        case .real: TypeNumber.float8
        case .text: TypeNumber.text
        case .data: TypeNumber.bytea
        case .list(.numbers): TypeNumber.int8List
        case .list(.texts): TypeNumber.textList
        }
    }

    fileprivate var hasTextForm: Bool {
        switch self {
        case .null, .integer, .real, .text: true
        case .data, .list: false
        }
    }

    /// Reads a value that PostgreSQL sent in binary form; the bytes of other types are a text.
    init(_ bytes: UnsafeRawBufferPointer, type: Oid) {
        switch type {
        case TypeNumber.bool: self = .integer(bytes.first == 1 ? 1 : 0)
        case TypeNumber.int2: self = .integer(Int64(Self.integer(bytes, as: Int16.self)))
        case TypeNumber.int4: self = .integer(Int64(Self.integer(bytes, as: Int32.self)))
        case TypeNumber.oid: self = .integer(Int64(Self.integer(bytes, as: UInt32.self)))
        case TypeNumber.int8: self = .integer(Self.integer(bytes, as: Int64.self))
        case TypeNumber.float4: self = .real(Double(Float(bitPattern: Self.integer(bytes, as: UInt32.self))))
        case TypeNumber.float8: self = .real(Double(bitPattern: Self.integer(bytes, as: UInt64.self)))
        case TypeNumber.numeric: self = Self.numeric(bytes)
        case TypeNumber.bytea: self = .data(Data(bytes))
        // A version precedes the text.
        case TypeNumber.jsonb: self = .text(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case TypeNumber.void: self = .null
        default: self = .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, as type: Number.Type
    ) -> Number {
        guard bytes.count == MemoryLayout<Number>.size else { return 0 }
        return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
    }

    /// Sums of whole numbers have this type: digits of base 10,000, of which the first has a weight.
    private static func numeric(_ bytes: UnsafeRawBufferPointer) -> SQLValue {
        func part(_ place: Int) -> Int {
            guard (place + 1) * 2 <= bytes.count else { return 0 }
            return Int(integer(UnsafeRawBufferPointer(rebasing: bytes[place * 2..<(place + 1) * 2]), as: Int16.self))
        }
        let (count, weight, isNegative) = (part(0), part(1), part(2) == 0x4000)
        var value = 0.0
        var whole: Int64? = 0
        for place in 0..<max(count, weight + 1) {
            let digit = place < count ? part(4 + place) : 0
            value += Double(digit) * pow(10_000, Double(weight - place))
            if place <= weight {
                let (product, isTooLarge) = (whole ?? 0).multipliedReportingOverflow(by: 10_000)
                let (sum, isSumTooLarge) = product.addingReportingOverflow(Int64(isNegative ? -digit : digit))
                whole = whole == nil || isTooLarge || isSumTooLarge ? nil : sum
            } else if digit != 0 {
                whole = nil
            }
        }
        return whole.map { .integer($0) } ?? .real(isNegative ? -value : value)
    }
}
