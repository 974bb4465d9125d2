import NexusModel

/// What the schema of a type of the wire says in addition to the names and types of its fields.
struct ReplyNotes: Sendable {
    /// The name under which descriptions share the schema; nil for an inline one.
    let name: String?
    /// The schemas of fields whose names and types do not say enough.
    let fields: [String: JSONSchema]
    /// Optional fields that this server always writes.
    let always: Set<String>
    /// Optional fields that it never writes here.
    let never: Set<String>
    /// A line for people.
    let description: String?

    init(
        _ name: String? = nil, _ fields: [String: JSONSchema] = [:], always: Set<String> = [],
        never: Set<String> = [], description: String? = nil
    ) {
        self.name = name
        self.fields = fields
        self.always = always
        self.never = never
        self.description = description
    }
}

/// A type of the wire with notes for its schema.
protocol NotedReply: Codable {
    static var replyNotes: ReplyNotes { get }
}

extension JSONSchema {
    /// The form of times in a reply.
    private struct TimeForm {
        let schema: JSONSchema
        /// Put before the names of schemas with times.
        let prefix: String
    }

    /// Returns the schema of a type that the server writes: an object with its fields and no others.
    ///
    /// A field that is not optional, or that the notes name, is always there. Without a note, texts named `id` or
    /// `…Id` are identifiers, and texts named `…At`, `timestamp` and `queryTime` are times.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - notes: What is noted of it; nil for its own notes.
    ///   - time: The form of its times.
    ///   - prefix: Put before the names of schemas whose times have another form.
    /// - Returns: The schema; one without fields, which no reply fits, for a type that cannot be recorded or does not
    ///   read all its properties.
    static func reply<Value: Decodable>(
        _ type: Value.Type, notes: ReplyNotes? = nil, time: JSONSchema = time, prefix: String = ""
    ) -> JSONSchema {
        object(type, notes, TimeForm(schema: time, prefix: prefix)).schema
    }

    private static func object<Value: Decodable>(
        _ type: Value.Type, _ notes: ReplyNotes?, _ form: TimeForm
    ) -> (schema: JSONSchema, hasTimes: Bool) {
        guard let (value, fields) = try? RecordingDecoder.record(type) else { return (closed(), false) }
        let children = Mirror(reflecting: value).children
        // A decoder that forgets a property would hide it here.
        guard Set(children.compactMap(\.label)) == Set(fields.all.map(\.name)) else { return (closed(), false) }
        let notes = notes ?? (type as? any NotedReply.Type)?.replyNotes ?? ReplyNotes()
        let optional = Set(
            children.filter { Mirror(reflecting: $0.value).displayStyle == .optional }.compactMap(\.label))
        var hasTimes = false
        let properties = fields.all.filter { !notes.never.contains($0.name) }.map { name, type, _ in
            let isMaybe = optional.contains(name) && !notes.always.contains(name)
            let (schema, isTime) = notes.fields[name].map { ($0, false) } ?? field(name, type, form)
            hasTimes = hasTimes || isTime
            return isMaybe ? Property.maybe(name, schema) : .always(name, schema)
        }
        var schema = closed().adding(properties)
        if let line = notes.description { schema = schema.described(line) }
        return (notes.name.map { schema.named((hasTimes ? form.prefix : "") + $0) } ?? schema, hasTimes)
    }

    /// Returns the schema of a type that reads other fields for each word of its field `type`.
    ///
    /// - Returns: The schema of one word; one without fields if the type does not read it.
    static func variant<Value: Decodable>(of type: Value.Type, _ word: String, named name: String) -> JSONSchema {
        guard let (_, fields) = try? RecordingDecoder.record(type, ofType: word) else { return closed() }
        let properties = fields.all.filter { $0.name != "type" }.map { field in
            let schema = Self.field(field.name, field.type, TimeForm(schema: time, prefix: "")).schema
            return field.isOptional ? Property.maybe(field.name, schema) : .always(field.name, schema)
        }
        return closed(.always("type", Self.word([word]))).adding(properties).named(name)
    }

    private static func field(
        _ name: String, _ type: any Decodable.Type, _ form: TimeForm
    ) -> (schema: JSONSchema, hasTimes: Bool) {
        switch type {
        case is String.Type:
            if name == "id" || name.hasSuffix("Id") || name.hasSuffix("Ids") { return (identifier, false) }
            return name.hasSuffix("At") || name == "timestamp" || name == "queryTime"
                ? (form.schema, true) : (string, false)
        case is any OpenWord.Type: return (string, false)
        case is Bool.Type: return (flag, false)
        case is Int.Type, is Int64.Type: return (integer, false)
        case is Double.Type: return (number, false)
        case is JSONContent.Type: return (any, false)
        case let list as any ElementType.Type:
            let (schema, hasTimes) = field(name, list.elementType, form)
            return (list.isList ? array(of: schema) : map(of: schema), hasTimes)
        default: return object(type, nil, form)
        }
    }
}

/// A list, or an object whose keys are not known.
private protocol ElementType {
    static var elementType: any Decodable.Type { get }
    static var isList: Bool { get }
}

extension Array: ElementType where Element: Decodable {
    fileprivate static var elementType: any Decodable.Type { Element.self }
    fileprivate static var isList: Bool { true }
}

extension Dictionary: ElementType where Key == String, Value: Decodable {
    fileprivate static var elementType: any Decodable.Type { Value.self }
    fileprivate static var isList: Bool { false }
}
