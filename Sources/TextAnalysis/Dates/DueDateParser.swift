import ChatCore

/// Reads due dates from the words of a message, from left to right, the first rule that fits.
struct DueDateParser: DateReading {
    let tokens: [DateToken]
    let words: DateWords
    /// The writer's day.
    let today: Int64
    /// The minute of it at which the message was written.
    let minute: Int
    /// Whether `5/8` is the 8th of May.
    let hasMonthFirst: Bool

    /// Days that are due, as they were read.
    struct Day {
        /// The tokens that say it.
        var tokens: Range<Int>
        /// The day that is due.
        var day: Int64
        /// The day that "before" means.
        var before: Int64

        init(_ tokens: Range<Int>, _ day: Int64, before: Int64? = nil) {
            (self.tokens, self.day, self.before) = (tokens, day, before ?? day - 1)
        }
    }

    /// A time of day as it was read.
    struct Clock {
        /// The tokens that say it.
        var tokens: Range<Int>
        /// The minute of the day; 1440 for its end.
        var minute: Int
    }

    var due: DueWords { words.due }
    var month: CivilMonth { CivilMonth(day: today) }
    var weekday: Int64 { Int64(LocalCalendar.weekday(of: today)) }
    /// Monday of this week.
    var monday: Int64 { today - weekday + 1 }

    /// Returns all dates, in order and without overlap.
    func all() -> [FoundDueDate] {
        var found: [FoundDueDate] = []
        var place = 0
        while place < tokens.count {
            if let end = pastOrRecurring(place) {
                place = end
            } else if let (places, meaning) = date(at: place) {
                found.append(FoundDueDate(range: range(of: places), meaning: meaning))
                place = places.upperBound
            } else {
                place += 1
            }
        }
        return found
    }

    /// Returns the place after the words of `set` at `place`, at most `count` of them.
    func skip(_ set: Set<String>, from place: Int, atMost count: Int = 2) -> Int {
        var place = place
        for _ in 0..<count {
            guard let word = word(place), set.contains(word) else { break }
            place += 1
        }
        return place
    }

    private func range(of places: Range<Int>) -> Range<Int> {
        tokens[places.lowerBound].range.lowerBound..<tokens[places.upperBound - 1].range.upperBound
    }

    /// Returns the place after "last Friday", "letzte Woche", "every Monday", "3 days ago"; nil if there is none.
    private func pastOrRecurring(_ place: Int) -> Int? {
        guard let word = word(place) else { return nil }
        if let next = self.word(place + 1), words.laterModifiers[next] == -1, isNoun(word) { return place + 2 }
        if words.agoLeads.contains(word), !due.before.contains(word), let (_, end) = count(place + 1) { return end + 1 }
        let isPast = words.modifier(word) == -1
        guard isPast || due.recurring.contains(word) else { return due.past.contains(word) ? place + 1 : nil }
        // "Todos los lunes".
        let next = words.laterModifiers.isEmpty ? place + 1 : skip(words.articles, from: place + 1)
        guard let noun = self.word(next), isNoun(noun) else { return nil }
        return next + 1
    }

    /// Whether a word names a day, a month or a longer unit.
    private func isNoun(_ word: String) -> Bool {
        words.weekday(word) != nil || words.units[word] != nil || words.month(word) != nil
    }

    /// Reads one date: a day with or without a time, a time with or without a day, or a span of hours.
    private func date(at place: Int) -> (Range<Int>, FoundDueDate.Meaning)? {
        if let span = minutes(place) { return (span.tokens, .minutes(span.count)) }
        let isBefore = word(place).map(due.before.contains) ?? false
        let start = isBefore ? skip(words.articles, from: place + 1) : place
        if var day = day(at: start) {
            if isBefore { day.day = day.before }
            day.tokens = place..<day.tokens.upperBound
            return withClock(day)
        }
        guard let clock = clock(at: start, isBesideDay: false) else { return nil }
        return withDay(Clock(tokens: place..<clock.tokens.upperBound, minute: clock.minute))
    }

    /// Takes the time that may follow: "Friday at 5pm", "tomorrow morning".
    private func withClock(_ day: Day) -> (Range<Int>, FoundDueDate.Meaning) {
        let next = skip(due.joints, from: day.tokens.upperBound)
        guard let clock = clock(at: next, isBesideDay: true), areNear(day.tokens.upperBound...next) else {
            return (day.tokens, .day(day.day, minute: 1_440))
        }
        return (day.tokens.lowerBound..<clock.tokens.upperBound, .day(day.day, minute: clock.minute))
    }

    /// Takes the day that may follow: "5pm on Friday", "EOD tomorrow"; without one it is the next time.
    private func withDay(_ clock: Clock) -> (Range<Int>, FoundDueDate.Meaning) {
        let next = skip(due.joints, from: clock.tokens.upperBound)
        if let day = day(at: next), areNear(clock.tokens.upperBound...next) {
            return (clock.tokens.lowerBound..<day.tokens.upperBound, .day(day.day, minute: clock.minute))
        }
        return (clock.tokens, .day(clock.minute > minute ? today : today + 1, minute: clock.minute))
    }

    private func areNear(_ places: ClosedRange<Int>) -> Bool {
        places.allSatisfy { !tokens.indices.contains($0) || tokens[$0].isNear || tokens[$0].before == ":" }
    }

    /// Reads one day.
    func day(at place: Int) -> Day? {
        if let date = numericDate(place) ?? monthDate(place) ?? ordinal(place) { return date }
        if let date = distance(place) ?? namedDay(place) ?? weekdayDate(place) { return date }
        return part(place) ?? period(place).map { Day($0.tokens, $0.end, before: $0.first - 1) }
    }
}
