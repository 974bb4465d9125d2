package import Foundation

/// Times as the API writes them: ISO 8601 in UTC, such as `2026-10-07T10:20:53.000Z`.
///
/// A `Date` counts seconds in a `Double`, which is exact to a microsecond from 1716 to 2286: nothing is lost on the way
/// through it.
package enum TimeText {
    /// Microseconds from 1970 to the reference date of Foundation, 2001.
    private static let reference: Int64 = 978_307_200_000_000
    /// The first and the last millisecond with a year of four digits, in seconds from 2001.
    private static let calendar: ClosedRange<Double> = -63_113_904_000...252_423_993_599.999

    /// Returns the time that a text says; nil if it is none with a zone.
    package static func date(_ text: String) -> Date? {
        var rest = text.utf8[...]
        guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest), skip("-", &rest),
            let day = number(2, &rest), skip("T", &rest), let hour = number(2, &rest), skip(":", &rest),
            let minute = number(2, &rest), skip(":", &rest), let second = number(2, &rest),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty else { return nil }
        let seconds = dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds * 1_000_000 + fraction - reference) / 1_000_000)
    }

    /// Returns a time with three digits after the second, or six if there are microseconds.
    package static func text(_ date: Date) -> String {
        let exact = date.timeIntervalSinceReferenceDate
        let seconds = exact > calendar.lowerBound ? min(exact, calendar.upperBound) : calendar.lowerBound
        // Far from the present a Date has milliseconds only.
        let isNear = seconds.magnitude < 8_000_000_000
        let count = Int64((seconds * (isNear ? 1_000_000 : 1_000)).rounded())
        let microseconds = (isNear ? count : count * 1_000) + reference
        let days = (microseconds - (microseconds < 0 ? 86_399_999_999 : 0)) / 86_400_000_000
        let (year, month, day) = civilDate(days)
        let (second, fraction) = (microseconds - days * 86_400_000_000).quotientAndRemainder(dividingBy: 1_000_000)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(second / 3_600, 2)):"
            + "\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))."
            + (fraction % 1_000 == 0 ? padded(fraction / 1_000, 3) : padded(fraction, 6)) + "Z"
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    private static func number(_ count: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
    }

    private static func skip(_ letter: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads microseconds; further digits are dropped.
    private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
        guard skip(".", &rest) else { return 0 }
        let digits = rest.prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let known = digits.prefix(6)
        return (known.count..<6).reduce(known.reduce(0) { $0 * 10 + Int64($1) - 48 }) { value, _ in value * 10 }
    }

    /// Reads the zone's offset in seconds.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
        if skip("Z", &rest) { return 0 }
        let isWest = skip("-", &rest)
        guard isWest || skip("+", &rest), let hours = number(2, &rest), skip(":", &rest),
            let minutes = number(2, &rest), hours < 24, minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// Counts days from 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years begin in March, so that a leap day is at the end of its year.
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civilDate(_ number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// Dates of this module's types are texts in JSON, whichever encoder or decoder is used.
///
/// A time that a later server writes in another way is `distantPast`, or nil where it may be missing, so that it costs
/// no message.
extension KeyedDecodingContainer {
    func decode(_: Date.Type, forKey key: Key) throws -> Date {
        TimeText.date(try decode(String.self, forKey: key)) ?? .distantPast
    }

    func decodeIfPresent(_: Date.Type, forKey key: Key) throws -> Date? {
        try decodeIfPresent(String.self, forKey: key).flatMap { TimeText.date($0) }
    }

    func decode(_: [Date].Type, forKey key: Key) throws -> [Date] {
        try decode([String].self, forKey: key).map { TimeText.date($0) ?? .distantPast }
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ date: Date, forKey key: Key) throws { try encode(TimeText.text(date), forKey: key) }

    /// Writes null for nil.
    mutating func encode(_ date: Date?, forKey key: Key) throws {
        try encode(date.map { TimeText.text($0) }, forKey: key)
    }

    mutating func encodeIfPresent(_ date: Date?, forKey key: Key) throws {
        try encodeIfPresent(date.map { TimeText.text($0) }, forKey: key)
    }

    mutating func encode(_ dates: [Date], forKey key: Key) throws {
        try encode(dates.map { TimeText.text($0) }, forKey: key)
    }
}
