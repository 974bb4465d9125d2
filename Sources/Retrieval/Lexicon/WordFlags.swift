import ChatCore
import TextAnalysis

/// The eight bits that a row of words has room for: what its text shows (0 to 3), and its language (4 to 6).
struct WordFlags: Sendable {
    private static let markBits: UInt8 = 0b1111
    private static let languageShift: UInt8 = 4

    /// As the row keeps them.
    let rawValue: UInt8

    /// Takes the bits of a row.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(marks: MessageMarks, language: TextLanguage) {
        rawValue = marks.rawValue & Self.markBits | language.rowCode << Self.languageShift
    }

    /// The number under which the index counts the rows of a language.
    static func kind(of language: TextLanguage) -> UInt8 { language.rowCode }

    /// What the text shows at a glance.
    var marks: MessageMarks { MessageMarks(rawValue: rawValue & Self.markBits) }
}

extension TextLanguage {
    /// Its number in rows, which are kept in files.
    var rowCode: UInt8 {
        switch self {
        case .other: 0
        case .english: 1
        case .german: 2
        case .japanese: 3
        case .french: 4
        case .spanish: 5
        }
    }
}
