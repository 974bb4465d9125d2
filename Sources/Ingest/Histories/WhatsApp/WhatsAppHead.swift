import ChatCore

/// The beginning of a line that begins a message: date, time, and the author unless it is a notice.
struct WhatsAppHead: Equatable {
    /// A date as it is written, part by part: which part is the day is not known yet.
    struct Date: Hashable {
        var parts: [Int]
        /// How many digits each part has.
        var digitCounts: [Int]
        /// Whether dots separate the parts: then the month never comes first.
        var hasDots = false
        /// Whether blanks follow the separators.
        var hasBlanks = false
        /// The year before the first one of a Japanese era: `R4` is 2022.
        var eraStart: Int?
        /// Whether the first part shows that it is the year.
        var isYearFirst = false
    }

    var date: Date
    var hour: Int
    var minute: Int
    /// Exports of iOS have seconds.
    var second: Int
    /// Whether the half of the day is in a language that writes the year first.
    var hasYearFirstHalf: Bool
    /// Whether date and time are in brackets, as on iOS: then notices have an author, too.
    var isBracketed: Bool
    /// Nil for a notice of the application.
    var author: String?
    /// The text after the head, with its invisible marks.
    var text: String

    /// Reads the beginning of a line; nil when it begins no message.
    ///
    /// Known heads: `[31/12/2022, 11:40:26] Ada: `, `31.12.22, 11:40 - Ada: `, `8/8/19, 1:25 PM - Ada: `,
    /// `2023. 1. 5. 오후 3:12 - …`, `[11:40:26, 31/12/22] Ada: `, `24.12.23 г., 18:05 ч. - …`, each with or without
    /// bidirectional marks and with any kind of blank.
    init?(_ line: String) {
        var scanner = HeadScanner(line)
        isBracketed = scanner.skip("[")
        guard let stamp = scanner.stamp(isBracketed: isBracketed) else { return nil }
        let isEnded = isBracketed ? scanner.skip("]") : scanner.dash()
        // Croatian phones of earlier years wrote `13. 6. 2018. 21:25:15 Ada: x`.
        let mayLackDash = !isBracketed && stamp.hasSeconds && stamp.date.hasDots && stamp.date.hasBlanks
        guard isEnded || mayLackDash else { return nil }
        date = stamp.date
        (hour, minute, second) = (stamp.hour, stamp.minute, stamp.second)
        hasYearFirstHalf = stamp.hasYearFirstHalf
        (author, text) = Self.split(scanner.rest())
        if !isEnded, author == nil { return nil }
    }

    /// Splits the text after the time into author and text.
    ///
    /// A notice has no author, or quotes something before the colon.
    private static func split(_ rest: String) -> (author: String?, text: String) {
        let scalars = rest.unicodeScalars
        var end = scalars.startIndex
        while end < scalars.endIndex, scalars[end] != ":" { scalars.formIndex(after: &end) }
        guard end < scalars.endIndex else { return (nil, rest) }
        let after = scalars.index(after: end)
        guard after == scalars.endIndex || InvisibleMarks.isBlank(scalars[after]) else { return (nil, rest) }
        let author = InvisibleMarks.removed(String(scalars[..<end])).trimmed()
        guard !author.isEmpty, author.unicodeScalars.count <= 100,
            !author.unicodeScalars.contains(where: { "\"“”«»„".unicodeScalars.contains($0) }),
            !WhatsAppSpeech.isSplit(author)
        else { return (nil, rest) }
        let start = after == scalars.endIndex ? after : scalars.index(after: after)
        return (author, String(scalars[start...]))
    }
}

extension WhatsAppHead {
    /// Where the line of the `number`th head stands, from 1.
    func position(number: Int) -> LinePosition { !isBracketed ? .android : number == 1 ? .opening : .iOS }
}

/// Marks that nobody sees: directions of writing, isolates, byte order.
enum InvisibleMarks {
    /// Whether it is such a mark.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C, 0xFEFF: true
        default: false
        }
    }

    /// Whether it is a blank of any width.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar.value == 0xA0 || scalar.value == 0x202F || scalar.value == 0x2009
    }

    /// The text without them.
    static func removed(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isMark) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isMark($0) }))
    }
}

extension String {
    /// Without blanks and line ends at both ends.
    func trimmed() -> String {
        let scalars = unicodeScalars
        if let first = scalars.first, let last = scalars.last, !first.properties.isWhitespace,
            !last.properties.isWhitespace
        {
            return self
        }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}

extension WhatsAppHead {
    /// The display name of an author: a person who is in nobody's contacts is written with a tilde before the name.
    static func shownName(_ author: String) -> String {
        guard author.hasPrefix("~") else { return author }
        let name = author.dropFirst().drop { $0.unicodeScalars.allSatisfy(InvisibleMarks.isBlank) }
        return name.isEmpty ? author : String(name)
    }
}
