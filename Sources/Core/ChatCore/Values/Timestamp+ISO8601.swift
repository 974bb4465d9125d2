/// Civil dates by Howard Hinnant's algorithms (https://howardhinnant.github.io/date_algorithms.html): without a
/// Foundation calendar, a history of a million lines is read cheaply.
extension Timestamp {
    /// Reads `2025-10-23T10:30:00.123456Z`: seconds and fraction optional, `Z` or an offset such as `+02:00` required,
    /// a blank instead of `T` allowed; nil for any other text, for a day that does not exist, and for a moment outside
    /// the years 0001 to 9999 of UTC.
    public init?(iso8601 text: String) {
        var scanner = DigitScanner(text.utf8)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T", "t", " "),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2)
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if scanner.skip(":") {
            guard let value = scanner.number(digits: 2) else { return nil }
            second = value
            if scanner.skip(".", ",") {
                guard let value = scanner.microsecondFraction() else { return nil }
                fraction = value
            }
        }
        guard let offset = scanner.zoneOffset(), scanner.isAtEnd,
            (1...12).contains(month), (1...Self.dayCount(year: year, month: month)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.dayNumber(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        self.init(microseconds: seconds * 1_000_000 + fraction)
        guard isOnCalendar else { return nil }
    }

    /// The moment as ISO 8601 in UTC with milliseconds: `2025-10-23T10:30:00.000Z`; a moment outside the years 0001 to
    /// 9999 is moved to the nearest one inside.
    public var iso8601: String {
        let milliseconds = onCalendar.milliseconds
        let days = milliseconds.quotient(flooringBy: 86_400_000)
        let rest = milliseconds - days * 86_400_000
        return "\(Self.iso8601(dayNumber: days))T\(padded(rest / 3_600_000, 2)):"
            + "\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2)).\(padded(rest % 1_000, 3))Z"
    }

    /// Returns a day counted from 1970-01-01 as ISO 8601: `2025-10-23`.
    public static func iso8601(dayNumber: Int64) -> String {
        let (year, month, day) = civilDate(dayNumber: dayNumber)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Returns the number of days of a month in the Gregorian calendar.
    public static func dayCount(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }

    /// Returns the days from 1970-01-01 to a civil date.
    public static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.quotient(flooringBy: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the civil date of a day counted from 1970-01-01.
    public static func civilDate(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = dayNumber + 719_468
        let era = shifted.quotient(flooringBy: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

/// Writes `value` with at least `width` digits.
private func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Reads the ASCII characters of a date.
private struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String.UTF8View) {
        bytes = Array(text.prefix(64))
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ choices: Character...) -> Bool {
        guard position < bytes.count, choices.contains(where: { $0.asciiValue == bytes[position] })
        else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> Int64? {
        guard position + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[position..<position + digits] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 48)  // bounded: four digits at most
        }
        position += digits
        return value
    }

    /// Reads the digits after the point; digits after the sixth are ignored.
    mutating func microsecondFraction() -> Int64? {
        var value: Int64 = 0
        var digits = 0
        while position < bytes.count, (48...57).contains(bytes[position]) {
            // bounded: six digits
            if digits < 6 { value = value * 10 + Int64(bytes[position] - 48) }
            digits += 1
            position += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 6)..<6 { value *= 10 }
        return value
    }

    /// Reads `Z`, `+02:00`, `+0200` or `+02`; returns seconds east of UTC.
    mutating func zoneOffset() -> Int64? {
        if skip("Z", "z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2) else { return nil }
        _ = skip(":")
        let minutes = isAtEnd ? 0 : number(digits: 2)
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}

extension Timestamp: Codable {
    /// Reads ISO 8601 with a zone.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Timestamp(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a time is ISO 8601 with a zone, as 2025-10-23T10:30:00.000Z")
        }
        self = moment
    }

    /// Writes ISO 8601 in UTC with milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The moment as ISO 8601 in UTC.
    public var description: String { iso8601 }
}
