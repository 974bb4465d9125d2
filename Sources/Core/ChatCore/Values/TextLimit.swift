/// The greatest length of a short text.
///
/// A limit in characters is not enough because one character can contain any number of combining marks. So bytes are
/// limited too.
public struct TextLimit: Hashable, Sendable {
    /// The limit of names: of people, conversations, keys, attachments, reactions, media types.
    public static let name = TextLimit(characters: 256)
    /// The limit of questions and searches.
    public static let question = TextLimit(characters: 8_000)
    /// The limit of titles that users give to threads.
    public static let title = TextLimit(characters: AssistantThread.titleLimit)
    /// The limit of reasons that users give with feedback.
    public static let reason = TextLimit(characters: TurnFeedback.reasonLimit)

    /// The most characters, as a reader counts them.
    public let characters: Int
    /// The most UTF-8 bytes: four for each character.
    public let bytes: Int

    /// Limits the characters, and the bytes to four times as many.
    public init(characters: Int) {
        self.characters = characters
        bytes = 4 * characters
    }

    /// Whether a text is short enough.
    public func admits(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= bytes && (text.utf8.count <= characters || text.count <= characters)
    }

    /// Returns the error in a text, such as "must have at most 256 characters"; nil when there is none.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - mayBeEmpty: Whether an empty text is allowed.
    /// - Returns: The rule that it breaks.
    public func fault(of text: String, mayBeEmpty: Bool = true) -> String? {
        if text.isEmpty { return mayBeEmpty ? nil : "must have 1 to \(characters) characters" }
        guard !admits(text) else { return nil }
        guard text.count > characters else { return "must have at most \(bytes) bytes" }
        return mayBeEmpty ? "must have at most \(characters) characters" : "must have 1 to \(characters) characters"
    }

    /// Returns the longest beginning of a text within the limit.
    public func cut(_ text: String) -> String {
        guard !admits(text) else { return text }
        return String(text.prefix(utf8Count: bytes).prefix(characters))
    }
}

extension String {
    /// Returns the longest beginning of at most `limit` UTF-8 bytes that does not split a scalar.
    public func prefix(utf8Count limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: max(0, limit))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
