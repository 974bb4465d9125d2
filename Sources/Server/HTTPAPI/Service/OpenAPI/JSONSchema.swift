import ChatCore

/// A JSON schema (2020-12), built of values, so that the compiler checks the description of the API.
struct JSONSchema: Sendable {
    /// A field of an object.
    struct Property: Sendable {
        let name: String
        let schema: JSONSchema
        let isRequired: Bool
        /// Whether requests may have it, without effect.
        var isIgnored = false

        /// A field that is always there.
        static func always(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: true)
        }

        /// A field that older clients send, and that has no effect.
        static func ignored(_ name: String) -> Property {
            let schema = JSONSchema.any.described("Ignored: clients of other services send it.").deprecated
            return Property(name: name, schema: schema, isRequired: false, isIgnored: true)
        }

        /// A field that may be missing.
        static func maybe(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: false)
        }
    }

    /// The name under which descriptions share it; nil for an inline schema.
    private(set) var name: String?
    private var keywords: [String: JSONValue]
    /// The fields of an object; nil for other types.
    private(set) var properties: [Property]?
    /// The schemas of other fields: none if empty, any if nil.
    private(set) var others: [JSONSchema]?
    /// The schema of a list's items; empty for other types.
    private(set) var items: [JSONSchema] = []
    private(set) var alternatives: [JSONSchema] = []
    /// The field that tells the alternatives apart; nil for alternatives that are not told apart.
    private var discriminator: String?

    private init(_ keywords: [String: JSONValue] = [:]) {
        self.keywords = keywords
    }
}

extension JSONSchema {
    /// Anything.
    static let any = JSONSchema()
    static let null = JSONSchema(["type": .string("null")])
    static let flag = JSONSchema(["type": .string("boolean")])
    static let number = JSONSchema(["type": .string("number")])
    static let string = JSONSchema(["type": .string("string")])
    /// ISO 8601 in UTC.
    static let time = JSONSchema(["type": .string("string"), "format": .string("date-time")])
    /// Bytes of any type: the old keyword, because generators read no other.
    static let bytes = JSONSchema(["type": .string("string"), "format": .string("binary")])
    /// An id that a client chose.
    static let identifier = text(1...Identifier<Conversation>.byteLimit)
    static let integer = JSONSchema(["type": .string("integer")])

    static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            "type": .string("integer"), "minimum": .integer(Int64(range.lowerBound)),
            "maximum": .integer(Int64(range.upperBound)),
        ])
    }

    static func integer(atLeast least: Int64) -> JSONSchema {
        JSONSchema(["type": .string("integer"), "minimum": .integer(least)])
    }

    /// A text with this number of characters.
    static func text(_ count: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            "type": .string("string"), "minLength": .integer(Int64(count.lowerBound)),
            "maxLength": .integer(Int64(count.upperBound)),
        ])
    }

    /// One of the words of a type.
    static func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> JSONSchema
    where Word.RawValue == String {
        word(Word.allCases.map(\.rawValue))
    }

    static func word(_ words: [String]) -> JSONSchema {
        JSONSchema(["type": .string("string"), "enum": .array(words.map { .string($0) })])
    }

    /// A word of a list that may grow: no enumeration, because clients that were made from it would refuse a later one.
    static func openWord(_ words: [String]) -> JSONSchema {
        JSONSchema(["type": .string("string"), "x-extensible-enum": .array(words.map { .string($0) })])
    }

    static func array(of schema: JSONSchema, atMost limit: Int? = nil) -> JSONSchema {
        var array = JSONSchema(["type": .string("array")])
        array.items = [schema]
        array.keywords["maxItems"] = limit.map { .integer(Int64($0)) }
        return array
    }

    /// An object with these fields and no others.
    static func closed(_ properties: Property...) -> JSONSchema {
        var object = object(properties)
        object.others = []
        return object
    }

    /// An object with these fields; others are ignored, for requests of other protocols.
    static func open(_ properties: Property...) -> JSONSchema { object(properties) }

    /// An object whose keys are not known.
    static func map(of schema: JSONSchema) -> JSONSchema {
        var object = object([])
        object.others = [schema]
        return object
    }

    static func anyOf(_ alternatives: JSONSchema...) -> JSONSchema {
        var schema = JSONSchema()
        schema.alternatives = alternatives
        return schema
    }

    /// One of several objects, which the word in a field tells apart.
    static func oneOf(_ alternatives: [JSONSchema], by field: String = "type") -> JSONSchema {
        var schema = anyOf()
        schema.alternatives = alternatives
        schema.discriminator = field
        return schema
    }

    private static func object(_ properties: [Property]) -> JSONSchema {
        var object = JSONSchema(["type": .string("object")])
        object.properties = properties
        return object
    }

    /// The same under a name that no other schema has.
    func named(_ name: String) -> JSONSchema {
        var schema = self
        schema.name = name
        return schema
    }

    /// The same object with further fields.
    func adding(_ further: [Property]) -> JSONSchema {
        var schema = self
        schema.properties = (properties ?? []) + further
        return schema
    }

    /// The same for clients of another protocol: fields that are not named are ignored.
    ///
    /// - Parameter prefix: Put before the names of schemas that change.
    /// - Returns: The schema, in which no object refuses other fields.
    func tolerant(_ prefix: String) -> JSONSchema {
        var schema = self
        schema.properties = properties?.map {
            Property(name: $0.name, schema: $0.schema.tolerant(prefix), isRequired: $0.isRequired)
        }
        schema.items = items.map { $0.tolerant(prefix) }
        schema.alternatives = alternatives.map { $0.tolerant(prefix) }
        if others?.isEmpty == true { (schema.others, schema.name) = (nil, name.map { prefix + $0 }) }
        return schema
    }

    /// Whether it is a text that is none of the schema's words.
    func isOtherWord(_ value: JSONValue?) -> Bool {
        guard let value, case .array(let words)? = keywords["enum"] else { return false }
        // One of several words tells no alternatives apart: another one is just wrong.
        return words.count == 1 && !words.contains(value)
    }

    /// The same object, which must be empty.
    var withoutFields: JSONSchema { with("maxProperties", .integer(0)) }

    /// The same, not for new clients.
    var deprecated: JSONSchema { with("deprecated", .bool(true)) }

    /// The same with a line for people.
    func described(_ text: String) -> JSONSchema { with("description", .string(text)) }

    /// The same with a default value.
    func standard(_ value: JSONValue) -> JSONSchema { with("default", value) }

    private func with(_ keyword: String, _ value: JSONValue) -> JSONSchema {
        var schema = self
        schema.keywords[keyword] = value
        return schema
    }
}

