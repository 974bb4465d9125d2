import Foundation
import HTTPAPI
import ServerTestSupport
import Testing

/// The names in the description of the API, of which generators make types and variables.
struct GeneratedNameTests {
    private func schemas() async throws -> [String: Any] {
        let reply = try await withServer(ServerParts()) { try await $0.send("GET", "/openapi.json") }
        return try APIDescription(data: Data(reply.text.utf8)).checker.components
    }

    /// Generated code calls the variable of a list like the list, and each client has its own types.
    @Test func noSchemaHasANameThatGeneratorsNeed() async throws {
        func faults(_ schemas: [String: Any]) -> [String] {
            schemas.filter { name, schema in
                let properties = (schema as? [String: Any])?["properties"] as? [String: Any] ?? [:]
                let own = properties[name.prefix(1).lowercased() + name.dropFirst()] as? [String: Any]
                return own?["type"] as? String == "array" || ["Client", "Error", "File", "Response"].contains(name)
            }.keys.sorted()
        }

        #expect(faults(try await schemas()) == [])
        let people: [String: Any] = ["properties": ["people": ["type": "array"]]]
        #expect(
            faults(["People": people, "Response": [:] as [String: Any], "User": people]) == ["People", "Response"])
    }

    /// An object or a list of words inside of another schema becomes a type with the name of its field: `message` inside of
    /// a reply to OpenAI's clients must not take the name of `Message`.
    @Test func noFieldTakesTheNameOfASchema() async throws {
        let all = try await schemas()
        func isType(_ value: Any) -> Bool {
            guard let schema = value as? [String: Any] else { return false }
            let inner = [schema["items"]].compactMap { $0 } + (schema["anyOf"] as? [Any] ?? [])
            let words = schema["enum"] as? [Any] ?? []
            return schema["properties"] != nil || words.count > 1 || inner.contains { isType($0) }
        }
        func faults(_ value: Any, at path: String) -> [String] {
            if let list = value as? [Any] { return list.flatMap { faults($0, at: path) } }
            guard let object = value as? [String: Any] else { return [] }
            let fields = (object["properties"] as? [String: Any] ?? [:]).filter { name, schema in
                isType(schema) && all[name.prefix(1).uppercased() + name.dropFirst()] != nil
            }
            return fields.keys.map { "\(path).\($0)" } + object.flatMap { faults($0.value, at: "\(path).\($0.key)") }
        }

        #expect(faults(all, at: "") == [])
        let message = ["properties": ["message": ["anyOf": [["properties": ["text": ["type": "string"]]]]]]]
        #expect(faults(["A": message], at: "") == [".A.message"])
        #expect(faults(["A": ["properties": ["message": ["$ref": "#/components/schemas/Message"]]]], at: "") == [])
    }

    /// A choice inside of another one is a type that generated Python cannot name.
    @Test func noChoiceHasAChoiceInside() async throws {
        func alternatives(_ schema: Any?) -> [[String: Any]] {
            let fields = schema as? [String: Any]
            return (fields?["oneOf"] ?? fields?["anyOf"]) as? [[String: Any]] ?? []
        }
        func faults(_ schemas: [String: Any]) -> [String] {
            schemas.filter { _, schema in
                alternatives(schema).contains { alternative in
                    let name = (alternative["$ref"] as? String)?.split(separator: "/").last
                    return !alternatives(name.flatMap { schemas[String($0)] }).isEmpty
                }
            }.keys.sorted()
        }

        #expect(faults(try await schemas()) == [])
        let choice = ["oneOf": [["type": "string"]]]
        #expect(faults(["A": ["anyOf": [["$ref": "#/components/schemas/B"]]], "B": choice]) == ["A"])
    }
}
