public import ChatCore

extension Judgement {
    /// The JSON that a reply has to be.
    public static let replySchema = ReplySchema(
        name: "judgement",
        schema: .object(of: ["correct": .verdict, "supported": .verdict, "relevant": .verdict]))
}

extension JudgedStatements {
    /// The JSON that a reply has to be.
    public static let replySchema = ReplySchema(
        name: "statements",
        schema: .object(of: [
            "statements": .object([
                "type": .string("array"),
                "items": .object(of: ["number": .object(["type": .string("integer")]), "supported": .verdict]),
            ])
        ]))
}

extension JSONValue {
    /// The schema of one verdict.
    fileprivate static var verdict: JSONValue {
        .object(["type": .string("string"), "enum": .array(Verdict.allCases.map { .string($0.rawValue) })])
    }

    /// The schema of an object with these fields and no others.
    fileprivate static func object(of fields: [String: JSONValue]) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .object(fields),
            "required": .array(fields.keys.sorted().map { .string($0) }), "additionalProperties": .bool(false),
        ])
    }
}
