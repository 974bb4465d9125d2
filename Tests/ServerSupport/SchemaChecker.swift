import Foundation

/// Tells whether a JSON value fits a schema of the API's description.
///
/// It knows the keywords that the server uses and takes any other for a fault, so that nothing goes unchecked.
package struct SchemaChecker: Sendable {
    /// `components.schemas`.
    package nonisolated(unsafe) let components: [String: Any]

    package init(components: [String: Any]) {
        self.components = components
    }

    // Kept, because a literal is compiled at each use.
    nonisolated(unsafe) private static let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z/
    private static let known: Set<String> = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "minimum",
        "maximum", "minLength", "maxLength", "maxItems", "maxProperties", "format", "description", "default",
        "deprecated", "oneOf", "discriminator", "x-extensible-enum",
    ]

    /// Returns what does not fit, each with its place.
    package func faults(_ value: Any, _ schema: Any?, at path: String = "$") -> [String] {
        guard let schema = schema as? [String: Any] else { return ["\(path): there is no schema"] }
        let unknown = Set(schema.keys).subtracting(Self.known).sorted()
        guard unknown.isEmpty else { return ["\(path): the schema has \(unknown)"] }
        if let reference = schema["$ref"] as? String {
            let name = reference.components(separatedBy: "/").last ?? ""
            return faults(value, components[name], at: path)
        }
        if let alternatives = schema["oneOf"] as? [Any] {
            let found = alternatives.map { faults(value, $0, at: path) }
            return found.count { $0.isEmpty } == 1 ? [] : ["\(path): does not fit one of \(found)"]
        }
        if let alternatives = schema["anyOf"] as? [Any] {
            let found = alternatives.map { faults(value, $0, at: path) }
            return found.contains { $0.isEmpty } ? [] : ["\(path): fits none of \(found)"]
        }
        guard let type = schema["type"] as? String else { return [] }
        if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
            return ["\(path): is none of \(words)"]
        }
        switch type {
        case "object": return objectFaults(value, schema, at: path)
        case "array": return arrayFaults(value, schema, at: path)
        case "string": return stringFaults(value, schema, at: path)
        case "boolean": return Self.isFlag(value) ? [] : ["\(path): is no boolean"]
        case "integer", "number": return numberFaults(value, schema, isWhole: type == "integer", at: path)
        case "null": return value is NSNull ? [] : ["\(path): is not null"]
        default: return ["\(path): the type \(type) is not known"]
        }
    }

    private func objectFaults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let object = value as? [String: Any] else { return ["\(path): is no object"] }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        let required = schema["required"] as? [String] ?? []
        var found = required.filter { object[$0] == nil }.map { "\(path): lacks \($0)" }
        for (key, value) in object {
            if let property = properties[key] {
                found += faults(value, property, at: "\(path).\(key)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                found += faults(value, others, at: "\(path).\(key)")
            } else if !properties.isEmpty || schema["additionalProperties"] != nil {
                // A reply may have more fields in a later version only.
                found.append("\(path): has \(key)")
            }
        }
        return found
    }

    private func arrayFaults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let items = value as? [Any] else { return ["\(path): is no array"] }
        let isTooLong = (schema["maxItems"] as? Int).map { items.count > $0 } ?? false
        return (isTooLong ? ["\(path): has too many items"] : [])
            + items.enumerated().flatMap { faults($0.element, schema["items"], at: "\(path)[\($0.offset)]") }
    }

    private func stringFaults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let text = value as? String else { return ["\(path): is no string"] }
        let count = text.unicodeScalars.count
        if let least = schema["minLength"] as? Int, count < least { return ["\(path): is too short"] }
        if let most = schema["maxLength"] as? Int, count > most { return ["\(path): is too long"] }
        guard schema["format"] as? String == "date-time" else { return [] }
        let isTime = text.wholeMatch(of: Self.time) != nil
        return isTime ? [] : ["\(path): is no time"]
    }

    private func numberFaults(_ value: Any, _ schema: [String: Any], isWhole: Bool, at path: String) -> [String] {
        guard let number = (value as? NSNumber)?.doubleValue, !Self.isFlag(value) else {
            return ["\(path): is no number"]
        }
        if isWhole, number.rounded() != number { return ["\(path): is not whole"] }
        if let least = schema["minimum"] as? Int, number < Double(least) { return ["\(path): is too small"] }
        if let most = schema["maximum"] as? Int, number > Double(most) { return ["\(path): is too great"] }
        return []
    }

    private static func isFlag(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return ["c", "B"].contains(String(cString: number.objCType))
    }
}
