package import ChatCore

/// The items that a language model should extract from messages: one value makes the JSON schema for the service and
/// says how a reply is read.
package struct ExtractionSchema: Hashable, Sendable {
    /// The meaning of a field of an item; each occurs at most once in a schema.
    package enum Role: Hashable, Sendable {
        /// The number of the message that the item is based on.
        case message
        /// The description of the task, decision or date, or why a message matters.
        case text
        /// A participant's name.
        case person
        /// The due date in the message's own words.
        case due(isRequired: Bool)
        /// How much it matters.
        case priority
        /// The words of the message.
        case quote
        /// The number of the message of an earlier decision that this one takes the place of.
        case supersedes
        /// How urgent a message is, 0 to 1.
        case score
    }

    /// One field of an item.
    package struct Field: Hashable, Sendable {
        /// The name in the JSON.
        package let name: String
        /// The meaning.
        package let role: Role
        /// The description for the model.
        package let description: String

        init(_ name: String, _ role: Role, _ description: String) {
            (self.name, self.role, self.description) = (name, role, description)
        }
    }

    /// Its name, also towards the service.
    package let name: String
    /// The kind of stored item; nil if items are not stored.
    package let itemKind: ExtractedItem.Kind?
    /// The fields of an item, in the order of the schema.
    package let fields: [Field]

    /// Returns the field with a meaning.
    func field(_ isWanted: (Role) -> Bool) -> Field? { fields.first { isWanted($0.role) } }

    /// Whether an item without a date is invalid.
    var requiresDate: Bool { fields.contains { $0.role == .due(isRequired: true) } }
    /// Whether an item may have a date.
    var hasDate: Bool { requiresDate || fields.contains { $0.role == .due(isRequired: false) } }

    private static let messageField = Field(
        "message", .message, "The number of the message that says it, from the list of messages.")
    private static let quoteField = Field(
        "quote", .quote, "The words of that message that say it, copied letter by letter, at most 200 characters.")

    private static let movedField = Field(
        "supersedes", .supersedes,
        "The number of the earlier message whose date for the same thing this one moves; null if none.")

    /// Tasks that somebody accepted or was given.
    package static let actionItems = ExtractionSchema(
        name: "action_items", itemKind: .actionItem,
        fields: [
            messageField, Field("task", .text, "What is to be done, as one short sentence in the message's language."),
            Field("assignee", .person, "The participant who is to do it, by the name in the list; null if unclear."),
            Field(
                "deadline", .due(isRequired: false),
                "The words of the messages that say by when, copied (\"by Friday\"), or a date as YYYY-MM-DD; null if none."
            ),
            Field(
                "priority", .priority, "high if it is urgent or blocks others, low if it can wait, otherwise medium."),
            movedField, quoteField,
        ])

    /// Decisions.
    package static let decisions = ExtractionSchema(
        name: "decisions", itemKind: .decision,
        fields: [
            messageField,
            Field("decision", .text, "What was decided, as one short sentence in the message's language."),
            Field("decidedBy", .person, "The participant who decided it, by the name in the list; null if unclear."),
            Field(
                "supersedes", .supersedes,
                "The number of the earlier message whose decision this one changes or takes back; null if none."),
            quoteField,
        ])

    /// Dates that are due.
    package static let deadlines = ExtractionSchema(
        name: "deadlines", itemKind: .deadline,
        fields: [
            messageField, Field("what", .text, "What is due, as one short phrase in the message's language."),
            Field(
                "when", .due(isRequired: true),
                "The words of the messages that say when, copied (\"by Friday\"), or a date as YYYY-MM-DD; null only if it "
                    + "replaces an earlier one whose date stays."),
            Field("whose", .person, "The participant who has to keep it, by the name in the list; null if unclear."),
            movedField, quoteField,
        ])

    /// How urgent unread messages are.
    package static let priorities = ExtractionSchema(
        name: "priorities", itemKind: nil,
        fields: [
            messageField,
            Field("score", .score, "How soon the reader should see it: 0 not at all, 0.5 today, 1 at once."),
            Field("reason", .text, "Why, in a few words, in the message's language."),
        ])

    /// Returns the schema for stored items of a kind.
    package static func schema(for kind: ExtractedItem.Kind) -> ExtractionSchema {
        switch kind {
        case .actionItem: actionItems
        case .decision: decisions
        case .deadline: deadlines
        }
    }
}

extension ExtractionSchema {
    /// The name of the list in a reply.
    package static let listName = "items"

    /// The JSON schema of a reply, for `response_format`; strict, so that every field is required and may be null.
    package var jsonSchema: JSONValue {
        let item = object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.jsonSchema) }), fields.map(\.name))
        return object([Self.listName: .object(["type": .string("array"), "items": item])], [Self.listName])
    }

    private func object(_ properties: [String: JSONValue], _ required: [String]) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .object(properties),
            "required": .array(required.map { .string($0) }), "additionalProperties": .bool(false),
        ])
    }
}

extension ExtractionSchema.Field {
    /// The types that JSON schema names.
    private var types: [String] {
        switch role {
        case .message: ["integer"]
        case .supersedes: ["integer", "null"]
        case .score: ["number"]
        case .text, .quote, .priority: ["string"]
        case .person, .due: ["string", "null"]
        }
    }

    /// Whether a reply may leave it open.
    package var isNullable: Bool { types.count > 1 }

    var jsonSchema: JSONValue {
        var schema: [String: JSONValue] = [
            "type": types.count == 1 ? .string(types[0]) : .array(types.map { .string($0) }),
            "description": .string(description),
        ]
        if role == .priority {
            schema["enum"] = .array(ExtractedItem.Priority.allCases.map { .string($0.rawValue) })
        }
        return .object(schema)
    }
}
