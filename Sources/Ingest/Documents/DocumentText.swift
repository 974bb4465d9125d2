package import ChatCore

/// The words of a document, in the order in which a person reads them.
package struct DocumentText: Hashable, Sendable {
    /// A page, a sheet or a slide; the whole document if it has none.
    package struct Part: Hashable, Sendable {
        /// The name of a sheet; nil if its number is its name.
        package var label: String?
        package var text: String

        package init(label: String? = nil, text: String) {
            self.label = label
            self.text = text
        }
    }

    /// What its parts are; nil if it has no parts.
    package var unit: FileReading.Unit?
    package var parts: [Part]
    /// Whether words were recognised in pictures, so that some may be wrong.
    package var isRecognized = false
    /// Whether the rest of the document was not read.
    package var isCut = false

    package init(unit: FileReading.Unit? = nil, parts: [Part]) {
        self.unit = unit
        self.parts = parts
    }

    /// Whether no letter and no digit is in it.
    package var isEmpty: Bool {
        !parts.contains {
            $0.text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
    }
}

/// Why a document cannot be read.
package enum DocumentError: Error, Equatable {
    /// It is not what it seems to be, or is cut off.
    case damaged
    /// A password is needed.
    case protected
    /// It unpacks to more than is read.
    case tooLarge
    /// Its format is not known: a zip with other files, for example.
    case unknownFormat
}

/// Collects the text of a document and keeps its white space small.
struct TextCollector {
    private(set) var text = ""
    /// Whether a space is due before the next word.
    private var isSpaceDue = false
    /// What stands before the next words.
    private var sign = ""

    /// Adds text of a line; each run of white space becomes a space.
    mutating func append(_ piece: String) {
        for scalar in piece.unicodeScalars where !Self.isDropped(scalar) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                isSpaceDue = true
            } else {
                if isSpaceDue, !text.isEmpty, text.unicodeScalars.last != "\n" { text.unicodeScalars.append(" ") }
                isSpaceDue = false
                writeSign()
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a text in one line.
    static func line(_ text: String) -> String {
        var collector = TextCollector()
        collector.append(text)
        return collector.text
    }

    /// Adds text as it is, for example the divider of two cells.
    mutating func appendRaw(_ piece: String) {
        isSpaceDue = false
        writeSign()
        text += piece
    }

    /// Begins an entry of a list, whose sign stands before its first words, also if they are in a paragraph.
    mutating func beginEntry(_ sign: String) { self.sign = sign }

    /// Ends an entry; an empty one has no sign.
    mutating func endEntry() { sign = "" }

    private mutating func writeSign() {
        guard !sign.isEmpty else { return }
        text += sign
        sign = ""
    }

    /// Ends a line; empty lines are left out.
    mutating func endLine() {
        isSpaceDue = false
        if !text.isEmpty, text.unicodeScalars.last != "\n" { text += "\n" }
    }

    /// Takes back characters at the end.
    mutating func trim(while isDropped: (Character) -> Bool) {
        while let last = text.last, isDropped(last) { text.removeLast() }
    }

    /// Signs that only change how text is shown: soft hyphens, marks of direction, and signs of private use, which fonts
    /// without a table of characters give.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF, 0xFFFC: true
        default: scalar.properties.generalCategory == .privateUse
        }
    }
}
