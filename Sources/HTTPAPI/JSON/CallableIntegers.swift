import ChatCore

/// Whole numbers as Firebase clients wrap them: `{"@type": "…Int64Value", "value": "5"}`.
extension JSONValue {
    /// Returns the value with every wrapped number, at any depth, unwrapped.
    ///
    /// - Parameter path: Where the value stands, for errors.
    /// - Returns: The value without wrappers.
    /// - Throws: ``FieldError`` for a wrapper of another type or without a whole number.
    func unwrappingIntegers(at path: FieldPath = FieldPath()) throws(FieldError) -> JSONValue {
        switch self {
        case .array(let values):
            var unwrapped: [JSONValue] = []
            for (index, value) in values.enumerated() {
                unwrapped.append(try value.unwrappingIntegers(at: path[index]))
            }
            return .array(unwrapped)
        case .object(let fields):
            if let type = fields["@type"] { return try Self.integer(type, fields["value"], at: path) }
            var unwrapped: [String: JSONValue] = [:]
            for (key, value) in fields { unwrapped[key] = try value.unwrappingIntegers(at: path[key]) }
            return .object(unwrapped)
        case .null, .bool, .integer, .double, .string:
            return self
        }
    }

    private static func integer(
        _ type: JSONValue, _ value: JSONValue?, at path: FieldPath
    ) throws(FieldError) -> JSONValue {
        let prefix = "type.googleapis.com/google.protobuf."
        guard type == .string(prefix + "Int64Value") || type == .string(prefix + "UInt64Value") else {
            throw FieldError(path, "has an @type that is not known")
        }
        switch value {
        case .string(let text):
            if let number = Int64(text) { return .integer(number) }
            if let number = UInt64(text) { return .double(Double(number)) }
        case .integer(let number): return .integer(number)
        default: break
        }
        throw FieldError(path, "must hold a whole number")
    }
}
