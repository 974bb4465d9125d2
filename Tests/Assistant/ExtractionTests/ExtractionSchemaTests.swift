import ChatCore
import Extraction
import Foundation
import Testing

@Suite("Extraction schemas")
struct ExtractionSchemaTests {
    @Test("make a strict JSON schema of the fields that are read")
    func actionItems() throws {
        let schema = ExtractionSchema.actionItems.jsonSchema
        let item = try #require(schema["properties"]?["items"]?["items"])

        #expect(schema["required"] == .array([.string("items")]))
        #expect(schema["additionalProperties"] == .bool(false))
        #expect(
            item["required"]
                == .array(
                    ["message", "task", "assignee", "deadline", "priority", "supersedes", "quote"]
                        .map { .string($0) }))
        #expect(item["properties"]?["message"]?["type"] == .string("integer"))
        #expect(item["properties"]?["deadline"]?["type"] == .array([.string("string"), .string("null")]))
        #expect(
            item["properties"]?["priority"]?["enum"] == .array(["high", "medium", "low"].map { .string($0) }))
    }

    @Test(
        "name every field in the JSON schema",
        arguments: [
            ExtractionSchema.actionItems, .decisions, .deadlines, .priorities,
        ])
    func fields(_ schema: ExtractionSchema) throws {
        guard case .object(let properties)? = schema.jsonSchema["properties"]?["items"]?["items"]?["properties"] else {
            Issue.record("no properties")
            return
        }
        #expect(properties.keys.sorted() == schema.fields.map(\.name).sorted())
        #expect(schema.fields.allSatisfy { !$0.description.isEmpty })
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }
}
