import Foundation

extension PersonalSettings {
    /// Whether a moment lies in the person's quiet hours.
    ///
    /// The wall clock of the person's zone decides, so that an hour that clocks skip is missing, and one that they repeat
    /// counts twice. A zone that is unknown counts as UTC.
    public func isQuiet(at moment: Timestamp) -> Bool {
        guard let quietHours else { return false }
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        let zone = timeZone.flatMap { TimeZone(named: $0) }
        let offset = zone?.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))) ?? 0
        let wall = seconds.addingClamped(Int64(offset))
        let secondOfDay = wall - wall.quotient(flooringBy: 86_400) * 86_400
        return quietHours.contains(minute: Int(secondOfDay / 60))
    }
}

extension PersonalSettings.QuietHours {
    /// Whether a minute of the day lies in them; the end does not, and without a length they contain no minute.
    func contains(minute: Int) -> Bool {
        start <= end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}

/// The wire form of a minute of the day, such as `22:00`.
extension PersonalSettings.QuietHours {
    /// Reads two times such as `22:00`; nil for anything else, and if they are equal.
    public init?(start: String, end: String) {
        guard let start = Self.minute(start), let end = Self.minute(end), start != end else { return nil }
        self.init(start: start, end: end)
    }

    /// The first minute, such as `22:00`.
    public var startText: String { Self.text(start) }

    /// The minute after the last one, such as `07:00`.
    public var endText: String { Self.text(end) }

    /// Reads a minute of the day such as `22:00`; nil for anything else.
    static func minute(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }

    /// Returns a minute of the day as `22:00`.
    static func text(_ minute: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}
