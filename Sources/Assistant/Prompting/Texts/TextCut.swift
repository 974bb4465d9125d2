import ChatCore
import TextAnalysis

/// Shortens texts for the prompt.
enum TextCut {
    /// Marks a cut.
    static let mark = " […] "

    /// Returns `text` with at most `limit` Unicode scalars and a mark instead of the middle.
    ///
    /// Two thirds of the rest are the beginning: people say first what they are about, and last what follows.
    static func middle(_ text: String, limit: Int) -> String {
        guard exceeds(text, limit) else { return text }
        let tail = limit / 3
        let scalars = text.unicodeScalars
        return String(scalars.prefix(limit - tail)).trimmedAtEnd + mark + String(scalars.suffix(tail)).trimmedAtStart
    }

    /// Returns the first `limit` Unicode scalars of `text`, with a mark when more follow.
    static func end(_ text: String, limit: Int) -> String {
        guard exceeds(text, limit) else { return text }
        return String(text.unicodeScalars.prefix(limit)).trimmedAtEnd + " […]"
    }

    /// Returns a part of `text` and the text around it, at most `limit` Unicode scalars, with marks at cuts.
    ///
    /// The text before and after gets the same room, and unused room of one side goes to the other.
    ///
    /// - Parameters:
    ///   - focus: The UTF-8 bytes of the part.
    ///   - text: The whole text.
    ///   - limit: The most scalars.
    /// - Returns: The shown text.
    static func around(_ focus: Range<Int>, of text: String, limit: Int) -> String {
        guard exceeds(text, limit) else { return text }
        let before = text.part(utf8: 0..<focus.lowerBound).unicodeScalars
        let part = String(text.part(utf8: focus))
        let after = text.part(utf8: focus.upperBound..<text.utf8.count).unicodeScalars
        let room = max(0, limit - part.unicodeScalars.count)
        let behind = min(after.count, max(room / 2, room - before.count))
        let ahead = min(before.count, room - behind)
        let shown = String(before.suffix(ahead)) + middle(part, limit: limit) + String(after.prefix(behind))
        return mark(ahead < before.count) + shown.trimmingWhitespace() + (behind < after.count ? " […]" : "")
    }

    /// Returns the sentences of `text` around a place, with marks at cuts.
    ///
    /// - Parameters:
    ///   - focus: The UTF-8 bytes that must be seen.
    ///   - text: The whole text.
    ///   - limit: The most scalars, without the marks.
    /// - Returns: The shown text.
    static func sentences(around focus: Range<Int>, of text: String, limit: Int) -> String {
        let range = TextExcerpt.range(around: focus, of: text, limit: limit)
        let isBehind = !text.part(utf8: 0..<range.lowerBound).allSatisfy(\.isWhitespace)
        let hasMore = !text.part(utf8: range.upperBound..<text.utf8.count).allSatisfy(\.isWhitespace)
        return mark(isBehind) + text.part(utf8: range) + (hasMore ? " […]" : "")
    }

    private static func mark(_ isCut: Bool) -> String { isCut ? "[…] " : "" }

    /// Returns `text` on one line: runs of white space and control characters become one blank.
    static func oneLine(_ text: String, limit: Int) -> String {
        let words = text.split { character in
            character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return end(words.joined(separator: " "), limit: limit)
    }

    private static func exceeds(_ text: String, _ limit: Int) -> Bool {
        text.utf8.count > limit && text.unicodeScalars.count > limit
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last])
    }

    fileprivate var trimmedAtStart: String {
        String(drop { $0.isWhitespace })
    }
}
