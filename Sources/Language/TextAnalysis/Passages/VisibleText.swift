/// Removes invisible characters from texts: zero-width and tag characters, directional and other controls.
///
/// Such characters hide instructions from people, and split words so that they are not recognised. A joiner stays after
/// a character that it can join (emoji, letters other than ASCII), a variation selector after an emoji.
package struct VisibleText: Sendable {
    private var previous: Unicode.Scalar?

    package init() {}

    /// Whether the next scalar of the text is to be seen.
    package mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
        guard isShown(scalar) else { return false }
        previous = scalar
        return true
    }

    /// Returns `text` without invisible characters.
    package static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 && !isHidden(Unicode.Scalar($0)) }) { return text }
        var reader = VisibleText()
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { reader.shows($0) }))
    }

    /// Whether a scalar is always invisible, white space excepted.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (scalar.value < 0x20 && !isSpace(scalar)) || scalar.value == 0x7F }
        if scalar.properties.generalCategory == .control { return scalar.value != 0x85 }
        return scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value)
    }

    private func isShown(_ scalar: Unicode.Scalar) -> Bool {
        guard Self.isHidden(scalar) else { return true }
        guard let previous, !previous.isASCII else { return false }
        switch scalar.value {
        case 0x200C, 0x200D:
            return previous.properties.isEmoji || previous.properties.isAlphabetic
                || previous.properties.isEmojiModifier
                || previous.value == 0xFE0F || previous.properties.generalCategory == .nonspacingMark
        case 0xFE0E, 0xFE0F: return previous.properties.isEmoji
        default: return false
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == "\t" || scalar == "\n" || scalar == "\r" }
}