extension JSONSchema {
    /// The schema without references.
    var inline: JSONValue { value { $0.inline } }

    /// Returns the schema with named parts as references; they are added to `components`.
    ///
    /// A reply of a later server may have more fields, so only requests say that there are no others.
    func reference(_ components: inout [String: JSONValue], isReply: Bool) -> JSONValue {
        func written() -> JSONValue {
            let whole = value { $0.reference(&components, isReply: isReply) }
            guard case .object(var fields) = whole else { return whole }
            if isReply, fields["additionalProperties"] == .bool(false) { fields["additionalProperties"] = nil }
            return .object(fields)
        }
        guard let name else { return written() }
        if components[name] == nil { components[name] = written() }
        return .object(["$ref": .string("#/components/schemas/" + name)])
    }

    /// A value that fits the schema; fields have the values that their names suggest.
    ///
    /// - Parameters:
    ///   - name: The field that it is for.
    ///   - isRequest: Whether optional fields are left out if others are required.
    /// - Returns: The value.
    func example(for name: String = "", isRequest: Bool) -> JSONValue {
        if let first = alternatives.first { return first.example(for: name, isRequest: isRequest) }
        if let words = keywords["enum"], case .array(let values) = words { return values.first ?? .null }
        switch keywords["type"] {
        case .string("object"): return objectExample(isRequest: isRequest)
        case .string("array"):
            return .array(items.map { $0.example(for: name, isRequest: isRequest) })
        case .string("boolean"): return .bool(false)
        case .string("null"): return .null
        case .string("integer"):
            guard case .integer(let least)? = keywords["minimum"] else { return .integer(1) }
            guard case .integer(let most)? = keywords["maximum"] else { return .integer(max(1, least)) }
            return .integer(min(max(1, least), most))
        case .string("number"): return .double(0.5)
        case .string("string"):
            let text = ExampleText.text(for: name, isTime: keywords["format"] == .string("date-time"))
            guard case .integer(let most)? = keywords["maxLength"] else { return .string(text) }
            return .string(String(text.prefix(Int(most))))
        default: return .object([:])
        }
    }

    private func objectExample(isRequest: Bool) -> JSONValue {
        let all = properties ?? []
        let required = all.filter(\.isRequired)
        // Examples leave out fields that need an explanation.
        let left: Set<String> = ["userId", "next", "error", "leftAt", "deletedAt", "editedAt"]
        let optional = all.filter { !$0.isRequired && !left.contains($0.name) }
        let shown = isRequest ? required + (required.isEmpty ? optional.prefix(1) : []) : required + optional
        return .object(
            shown.reduce(into: [:]) { $0[$1.name] = $1.schema.example(for: $1.name, isRequest: isRequest) })
    }

    /// Writes the keywords; `child` writes the nested schemas.
    private func value(_ child: (JSONSchema) -> JSONValue) -> JSONValue {
        var value = keywords
        if let properties, !properties.isEmpty {
            value["properties"] = .object(
                properties.reduce(into: [:]) { $0[$1.name] = child($1.schema) })
            let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { value["required"] = .array(required) }
        }
        if let others { value["additionalProperties"] = others.first.map(child) ?? .bool(false) }
        if let item = items.first { value["items"] = child(item) }
        if !alternatives.isEmpty {
            let written = alternatives.map(child)
            value[discriminator == nil ? "anyOf" : "oneOf"] = .array(written)
            value["discriminator"] = discriminator.map { discriminatorValue($0, written) }
        }
        return .object(value)
    }
}

extension JSONSchema {
    /// Writes which word means which alternative; those without names cannot be referred to.
    private func discriminatorValue(_ field: String, _ written: [JSONValue]) -> JSONValue {
        var mapping: [String: JSONValue] = [:]
        for (alternative, value) in zip(alternatives, written) {
            guard case .object(let fields) = value, let reference = fields["$ref"] else { continue }
            for word in alternative.words(of: field) { mapping[word] = reference }
        }
        return .object(["propertyName": .string(field), "mapping": .object(mapping)])
    }

    private func words(of field: String) -> [String] {
        guard let property = properties?.first(where: { $0.name == field }),
            case .array(let words)? = property.schema.keywords["enum"]
        else { return [] }
        return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
    }
}
