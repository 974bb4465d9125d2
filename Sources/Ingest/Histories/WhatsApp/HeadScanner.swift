/// Walks over date and time at the beginning of a line; marks that nobody sees are passed over.
struct HeadScanner {
    /// Date and time of a head.
    struct Stamp {
        var date: WhatsAppHead.Date
        var hour: Int
        var minute: Int
        var second = 0
        var hasSeconds = false
        var hasYearFirstHalf = false
    }

    private struct Time {
        var hour: Int
        var minute: Int
        var second: Int?
        var half: DayHalf?
    }

    private static let wordLimit = 24

    private let scalars: String.UnicodeScalarView
    private var position: String.UnicodeScalarView.Index

    init(_ line: String) {
        scalars = line.unicodeScalars
        position = scalars.startIndex
    }

    private mutating func peek() -> Unicode.Scalar? {
        while position < scalars.endIndex, InvisibleMarks.isMark(scalars[position]) {
            scalars.formIndex(after: &position)
        }
        return position < scalars.endIndex ? scalars[position] : nil
    }

    mutating func skip(_ choices: Unicode.Scalar...) -> Bool {
        guard let scalar = peek(), choices.contains(scalar) else { return false }
        scalars.formIndex(after: &position)
        return true
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        var isSkipped = false
        while let scalar = peek(), InvisibleMarks.isBlank(scalar) {
            scalars.formIndex(after: &position)
            isSkipped = true
        }
        return isSkipped
    }

    /// The unread text.
    func rest() -> String { String(scalars[position...]) }

    /// Reads up to `limit` digits of any script.
    private mutating func number(limit: Int) -> (value: Int, digitCount: Int)? {
        var value = 0
        var count = 0
        while let scalar = peek(), count < limit, let digit = Self.digit(scalar) {
            value = value * 10 + digit  // bounded: four digits at most
            count += 1
            scalars.formIndex(after: &position)
        }
        return count > 0 ? (value, count) : nil
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? Int(scalar.value) - 0x30 : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return Int(value)
    }

    /// Reads date and time in either order.
    ///
    /// - Parameter isBracketed: Whether a bracket ends them, so that any words may stand around the time.
    /// - Returns: Date and time; nil if there are none.
    mutating func stamp(isBracketed: Bool) -> Stamp? {
        let start = position
        if let date = date(), let time = timeAfterDate(isBracketed: isBracketed) { return Self.stamp(date, time) }
        position = start
        // Vietnamese phones write the time first.
        guard let time = time(isBracketed: false, words: "") else { return nil }
        let isEnded = skip(",", "،")
        guard skipBlanks() || isEnded, let date = date() else { return nil }
        return Self.stamp(date, time)
    }

    private static func stamp(_ date: WhatsAppHead.Date, _ time: Time) -> Stamp {
        Stamp(
            date: date, hour: time.hour, minute: time.minute, second: time.second ?? 0, hasSeconds: time.second != nil,
            hasYearFirstHalf: time.half?.isOfYearFirst ?? false)
    }

    /// Reads three numbers between `/`, `.` or `-`.
    private mutating func date() -> WhatsAppHead.Date? {
        let firstEra = era()
        guard let first = number(limit: 4), let separator = peek(), "/.-".unicodeScalars.contains(separator),
            skip(separator)
        else { return nil }
        let hasBlanks = skipBlanks()
        guard let second = number(limit: 2), skip(separator) else { return nil }
        skipBlanks()
        let lastEra = firstEra == nil ? era() : nil
        guard let third = number(limit: 4) else { return nil }
        let counts = [first.digitCount, second.digitCount, third.digitCount]
        guard counts[2] != 3, counts[0] <= 2 || counts[2] <= 2 else { return nil }
        return WhatsAppHead.Date(
            parts: [first.value, second.value, third.value], digitCounts: counts, hasDots: separator == ".",
            hasBlanks: hasBlanks, eraStart: firstEra ?? lastEra, isYearFirst: counts[0] > 2 || firstEra != nil)
    }

    /// Reads the letter of a Japanese era before a year; returns the year before its first one.
    private mutating func era() -> Int? {
        guard let scalar = peek(), let start = Self.eras[scalar] else { return nil }
        scalars.formIndex(after: &position)
        if scalar.value > 0x7F { _ = skip("和", "成") }
        return start
    }

    private static let eras: [Unicode.Scalar: Int] = ["R": 2_018, "令": 2_018, "H": 1_988, "平": 1_988]

    /// Reads what ends a date, the words between date and time, and the time.
    private mutating func timeAfterDate(isBracketed: Bool) -> Time? {
        let isEnded = skip(".", ",", "،")
        _ = skip(",", "،")
        guard skipBlanks() || isEnded else { return nil }
        let words = words(with: ",،")
        guard DayHalf(words) != nil || isBracketed || TimeWords.standBeforeTime(words) else { return nil }
        return time(isBracketed: isBracketed, words: words)
    }

    /// Reads a time with the half of the day before or after it.
    private mutating func time(isBracketed: Bool, words: String) -> Time? {
        var half = DayHalf(words)
        guard let hour = number(limit: 2), skipHourMark(), let minute = number(limit: 2), minute.digitCount == 2 else {
            return nil
        }
        let second = second()
        let start = position
        let after = self.words()
        if half == nil { half = DayHalf(after) }
        // Words that do not belong to the time belong to the following text.
        if DayHalf(after) == nil, !isBracketed, !TimeWords.standAfterTime(after) { position = start }
        guard let hour = half.map({ $0.hour(hour.value) }) ?? hour.value, hour < 24, minute.value < 60,
            second ?? 0 < 60
        else { return nil }
        return Time(hour: hour, minute: minute.value, second: second, half: half)
    }

    /// Reads `:` or `.`, or the ` h ` of Canadian French.
    private mutating func skipHourMark() -> Bool {
        if skip(":", ".") { return true }
        let start = position
        skipBlanks()
        if skip("h") {
            skipBlanks()
            return true
        }
        position = start
        return false
    }

    private mutating func second() -> Int? {
        let start = position
        if skip(":", "."), let value = number(limit: 2), value.digitCount == 2 { return value.value }
        position = start
        return nil
    }

    /// Reads the text before the next digit, bracket, dash, comma or colon.
    private mutating func words(with commas: String = "") -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), text.count < Self.wordLimit, Self.digit(scalar) == nil,
            !"]-–—:".unicodeScalars.contains(scalar),
            !",،".unicodeScalars.contains(scalar) || commas.unicodeScalars.contains(scalar)
        {
            text.append(scalar)
            scalars.formIndex(after: &position)
        }
        return String(text)
    }

    /// Reads the end of a head without brackets: ` - `, or `, ` or `: ` in older exports.
    mutating func dash() -> Bool {
        let start = position
        skipBlanks()
        if skip("-", "–", "—", ",", ":"), skipBlanks() || peek() == nil { return true }
        position = start
        return false
    }
}
