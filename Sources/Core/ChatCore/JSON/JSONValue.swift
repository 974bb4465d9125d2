/// Any JSON.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A number: an integer if it is whole and exact.
    public static func number(_ value: Double) -> JSONValue {
        let isExact = value.magnitude < 9_007_199_254_740_992
        return isExact ? Int64(exactly: value).map { .integer($0) } ?? .double(value) : .double(value)
    }

    /// The value of a number; nil for other types.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The value of a whole number; nil for other values, and for numbers that do not fit.
    public var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The name of the type for readers.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Returns a lower bound for the size of the value as JSON, in bytes; counting ends soon after `limit`.
    public func leastByteCount(upTo limit: Int) -> Int {
        var count = 0
        add(to: &count, upTo: limit)
        return count
    }

    private func add(to count: inout Int, upTo limit: Int) {
        guard count <= limit else { return }
        switch self {
        case .null, .bool: count += 4
        case .integer, .double: count += 1
        case .string(let text): count += text.utf8.count + 2
        case .array(let values):
            count += max(values.count + 1, 2)
            for value in values where count <= limit { value.add(to: &count, upTo: limit) }
        case .object(let fields):
            count += 2
            for (key, value) in fields where count <= limit {
                count += key.utf8.count + 4
                value.add(to: &count, upTo: limit)
            }
        }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields): try container.encode(fields)
        }
    }
}
