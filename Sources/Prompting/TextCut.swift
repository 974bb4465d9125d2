/// Shortens texts for the prompt.
enum TextCut {
    /// What stands where something was left out.
    static let mark = " […] "

    /// Returns `text` with at most `limit` Unicode scalars and a mark in place of the middle.
    ///
    /// Two thirds of what stays are the beginning: people say first what they are about, and last what follows.
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
