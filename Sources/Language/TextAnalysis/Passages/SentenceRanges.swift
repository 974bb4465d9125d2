/// The sentences of a text.
package enum SentenceRanges {
    /// Returns the sentences of a text in order; they cover it, each with the white space after it.
    ///
    /// A line ends a sentence too, unless the next one begins with a small letter; see `TextBreaks`.
    ///
    /// - Parameter text: Any text.
    /// - Returns: Ranges in UTF-8 bytes; none for an empty text.
    /// - Complexity: O(*n*).
    package static func of(_ text: String) -> [Range<Int>] {
        let places = TextBreaks.of(text, wordByteLimit: .max).filter { $0.strength >= .sentence }
        return zip(places, places.dropFirst()).map { $0.offset..<$1.offset }
    }
}
