public import ChatCore

/// A moment by which something is to be done, as a message says it.
public struct DueDate: Equatable, Sendable {
    /// Its place in the text, in UTF-8 bytes.
    public let range: Range<Int>
    /// The last moment that is in time.
    public let moment: Timestamp
    /// Whether a time of day is said; without one the moment is the last second of a day.
    public let hasTime: Bool
}

/// Finds due dates, in the languages with words for them (``Language``).
///
/// Texts about tasks are about the future: a day without a year is the next one, including today. For ambiguous phrases
/// there is one rule each:
/// - A weekday is the next one; today's name means a week from now, unless "this" is before it. "Next Friday" is the
///   Friday of the next week; weeks start on Monday.
/// - "This week", "end of the week" and "next week" end on Friday; on a weekend "this week" ends on Sunday. A weekend
///   ends on Sunday.
/// - A month, quarter or year ends with its last day; "mid" is the 15th, "early" the 10th, "the beginning" the 1st.
/// - "In 2 weeks" is that day; "a few" are 3, "a couple" are 2. Working days leave out Saturday and Sunday.
/// - Without a time of day, and at "end of day", the whole day counts; "close of business" is 17:00, morning ends at
///   noon, afternoon at 18:00. A time without a day is the next time that the clock shows it; "at 5" is in the
///   afternoon.
/// - "Before" a day or a longer span is the day before it begins.
/// - `5/8` has the month first only in American zones.
///
/// Past dates (yesterday, last Friday), recurring ones (every Friday) and vague ones (as soon as possible) are not
/// found.
public enum DueDates {
    /// Finds the due dates of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - moment: When it was written; years before 1900 or after 2200 have no dates.
    ///   - zone: The IANA name of the writer's zone, which decides where days begin; an unknown one counts as UTC.
    /// - Returns: The dates in order, without overlap.
    public static func find(in text: String, saidAt moment: Timestamp, zone: String) -> [DueDate] {
        guard let clock = DueClock(saidAt: moment, zone: zone) else { return [] }
        let japanese = JapaneseDueDates(text: text, today: clock.today, minute: clock.minute).all()
        let found = spaced(in: text, clock, hasMonthFirst: zone.hasPrefix("America/"))
            .filter { found in !japanese.contains { $0.range.overlaps(found.range) } }
        return (found + japanese).sorted { $0.range.lowerBound < $1.range.lowerBound }.compactMap(clock.date)
    }

    /// Finds those that are said in a script with blanks.
    private static func spaced(in text: String, _ clock: DueClock, hasMonthFirst: Bool) -> [FoundDueDate] {
        for words in DateWords.candidates(for: text) {
            let parser = DueDateParser(
                tokens: DateToken.all(in: text, phrases: words.phrases), words: words, today: clock.today,
                minute: clock.minute, hasMonthFirst: hasMonthFirst)
            let found = parser.all()
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns the last second of a day.
    ///
    /// - Parameters:
    ///   - text: The day in the form `2026-03-01`.
    ///   - zone: The IANA name of its zone; an unknown one counts as UTC.
    /// - Returns: The moment; nil for anything other than a day between 1900 and 2200.
    public static func endOfDay(_ text: String, zone: String) -> Timestamp? {
        guard text.utf8.count == 10, let noon = Timestamp(iso8601: text + "T12:00:00Z"),
            let clock = DueClock(saidAt: noon, zone: "UTC")
        else { return nil }
        return LocalCalendar(zone: zone).moment(day: clock.today + 1).map { $0 + .seconds(-1) }
    }
}

/// The meaning of a phrase before it is resolved to a moment.
struct FoundDueDate {
    enum Meaning: Equatable {
        /// A day, and the minute of it at which it ends: 1440 for the whole day.
        case day(Int64, minute: Int)
        /// So many minutes after the message.
        case minutes(Int64)
    }

    /// Its place in the text, in UTF-8 bytes.
    let range: Range<Int>
    let meaning: Meaning
}

/// The writer's calendar and clock.
struct DueClock {
    let today: Int64
    /// The minute of the day at which the message was written.
    let minute: Int
    private let said: Timestamp
    private let calendar: LocalCalendar
    private let zone: String

    init?(saidAt moment: Timestamp, zone: String) {
        calendar = LocalCalendar(zone: zone)
        guard let today = calendar.day(of: moment), let midnight = calendar.moment(day: today) else { return nil }
        self.today = today
        self.zone = zone
        said = moment
        minute = min(1_439, Int((moment.microseconds - midnight.microseconds) / 60_000_000))
    }

    /// Wider than the days that can be written, so that results of calculations fit.
    private static let days: ClosedRange<Int64> = -10_000_000...10_000_000

    /// Returns the moment that was found; nil outside of the calendar.
    func date(_ found: FoundDueDate) -> DueDate? {
        switch found.meaning {
        case .minutes(let count):
            guard let seconds = count.multiplied(by: 60) else { return nil }
            return DueDate(range: found.range, moment: said + .seconds(seconds), hasTime: true)
        case .day(let day, _) where !Self.days.contains(day): return nil
        case .day(let day, 1_440):
            return calendar.moment(day: day.addingClamped(1)).map {
                DueDate(range: found.range, moment: $0 + .seconds(-1), hasTime: false)
            }
        case .day(let day, let minute):
            let date = Timestamp.civilDate(dayNumber: day)
            guard
                let time = WallTime(
                    year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: minute / 60,
                    minute: minute % 60, second: 0), var clock = ZoneClock(zone: zone) ?? ZoneClock(zone: "UTC")
            else { return nil }
            return DueDate(range: found.range, moment: clock.moment(of: time), hasTime: true)
        }
    }
}

extension Timestamp {
    /// Whether it is the last second of a day in some zone, as ``DueDates/endOfDay(_:zone:)`` returns it: the text
    /// named a day, and no time.
    ///
    /// Times that people name are whole minutes, and zones differ by quarters of an hour.
    public var isEndOfDay: Bool { microseconds.modulo(900_000_000) == 899_000_000 }
}

extension Int64 {
    fileprivate func modulo(_ divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
