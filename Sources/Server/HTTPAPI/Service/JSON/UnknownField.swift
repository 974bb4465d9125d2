import ChatCore

/// A field of a request that the description of its route does not name.
struct UnknownField: Sendable {
    let path: FieldPath
    /// Its last part.
    let name: String
    /// The names that are known at its place.
    let known: [String]
    /// Whether the request is refused; other protocols have fields that are not used here.
    let isRefused: Bool

    /// The error of a request that is refused.
    var error: FieldError {
        guard !known.isEmpty else { return FieldError(path, "is not known here; there are no fields") }
        let list = "fields are " + known.joined(separator: ", ")
        guard let near = NearestName.of(name, among: known) else {
            return FieldError(path, "is not known here; the \(list)")
        }
        return FieldError(path, "is not known here; did you mean \(near)? The \(list)")
    }
}

extension JSONSchema {
    /// Returns the fields of a value that the schema does not name, in order of their depth and name.
    ///
    /// Only names are compared: types and limits are checked by those who read the fields.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: Its place.
    ///   - skipped: A field whose content is not compared.
    /// - Returns: The fields; empty if the schema names all.
    func unknownFields(
        in value: JSONValue, at path: FieldPath = FieldPath(), skipping skipped: String? = nil
    ) -> [UnknownField] {
        switch value {
        case .array(let values):
            guard let item = alternative(for: value).items.first else { return [] }
            return values.enumerated().flatMap { item.unknownFields(in: $0.element, at: path[$0.offset]) }
        case .object(let fields):
            return alternative(for: value).unknownFields(of: fields, at: path, skipping: skipped)
        case .null, .bool, .integer, .double, .string: return []
        }
    }

    private func unknownFields(
        of fields: [String: JSONValue], at path: FieldPath, skipping skipped: String?
    ) -> [UnknownField] {
        guard let properties else { return [] }
        // Nothing is said about the fields of such an object.
        if properties.isEmpty, others == nil { return [] }
        let names = Set(properties.map(\.name))
        var unknown: [UnknownField] = []
        if others?.first == nil {
            unknown = fields.keys.filter { !names.contains($0) }.sorted().map { name in
                UnknownField(
                    path: path[name], name: name, known: properties.filter { !$0.isIgnored }.map(\.name),
                    isRefused: others != nil)
            }
        }
        for property in properties {
            guard let value = fields[property.name], property.name != skipped else { continue }
            if property.isIgnored {
                unknown.append(
                    UnknownField(path: path[property.name], name: property.name, known: [], isRefused: false))
            } else {
                unknown += property.schema.unknownFields(in: value, at: path[property.name])
            }
        }
        return unknown
    }

    /// Returns the alternative that a value of an object or a list is meant for: the one that differs least from it.
    private func alternative(for value: JSONValue) -> JSONSchema {
        guard !alternatives.isEmpty else { return self }
        switch value {
        case .array: return alternatives.first { !$0.items.isEmpty } ?? self
        case .object(let fields):
            let objects = alternatives.filter { $0.properties != nil }
            return objects.min { $0.difference(from: fields) < $1.difference(from: fields) } ?? self
        case .null, .bool, .integer, .double, .string: return self
        }
    }

    /// How little fields fit an object: wrong words count most, then unknown names, then missing ones.
    private func difference(from fields: [String: JSONValue]) -> Int {
        guard let properties else { return .max }
        let wrong = properties.count { $0.schema.isOtherWord(fields[$0.name]) }
        let names = Set(properties.map(\.name))
        let unknown = others?.first == nil ? fields.keys.count { !names.contains($0) } : 0
        let missing = properties.count { $0.isRequired && fields[$0.name] == nil }
        return (wrong * 1_000 + min(unknown, 999)) * 1_000 + missing
    }
}

/// Suggestions for names that were misspelt.
enum NearestName {
    /// Returns the name that is most like another one; nil if none is near.
    ///
    /// Case and separators do not count, and one letter in three may differ.
    static func of(_ name: String, among names: [String]) -> String? {
        let wanted = letters(name)
        let near = names.map { (name: $0, distance: distance(wanted, letters($0))) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, wanted.count / 3) else { return nil }
        return near.name
    }

    private static func letters(_ name: String) -> [Character] {
        name.prefix(FieldPath.keyLimit).lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// Returns how many letters must be added, removed or replaced (Levenshtein).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (line, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
