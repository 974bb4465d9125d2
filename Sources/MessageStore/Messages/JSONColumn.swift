import Foundation

/// Lists that are kept as JSON in a text column.
enum JSONColumn {
    /// Returns the text of a list; nil for an empty one.
    static func text<Element: Encodable>(_ list: [Element]) throws -> String? {
        guard !list.isEmpty else { return nil }
        return String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    }

    /// Returns the list that a text stands for.
    static func list<Element: Decodable>(_ text: String?) throws -> [Element] {
        guard let text, text != "[]" else { return [] }
        return try JSONDecoder().decode([Element].self, from: Data(text.utf8))
    }

    /// Returns numbers as a list, for `json_each`.
    static func numbers(_ numbers: some Sequence<Int64>) -> String {
        "[" + numbers.map(String.init).joined(separator: ",") + "]"
    }
}
