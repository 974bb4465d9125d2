import ChatCore
import Extraction

/// The strings of a list in a language model's reply, whatever it is wrapped in.
enum ListedStrings {
    /// The fields of an object that hold its text.
    private static let textFields = ["text", "reply", "message", "content", "suggestion"]
    /// How deep wrappers are opened.
    private static let depthLimit = 8

    /// Returns the strings of the last list in `text` that holds any: before it a model may think aloud.
    ///
    /// A string without an end is left out. Of objects the fields that are named for their text are read.
    ///
    /// - Parameter text: What a model said.
    /// - Returns: The strings in order; nil when no list holds one.
    static func strings(in text: String) -> [String]? {
        LenientJSON(text).values.reversed().lazy.compactMap { strings(in: $0, isListed: false, depth: 0) }
            .first { !$0.isEmpty }
    }

    /// Returns the strings in a value.
    ///
    /// - Parameters:
    ///   - value: A part of the reply.
    ///   - isListed: Whether it stands in a list: an object by itself is no list of texts, but may hold one.
    ///   - depth: In how many others it lies.
    /// - Returns: The strings in order.
    private static func strings(in value: JSONValue, isListed: Bool, depth: Int) -> [String] {
        guard depth < depthLimit else { return [] }
        switch value {
        case .string(let text): return isListed ? [text] : []
        case .array(let elements): return elements.flatMap { strings(in: $0, isListed: true, depth: depth + 1) }
        case .object(let members):
            let named = isListed ? textFields.lazy.compactMap { members[$0]?.text }.first : nil
            if let named { return [named] }
            return members.keys.sorted().flatMap { key in
                members[key].map { strings(in: $0, isListed: false, depth: depth + 1) } ?? []
            }
        case .null, .bool, .integer, .double: return []
        }
    }
}

extension JSONValue {
    /// The text of a string; nil for any other value.
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
