/// A JSON value as it came or goes, for what has no fixed shape.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Returns how many bytes the value takes as JSON at least; counting ends soon after `limit`.
    func leastByteCount(upTo limit: Int) -> Int {
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

    /// What a reader calls this type.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
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
