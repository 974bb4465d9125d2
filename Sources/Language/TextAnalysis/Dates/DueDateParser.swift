import ChatCore

/// Reads due dates from the words of a message, from left to right, the first rule that fits.
struct DueDateParser: DateReading {
    let tokens: [DateToken]
    let lexicon: DateLexicon
    /// The writer's day.
    let today: Int64
    /// The IANA name of the writer's zone.
    let zone: String
    /// Whether other words of the text may name a day; see ``DateLanguages/isForeign``.
    var isForeign = false
    var steps: StepCounter?

    /// Days that are due, as they were read.
    struct Day {
        /// The tokens that say it.
        var tokens: Range<Int>
        /// The day that is due.
        var day: Int64
        /// The day that "before" means.
        var before: Int64
        /// Whether only the name of a weekday says which day it is.
        var isWeekday = false
        /// The day that its numbers mean with day and month exchanged.
        var exchanged: Int64?
        /// Whether the words contradict each other, or mean a day that is over.
        var isUnknown = false

        init(_ tokens: Range<Int>, _ day: Int64, before: Int64? = nil) {
            (self.tokens, self.day, self.before) = (tokens, day, before ?? day - 1)
        }

        static func unknown(_ tokens: Range<Int>) -> Day {
            var day = Day(tokens, 0)
            day.isUnknown = true
            return day
        }

        /// The first day of what was said.
        var first: Int64 { before == day ? day : before + 1 }  // bounded: a day of the calendar
    }

    var due: DueWords { words.due }
    var month: CivilMonth { CivilMonth(day: today) }
    var weekday: Int64 { Int64(LocalCalendar.weekday(of: today)) }
    /// Monday of this week.
    var monday: Int64 { today - weekday + 1 }
    /// Whether `5/8` is the 8th of May.
    var hasMonthFirst: Bool { NumericDate.hasMonthFirst(in: zone) }

    /// Returns all dates, in order and without overlap.
    func all() -> [FoundDueDate] {
        var found: [FoundDueDate] = []
        var place = 0
        let mayBegin = DateCue.beginnings(tokens, words)
        while place < tokens.count {
            switch mayBegin[place] ? words(at: place) : nil {
            case nil: place += 1
            case .past(let end): place = end
            case .date(let places, let meaning):
                found.append(FoundDueDate(range: range(of: places), meaning: meaning))
                place = places.upperBound
            }
        }
        return found
    }

    /// Returns the place after the words of `set` at `place`, at most `count` of them.
    func skip(_ set: Set<String>, from place: Int, atMost count: Int = 2) -> Int {
        skip(from: place, atMost: count, while: set.contains)
    }

    /// Returns the place after the words at `place` that are `skipped`, at most `count` of them.
    func skip(from place: Int, atMost count: Int = 2, while skipped: (String) -> Bool) -> Int {
        var place = place
        for _ in 0..<count {
            guard let word = word(place), skipped(word) else { break }
            place += 1
        }
        return place
    }

    private func range(of places: Range<Int>) -> Range<Int> {
        tokens[places.lowerBound].range.lowerBound..<tokens[places.upperBound - 1].range.upperBound
    }

    /// What begins at a place.
    enum Words {
        /// A date that is over, up to a place.
        case past(end: Int)
        case date(Range<Int>, FoundDueDate.Meaning)
    }

    private func words(at place: Int) -> Words? {
        steps?.add()
        if let end = past(place) { return .past(end: clockEnd(after: end)) }
        if let end = recurring(place) { return .date(place..<end, .unknown) }
        if let end = refused(place) ?? numberedWeekday(place).map(clockEnd) { return .date(place..<end, .unknown) }
        guard let found = date(at: place) else { return opened(place).map { .date(place..<$0, .unknown) } }
        guard case .date(let places, let meaning) = found else { return found }
        if case .next = meaning, isOpener(place - 1) { return .date(places, .unknown) }
        let end = alternative(after: places.upperBound) ?? repetition(after: places.upperBound).map(clockEnd)
        return .date(places.lowerBound..<(end ?? places.upperBound), end == nil ? known(meaning, places) : .unknown)
    }

    /// Gives up what words of a language that is not known may mean otherwise.
    private func known(_ meaning: FoundDueDate.Meaning, _ places: Range<Int>) -> FoundDueDate.Meaning {
        guard isForeign else { return meaning }
        switch meaning {
        case .next: return .unknown
        case .day(_, let time) where time.minute == 1_440:
            let rest = places.upperBound..<min(places.upperBound + 3, tokens.count)
            return rest.contains { tokens[$0].word.first?.isNumber == true } ? .unknown : meaning
        default: return meaning
        }
    }

    /// Reads one date: a day with or without a time, a time with or without a day, or a span of hours.
    func date(at place: Int) -> Words? {
        steps?.add()
        if let span = minutes(place) { return .date(span.tokens, .minutes(span.count)) }
        let isBefore = word(place).map(due.before.contains) ?? false
        let start = isBefore ? skip(words.articles, from: place + 1) : place
        if var day = day(at: start) {
            if isBefore { day.day = day.before }
            day.tokens = place..<day.tokens.upperBound
            return withClock(spanned(day))
        }
        guard var clock = clock(at: start, isBesideDay: false) ?? bareHourBeforeDay(start) else { return nil }
        if clock.time.zone == .own, let zone = zone(before: start) {
            clock.time.zone = zone
        }
        clock.tokens = place..<clock.tokens.upperBound
        return withDay(clock)
    }

