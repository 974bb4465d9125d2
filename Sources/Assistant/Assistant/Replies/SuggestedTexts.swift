import ChatCore
import Extraction

/// Reads suggested texts from a language model's reply.
///
/// Models wrap the texts: in a code fence, in prose, in an object, or as a numbered list instead of JSON. A text is
/// taken if it is clearly one suggestion among others. Prose is never taken because it would be sent in a person's
/// name.
struct SuggestedTexts: Sendable {
    /// How much of a reply is read, in characters from its end: three texts are short, and come last.
    private static let readLength = 16_384

    /// The addresses that a text may repeat.
    let permittedLinks: PermittedLinks

    /// Returns the texts in a reply.
    ///
    /// - Parameters:
    ///   - reply: The reply of the model.
    ///   - isWhole: Whether the reply is complete.
    /// - Returns: At most ``SmartReplies/limit`` texts, each on one line, filtered, not empty and no longer than
    ///   ``SmartReplies/lengthLimit``; no two differ only in case and punctuation.
    func texts(in reply: String, isWhole: Bool) -> [String] {
        // Some models think aloud before they reply.
        let end = String(reply.suffix(Self.readLength))
        let said = end.ranges(of: "</think>").last.map { String(end[$0.upperBound...]) } ?? end
        let listed = ListedStrings.strings(in: said) ?? Self.markedLines(of: said, isWhole: isWhole)
        var seen: Set<String> = []
        var texts: [String] = []
        for text in listed where texts.count < SmartReplies.limit {
            guard let text = cleaned(text), seen.insert(Self.sense(of: text)).inserted else { continue }
            texts.append(text)
        }
        return texts
    }

    /// Returns a text in the form in which it can be sent; nil for an unusable one.
    private func cleaned(_ text: String) -> String? {
        var filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: nil)
        let filtered = filter.push(Self.unwrapped(Self.oneLine(text))) + filter.finish()
        // A text without its address has a gap in it, or the brackets of a link.
        if filter.hasRemoved, filtered.unicodeScalars.contains(where: { $0 == WordFilter.mark || $0 == "[" }) {
            return nil
        }
        let line = Self.oneLine(filtered)
        guard line.unicodeScalars.count <= SmartReplies.lengthLimit, !line.contains("\u{FFFD}") else { return nil }
        let says = line.unicodeScalars.contains { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.properties.isEmoji
        }
        return says ? line : nil
    }

    /// Returns the lines that are marked as list items, or are quoted completely.
    private static func markedLines(of text: String, isWhole: Bool) -> [String] {
        var lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingWhitespace() }.filter {
            !$0.isEmpty
        }
        if !isWhole { lines = lines.dropLast() }
        return lines.compactMap { line in
            if let match = line.wholeMatch(of: /(?:[-*•–]|\(?\d{1,2}[.):])\s+(.+)/) { return String(match.1) }
            return unwrapped(line) == line ? nil : line
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns `text` without the quotation marks and marks of emphasis around it.
    private static func unwrapped(_ text: String) -> String {
        for (opening, closing) in [("\"", "\""), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("**", "**")] {
            guard text.hasPrefix(opening), text.hasSuffix(closing) else { continue }
            let inner = text.dropFirst(opening.count).dropLast(closing.count)
            guard !inner.isEmpty, !inner.contains(opening), !inner.contains(closing) else { continue }
            return unwrapped(String(inner).trimmingWhitespace())
        }
        return text
    }

    /// The part of a text that distinguishes it from others: its letters and numbers, or all of it if it has none.
    private static func sense(of text: String) -> String {
        let sense = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return sense.isEmpty ? text : sense
    }
}

/// Reads the strings of a list in a language model's reply, however it is wrapped.
enum ListedStrings {
    /// The fields of an object that may contain its text.
    private static let textFields = ["text", "reply", "message", "content", "suggestion"]
    /// The greatest depth at which wrappers are opened.
    private static let depthLimit = 8

    /// Returns the strings of the last list in `text` that contains any, because a model may think aloud before it.
    ///
    /// A string without an end is left out. From objects in the list, a field with the text is read.
    ///
    /// - Parameter text: The reply of the model.
    /// - Returns: The strings in order; nil when no list contains one.
    static func strings(in text: String) -> [String]? {
        LenientJSON(text).values.reversed().lazy.compactMap { strings(in: $0, isListed: false, depth: 0) }
            .first { !$0.isEmpty }
    }

    /// Returns the strings in a value.
    ///
    /// - Parameters:
    ///   - value: A part of the reply.
    ///   - isListed: Whether it is in a list: an object alone is not a list of texts, but may contain one.
    ///   - depth: The number of values around it.
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
