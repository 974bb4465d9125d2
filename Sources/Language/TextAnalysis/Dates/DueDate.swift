package import ChatCore

/// A moment by which something is to be done, as a message says it.
package struct DueDate: Equatable, Sendable {
    /// Its place in the text, in UTF-8 bytes.
    package let range: Range<Int>
    /// The last moment that is in time.
    package let moment: Timestamp
    /// Whether a time of day is said; without one the moment is the last second of a day.
    package let hasTime: Bool
}

/// What the words of a date say.
package enum DueReading: Equatable, Sendable {
    /// A moment.
    case date(DueDate)
    /// A date that is not understood as a whole, or means no single moment; its place in UTF-8 bytes.
    ///
    /// "9 am Mars time", "Friday or Monday", "every Friday", "not Friday", "after Friday".
    case unknown(Range<Int>)

    /// The place in the text, in UTF-8 bytes.
    package var range: Range<Int> {
        switch self {
        case .date(let date): date.range
        case .unknown(let range): range
        }
    }

    /// The moment, if there is one.
    package var date: DueDate? {
        if case .date(let date) = self { date } else { nil }
    }
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
/// - Of a span ("6-7pm", "Monday to Friday") the end counts.
/// - A zone that is said counts ("UTC", "PT", "+05:30", "Berlin time"); the day is still that of the writer. Standard
///   time ("CET") has its offset in summer, too.
/// - "Before" a day or a longer span is the day before it begins.
/// - `5/8` has the month first in the zones of the United States, Canada and East Asia. If that day of `5/8/2026` is over
///   and the other one is not, the other one is meant; beside a time of another zone it is unknown.
/// - A place behind a time ("9:00 in Tokyo") is that of its clock; a place whose zone is not known makes it unknown.
///
/// Past dates (yesterday, last Friday) and vague ones (as soon as possible) are not found. What is read only in part is
/// unknown, see ``DueReading/unknown(_:)``.
package enum DueDates {
    /// Finds the due dates of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - moment: When it was written; years before 1900 or after 2200 have no dates.
    ///   - zone: The IANA name of the writer's zone, which decides where days begin; an unknown one counts as UTC.
    /// - Returns: The dates in order, without overlap.
    package static func find(in text: String, saidAt moment: Timestamp, zone: String) -> [DueDate] {
        read(in: text, saidAt: moment, zone: zone).compactMap(\.date)
    }

    /// Reads all words of due dates in a text, also those that are not understood.
    ///
    /// - Parameters: As for ``find(in:saidAt:zone:)``.
    /// - Returns: The readings in order, without overlap.
    package static func read(in text: String, saidAt moment: Timestamp, zone: String) -> [DueReading] {
        found(in: text, saidAt: moment, zone: zone).map { found in found.all.compactMap(found.clock.reading) } ?? []
    }

    /// Counts the places of a text at which a date was looked for, for tests of how long a text takes.
    package static func stepCount(in text: String, saidAt moment: Timestamp, zone: String) -> Int {
        let steps = StepCounter()
        _ = found(in: text, saidAt: moment, zone: zone, steps)
        return steps.count
    }

    /// Returns the moment that a part of a text means as a whole.
    ///
    /// Words beside it are read with it: "tomorrow at 9" of "tomorrow at 9 am UTC" has that half of the day and that
    /// zone. If the part holds words of dates that are not understood, it means nothing.
    ///
    /// - Parameters:
    ///   - part: The part, in UTF-8 bytes.
    ///   - text: The text.
    ///   - moment: When it was written.
    ///   - zone: The IANA name of the writer's zone.
    /// - Returns: The moment, of several the last one that is understood; nil if there is none.
    package static func meaning(
        of part: Range<Int>, in text: String, saidAt moment: Timestamp, zone: String
    ) -> DueDate? {
        guard let found = found(in: text, saidAt: moment, zone: zone) else { return nil }
        let all = found.all.filter { $0.range.overlaps(part) }
        guard found.parser?.isRead(part, by: all) ?? true else { return nil }
        return all.compactMap(found.clock.reading).compactMap(\.date).last
    }

    /// What was found in a text, in order and without overlap.
    private struct Found {
        let all: [FoundDueDate]
        /// The reader of the words with blanks between them.
        let parser: DueDateParser?
        let clock: DueClock
    }

    private static func found(
        in text: String, saidAt moment: Timestamp, zone: String, _ steps: StepCounter? = nil
    ) -> Found? {
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        guard DateCue.isIn(tokens), let clock = DueClock(saidAt: moment, zone: zone) else { return nil }
        let languages = DateLanguages(text, tokens, zone: zone)
        var japanese: [FoundDueDate] = []
        if tokens.contains(where: { $0.kind == .unigram }) {
            japanese = JapaneseDueDates(text: text, clock: clock, isForeign: languages.isForeign, steps: steps).all()
        }
        var (parser, spaced): (DueDateParser?, [FoundDueDate]) = (nil, [])
        for lexicon in languages.lexicons where spaced.isEmpty {
            let next = DueDateParser(
                tokens: DateToken.all(in: text, tokens, lexicon.words), lexicon: lexicon, today: clock.today,
                zone: clock.zone, isForeign: languages.isForeign, steps: steps)
            spaced = next.all()
            if parser == nil || !spaced.isEmpty { parser = next }
        }
        return Found(all: merged(japanese, spaced), parser: parser, clock: clock)
    }

    /// Returns all of the first, and of the second what does not overlap them, in order.
    private static func merged(_ first: [FoundDueDate], _ second: [FoundDueDate]) -> [FoundDueDate] {
        var (merged, rest): ([FoundDueDate], ArraySlice<FoundDueDate>) = ([], first[...])
        for found in second {
            while let next = rest.first, next.range.upperBound <= found.range.lowerBound {
                merged.append(rest.removeFirst())
            }
            if rest.first.map({ !$0.range.overlaps(found.range) }) ?? true { merged.append(found) }
        }
        return merged + rest
    }

    /// Returns the last second of a day.
    ///
    /// - Parameters:
    ///   - text: The day in the form `2026-03-01`.
    ///   - zone: The IANA name of its zone; an unknown one counts as UTC.
    /// - Returns: The moment; nil for anything other than a day between 1900 and 2200.
    package static func endOfDay(_ text: String, zone: String) -> Timestamp? {
        guard text.utf8.count == 10, let noon = Timestamp(iso8601: text + "T12:00:00Z"),
            let clock = DueClock(saidAt: noon, zone: "UTC")
        else { return nil }
        return LocalCalendar(zone: zone).moment(day: clock.today + 1).map { $0 + .seconds(-1) }
    }
}

/// Counts the places at which a reader looks for a date.
final class StepCounter {
    private(set) var count = 0

    func add() { count += 1 }  // bounded: a few for each word of a text
}

/// The meaning of a phrase before it is resolved to a moment.
struct FoundDueDate {
    enum Meaning: Equatable {
        /// A time of a day.
        case day(Int64, DueTime)
        /// The next moment at which the clock shows a time.
        case next(DueTime)
        /// So many minutes after the message.
        case minutes(Int64)
        /// See ``DueReading/unknown(_:)``.
        case unknown
    }

    /// Its place in the text, in UTF-8 bytes.
    let range: Range<Int>
    let meaning: Meaning
}

/// A time of day in a zone.
struct DueTime: Equatable {
    /// The minute of the day at which it ends: 1440 for the whole day.
    var minute = 1_440
    var second = 0
    var zone = SaidZone.own
    /// The same time as the clocks of other zones show it: "9am PT / 12pm ET".
    var others: [DueTime] = []
    /// Whether it is on the next day: "22:00-02:00".
    var isNextDay = false
}

/// The writer's calendar and clock.
struct DueClock {
    let today: Int64
    /// The IANA name of the writer's zone.
    let zone: String
    private let said: Timestamp

    init?(saidAt moment: Timestamp, zone: String) {
        guard let today = LocalCalendar(zone: zone).day(of: moment) else { return nil }
        (self.today, self.zone, said) = (today, zone, moment)
    }

    /// Wider than the days that can be written, so that results of calculations fit.
    private static let days: ClosedRange<Int64> = -10_000_000...10_000_000

    /// Returns what was found as a moment; nil outside of the calendar.
    func reading(_ found: FoundDueDate) -> DueReading? {
        if found.meaning == .unknown { return .unknown(found.range) }
        guard let (moment, hasTime) = moment(found.meaning) else { return nil }
        return moment.map { .date(DueDate(range: found.range, moment: $0, hasTime: hasTime)) } ?? .unknown(found.range)
    }

    /// The moment is nil for times of several zones that are not the same.
    private func moment(_ meaning: FoundDueDate.Meaning) -> (Timestamp?, hasTime: Bool)? {
        switch meaning {
        case .unknown: return nil
        case .minutes(let count): return count.multiplied(by: 60).map { (said + .seconds($0), true) }
        case .day(let day, let time):
            guard Self.days.contains(day), let moment = self.moment(day, time) else { return nil }
            let others = time.others.map { self.moment(day, $0) }
            let isSame = others.allSatisfy { other in
                other.map { ($0.microseconds - moment.microseconds) % 86_400_000_000 == 0 } ?? false
            }
            return (isSame ? moment : nil, time.minute != 1_440)
        case .next(let time):
            guard let day = ZonedDays(time.zone, own: zone).today(of: said) else { return nil }
            var first = time
            first.isNextDay = false
            let isOver = self.moment(day, first).map { $0 <= said } ?? false
            return self.moment(.day(isOver ? day + 1 : day, first))  // bounded: a day of the calendar
        }
    }

    private func moment(_ day: Int64, _ time: DueTime) -> Timestamp? {
        ZonedDays(time.zone, own: zone).moment(time.isNextDay ? day + 1 : day, time)  // bounded: within `days`
    }
}

/// The days of a zone that was said.
struct ZonedDays {
    private let name: String
    /// Instead of the name.
    private let offset: Int64?

    init(_ zone: SaidZone, own: String) {
        switch zone {
        case .own: (name, offset) = (own, nil)
        case .named(let name): (self.name, offset) = (name, nil)
        case .offset(let seconds): (name, offset) = ("UTC", seconds)
        }
    }

    func today(of moment: Timestamp) -> Int64? {
        LocalCalendar(zone: name).day(of: moment + .seconds(offset ?? 0))
    }

    /// Returns the moment of a time, or the last second of the day.
    func moment(_ day: Int64, _ time: DueTime) -> Timestamp? {
        if time.minute == 1_440 {
            return LocalCalendar(zone: name).moment(day: day.addingClamped(1)).map { $0 + .seconds(-1 - (offset ?? 0)) }
        }
        let date = Timestamp.civilDate(dayNumber: day)
        guard
            let wall = WallTime(
                year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: time.minute / 60,
                minute: time.minute % 60, second: time.second),
            var clock = ZoneClock(zone: name) ?? ZoneClock(zone: "UTC")
        else { return nil }
        return clock.moment(of: wall) + .seconds(-(offset ?? 0))
    }
}

extension Timestamp {
    /// Whether it is the last second of a day in some zone, as ``DueDates/endOfDay(_:zone:)`` returns it: the text
    /// named a day, and no time.
    ///
    /// Times that people name are whole minutes, and zones differ by quarters of an hour.
    package var isEndOfDay: Bool { microseconds.modulo(900_000_000) == 899_000_000 }
}

extension Int64 {
    fileprivate func modulo(_ divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