    /// "At 5 on Friday": without the day it may be anything.
    private func bareHourBeforeDay(_ place: Int) -> Clock? {
        guard let clock = bareHour(place) else { return nil }
        let next = skip(due.joints, from: clock.tokens.upperBound)
        return areNear(clock.tokens.upperBound...next) && day(at: next) != nil ? clock : nil
    }

    /// Takes the time that may follow: "Friday at 5pm", "tomorrow morning".
    private func withClock(_ day: Day) -> Words {
        let end = day.tokens.upperBound
        let next = skip(due.joints, from: end)
        let isNight = word(day.tokens.lowerBound).map { words.nights[$0] != nil } ?? false
        guard areNear(end...next) else { return whole(day) }
        if let clock = clock(at: next, isBesideDay: true) ?? clockBehindZone(next) {
            return joined(day, isNight ? clock.within(part: 1_440) : clock)
        }
        if let last = openedTime(end) { return .date(day.tokens.lowerBound..<last, .unknown) }
        if isUnreadTime(next) || isUnreadSpan(next) || word(end - 1).map(Self.isBeforeTime) == true {
            return .date(day.tokens.lowerBound..<max(end, min(next + 1, tokens.count)), .unknown)
        }
        return whole(day)
    }

    /// "UTC 9:00", "in Tokyo at 9:00".
    private func clockBehindZone(_ place: Int) -> Clock? {
        var reading = zones.reading(at: place)
        if reading == .nothing { reading = zones.placed(at: place - 1) }
        guard case .zone(let zone, let end) = reading,
            var clock = clock(at: skip(due.joints, from: end), isBesideDay: true), clock.time.zone == .own
        else { return nil }
        clock.time.zone = zone
        return clock
    }

    /// The zone that ends directly before a time: "PT 9am on Friday", "Berlin time: 9:00".
    private func zone(before place: Int) -> SaidZone? {
        guard place > 0, tokens[place].before.utf8.allSatisfy({ " :)]".utf8.contains($0) }) else { return nil }
        for start in max(0, place - 3)..<place {
            if case .zone(let zone, place) = zones.reading(at: start) { return zone }
        }
        return nil
    }

    private func joined(_ day: Day, _ clock: Clock) -> Words {
        let places =
            min(
                day.tokens.lowerBound, clock.tokens.lowerBound)..<max(
                day.tokens.upperBound, clock.tokens.upperBound)
        let isUnknown = day.isUnknown || clock.isUnknown || isAmbiguous(day, in: clock.time.zone)
        return .date(places, isUnknown ? .unknown : .day(day.day, clock.time))
    }

    /// A day without a time, of which only the zone may be said.
    private func whole(_ day: Day) -> Words {
        var (places, time) = (day.tokens, DueTime())
        if case .zone(let zone, let end) = zones.reading(at: places.upperBound), tokens.endsClause(end - 1),
            zone != .own
        {
            time.zone = zone
            places = places.lowerBound..<end
        }
        return .date(places, day.isUnknown || isAmbiguous(day, in: time.zone) ? .unknown : .day(day.day, time))
    }

    /// Whether day and month may be exchanged: who says a time of another zone may write dates as people there do.
    private func isAmbiguous(_ day: Day, in said: SaidZone) -> Bool {
        guard let other = day.exchanged, other >= today, day.day >= today, said != .own else { return false }
        let noon = DueTime(minute: 720)
        return ZonedDays(said, own: zone).moment(day.day, noon) != ZonedDays(.own, own: zone).moment(day.day, noon)
    }

    /// Takes the day that may follow: "5pm on Friday", "EOD tomorrow"; without one it is the next time.
    private func withDay(_ clock: Clock) -> Words {
        let end = clock.tokens.upperBound
        let next = skip(due.joints, from: end)
        let alone = Words.date(clock.tokens, clock.isUnknown ? .unknown : .next(clock.time))
        guard areNear(end...next) else { return alone }
        if let past = past(next) { return .past(end: past) }
        if let last = recurring(next) { return .date(clock.tokens.lowerBound..<last, .unknown) }
        guard let day = day(at: next) else { return alone }
        return joined(day, behind(day, clock))
    }

    /// Takes what may follow the day: "5pm Friday PT", "at 8 this evening".
    private func behind(_ day: Day, _ clock: Clock) -> Clock {
        var clock = clock
        var end = day.tokens.upperBound
        let next = skip(due.joints, from: end)
        if let part = word(next).flatMap({ due.dayParts[$0] }), areNear(end...next) {
            clock = clock.within(part: part)
            end = next + 1
        } else if word(day.tokens.lowerBound).map({ words.nights[$0] != nil }) == true {
            clock = clock.within(part: 1_440)
        }
        clock.tokens = clock.tokens.lowerBound..<end
        return clock.time.zone == .own ? zoned(clock) : clock
    }

    func areNear(_ places: ClosedRange<Int>) -> Bool {
        places.allSatisfy { place in
            guard tokens.indices.contains(place), !tokens[place].isNear else { return true }
            let gap = tokens[place].before
            return gap == ":" || gap.utf8.count <= 4 && gap.utf8.allSatisfy { " (),.-".utf8.contains($0) }
        }
    }

    /// Reads one day.
    func day(at place: Int) -> Day? {
        steps?.add()
        return simpleDay(place) ?? part(place) ?? period(place).map { Day($0.tokens, $0.end, before: $0.first - 1) }
    }

    private func simpleDay(_ place: Int) -> Day? {
        if let date = numericDate(place) ?? monthDate(place) ?? ordinal(place) { return date }
        return distance(place) ?? namedDay(place) ?? weekdayDate(place)
    }
}
