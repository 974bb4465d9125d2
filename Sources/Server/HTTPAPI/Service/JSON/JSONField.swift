import ChatCore

/// A value of a request with its path, read by type; each error names the field at fault.
struct JSONField {
    /// The value; nil if the field is missing.
    let value: JSONValue?
    let path: FieldPath
    /// Whether it is there as `null`.
    private let isNull: Bool

    init(_ value: JSONValue?, at path: FieldPath = FieldPath()) {
        // `null` means the same as a missing field.
        isNull = value == .null
        self.value = isNull ? nil : value
        self.path = path
    }

    /// Whether something is there.
    var isPresent: Bool { value != nil }

    /// Whether something is there, or `null`, for changes in which `null` resets a field.
    var isGiven: Bool { isPresent || isNull }

    /// Returns a field of an object; a missing field if this is not an object.
    subscript(key: String) -> JSONField {
        guard case .object(let fields) = value else { return JSONField(nil, at: path[key]) }
        return JSONField(fields[key], at: path[key])
    }

    /// Returns this value after checking that it is an object.
    func object() throws(FieldError) -> JSONField {
        guard case .object = value else { throw wrongType("an object") }
        return self
    }

    /// Returns this value, and refuses `null`, which is a mistake in the fields of the asker and of names.
    func refusingNull() throws(FieldError) -> JSONField {
        guard !isNull else { throw error("must be a string, not null; leave it out") }
        return self
    }

    func optionalString() throws(FieldError) -> String? {
        switch value {
        case nil: return nil
        case .string(let text): return text
        default: throw wrongType("a string")
        }
    }

    func string() throws(FieldError) -> String {
        guard let text = try optionalString() else { throw missing }
        return text
    }

    func optionalFlag() throws(FieldError) -> Bool? {
        switch value {
        case nil: return nil
        case .bool(let flag): return flag
        default: throw wrongType("true or false")
        }
    }

    /// Reads a whole number; `5.0` is one.
    func optionalInteger(in range: ClosedRange<Int>) throws(FieldError) -> Int? {
        let number: Double
        switch value {
        case nil: return nil
        case .integer(let value):
            if let exact = Int(exactly: value), range.contains(exact) { return exact }
            throw error("must lie in \(range.lowerBound)...\(range.upperBound)")
        case .double(let value): number = value
        default: throw wrongType("a whole number")
        }
        guard number.rounded() == number else { throw wrongType("a whole number") }
        guard let exact = Int(exactly: number), range.contains(exact) else {
            throw error("must lie in \(range.lowerBound)...\(range.upperBound)")
        }
        return exact
    }

    /// Returns the elements of an array; nil when it is missing.
    func optionalArray(atMost limit: Int = .max) throws(FieldError) -> [JSONField]? {
        switch value {
        case nil: return nil
        case .array(let values):
            guard values.count <= limit else { throw error("must have at most \(limit) items") }
            return values.enumerated().map { JSONField($0.element, at: path[$0.offset]) }
        default: throw wrongType("an array")
        }
    }

    func optionalIdentifier<Subject>() throws(FieldError) -> Identifier<Subject>? {
        guard let text = try optionalString() else { return nil }
        guard let id = Identifier<Subject>(validating: text) else {
            throw error("must have 1 to \(Identifier<Subject>.byteLimit) bytes and no control characters")
        }
        return id
    }

    func identifier<Subject>() throws(FieldError) -> Identifier<Subject> {
        guard let id: Identifier<Subject> = try optionalIdentifier() else { throw missing }
        return id
    }

    /// Reads ISO 8601 with a zone, or milliseconds since 1970.
    func optionalTimestamp() throws(FieldError) -> Timestamp? {
        switch value {
        case nil: return nil
        case .string(let text):
            if let moment = Timestamp(iso8601: text) { return moment }
        case .integer(let milliseconds):
            if let exact = milliseconds.multiplied(by: 1_000), Timestamp(microseconds: exact).isOnCalendar {
                return Timestamp(microseconds: exact)
            }
        case .double(let milliseconds):
            if let exact = Int64(exactly: (milliseconds * 1_000).rounded()),
                Timestamp(microseconds: exact).isOnCalendar
            {
                return Timestamp(microseconds: exact)
            }
        default: break
        }
        throw error("must be a time such as 2025-10-23T10:30:00Z, or milliseconds since 1970")
    }

    /// Reads one of a closed set of words.
    func optionalWord<Word: RawRepresentable & CaseIterable>() throws(FieldError) -> Word?
    where Word.RawValue == String {
        guard let text = try optionalString() else { return nil }
        guard let word = Word(rawValue: text) else {
            throw error("must be one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// Reads one of a closed set of words.
    func word<Word: RawRepresentable & CaseIterable>() throws(FieldError) -> Word where Word.RawValue == String {
        guard let word: Word = try optionalWord() else { throw missing }
        return word
    }

    /// Returns the error of a missing field.
    var missing: FieldError { error("is missing") }

    /// Returns an error about this field.
    func error(_ reason: String) -> FieldError { FieldError(path, reason) }

    private func wrongType(_ wanted: String) -> FieldError {
        guard let value else { return missing }
        return error("must be \(wanted), not \(value.typeName)")
    }
}

/// A field of a request that breaks a rule.
struct FieldError: Error, Equatable {
    /// The path, such as `messages[2].text`; empty for the whole body.
    let field: String
    /// The rule, as the rest of a sentence: "must be a string".
    let reason: String

    init(_ path: FieldPath, _ reason: String) {
        field = path.description
        self.reason = reason
    }
}

/// The path of a value in a request.
struct FieldPath: Equatable, CustomStringConvertible {
    /// The longest part of a key that an error repeats.
    static let keyLimit = 64

    let description: String

    init(_ description: String = "") {
        self.description = description
    }

    subscript(key: String) -> FieldPath {
        let key = String(key.prefix(Self.keyLimit))
        return FieldPath(description.isEmpty ? key : "\(description).\(key)")
    }

    subscript(index: Int) -> FieldPath { FieldPath("\(description)[\(index)]") }
}

/// Whole numbers in the wrappers of Firebase clients: `{"@type": "…Int64Value", "value": "5"}`.
extension JSONValue {
    /// Returns the value with every wrapped number, at any depth, unwrapped.
    ///
    /// - Parameter path: The path of the value, for errors.
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
