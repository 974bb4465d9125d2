package import ChatCore

/// The fields of a JSON object, read leniently: a field of another type counts as missing.
///
/// Exports change from version to version, so only fields that a message cannot do without are required.
package struct JSONFields: Sendable {
    private let fields: [String: JSONValue]

    /// Takes an object; nil for any other value.
    package init?(object value: JSONValue?) {
        self.init(ifObject: value)
    }

    /// Takes an object.
    init(_ value: JSONValue) throws(ImportLineError) {
        guard case .object(let fields) = value else { throw ImportLineError(reason: "not a JSON object") }
        self.fields = fields
    }

    private init?(ifObject value: JSONValue?) {
        guard case .object(let fields) = value else { return nil }
        self.fields = fields
    }

    /// The value under a key.
    package subscript(key: String) -> JSONValue? { fields[key] }

    /// A text that is not empty.
    package func text(_ key: String) -> String? {
        guard case .string(let text) = fields[key], !text.isEmpty else { return nil }
        return text
    }

    /// An id that exports write as a text or as a number.
    func id(_ key: String) -> String? { fields[key].flatMap(Self.id) }

    /// A whole number, or a text of one.
    package func integer(_ key: String) -> Int64? {
        switch fields[key] {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value.rounded(.down))
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// True only for the JSON value true.
    package func isTrue(_ key: String) -> Bool { fields[key] == .bool(true) }

    /// Whether a field is anything but missing, null or false; for flags that forbid something.
    func isNotDenied(_ key: String) -> Bool {
        switch fields[key] {
        case nil, .null, .bool(false): false
        default: true
        }
    }

    /// The object under a key.
    package func object(_ key: String) -> JSONFields? { JSONFields(ifObject: fields[key]) }

    /// The elements of a list; empty if there is no list.
    package func list(_ key: String) -> [JSONValue] {
        guard case .array(let values) = fields[key] else { return [] }
        return values
    }

    /// The objects of a list; elements of another type are passed over.
    package func objects(_ key: String) -> [JSONFields] { list(key).compactMap { JSONFields(ifObject: $0) } }

    /// The texts and numbers of a list as ids.
    func ids(_ key: String) -> [String] { list(key).compactMap(Self.id) }

    /// An id that a message cannot be without.
    func requiredID(_ key: String) throws(ImportLineError) -> String {
        guard let id = id(key) else { throw missing(key) }
        return id
    }

    /// The error for a missing required field.
    func missing(_ key: String) -> ImportLineError {
        switch fields[key] {
        case nil: ImportLineError(reason: "missing field \"\(key)\"")
        case .null: ImportLineError(reason: "field \"\(key)\" is null")
        case .string(""): ImportLineError(reason: "field \"\(key)\" is empty")
        default: ImportLineError(reason: "field \"\(key)\" has the wrong type")
        }
    }

    private static func id(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        default: value.wholeNumber.map(String.init)
        }
    }
}
