import ChatCore

/// Reads dates from the words of a question, from left to right, the first rule that fits.
struct DateParser: DateReading {
    let tokens: [DateToken]
    let lexicon: DateLexicon
    /// The asker's day.
    let today: Int64
    /// The IANA name of the asker's zone.
    let zone: String

    /// Whether `5/8` is the 8th of May.
    var hasMonthFirst: Bool { NumericDate.hasMonthFirst(in: zone) }
    var month: CivilMonth { CivilMonth(day: today) }
    var weekday: Int64 { Int64(LocalCalendar.weekday(of: today)) }
    /// Monday of this week.
    var monday: Int64 { today - weekday + 1 }

    /// Returns all dates, in order and without overlap.
    func all() -> [FoundDate] {
        var found: [FoundDate] = []
        var place = 0
        while place < tokens.count {
            if let end = times.recurring(place) ?? times.refused(place) {
                place = end
                continue
            }
            guard var date = between(place) ?? besideDate(place) ?? date(at: place) ?? bounded(place) else {
                place += 1
                continue
            }
            let (time, end) = time(behind: date)
            guard let time else {
                place = end
                continue
            }
            (date.time, date.tokens) = (time, date.tokens.lowerBound..<end)
            date.range =
                tokens[date.tokens.lowerBound].range.lowerBound..<tokens[date.tokens.upperBound - 1].range.upperBound
            found.append(date)
            place = date.tokens.upperBound
        }
        return found
    }

    /// Reads times and what makes a date none, as due dates do.
    private var times: DueDateParser { DueDateParser(tokens: tokens, lexicon: lexicon, today: today, zone: zone) }

    /// Returns the time of another zone that follows a day, which decides which day it is here, and the place after it; nil
    /// in `time` if that is not known.
    private func time(behind date: FoundDate) -> (time: DueTime?, end: Int) {
        let end = date.tokens.upperBound
        guard date.unit == .day, date.days.count == 1, date.bound == nil else { return (DueTime(), end) }
        let next = times.skip(words.due.joints, from: end)
        guard times.areNear(end...next), let clock = times.clock(at: next, isBesideDay: true) else {
            return (DueTime(), end)
        }
        if clock.isUnknown { return (nil, clock.tokens.upperBound) }
        return clock.time.zone == .own ? (DueTime(), end) : (clock.time, clock.tokens.upperBound)
    }

    /// Reads one date; `isExpected` means that the words before it announce one.
    func date(at place: Int, isExpected: Bool = false) -> FoundDate? {
        if let date = calendarDate(place) ?? ago(place) ?? rolling(place) { return date }
        if let date = relativeDay(place) ?? modified(place) { return date }
        if let date = namedMonth(place, isExpected: isExpected) ?? season(place, isExpected: isExpected) { return date }
        return year(place, isExpected: isExpected) ?? namedWeekday(place) ?? weekend(place) ?? ordinal(place)
    }

    /// Returns the place after the articles at `place`, at most two.
    func skipArticles(_ place: Int) -> Int {
        var place = place
        for _ in 0..<2 {
            guard let word = word(place), words.articles.contains(word) else { break }
            place += 1
        }
        return place
    }
}

// Spans with a bound.
extension DateParser {
    /// "Since March", "before 8 May", "seit zwei Wochen".
    private func bounded(_ place: Int) -> FoundDate? {
        guard let word = word(place), let bound = words.bounds[word] else { return nil }
        let next = skipArticles(place + 1)
        if bound == .since, let (count, end) = count(next), let unit = unit(end), let days = back(count, unit) {
            return FoundDate(place..<(end + 1), days, .span)
        }
        guard var date = date(at: next, isExpected: true) else { return nil }
        date.tokens = place..<date.tokens.upperBound
        date.bound = bound
        return date
    }

    /// "Between May and July", "von Montag bis Mittwoch".
    private func between(_ place: Int) -> FoundDate? {
        guard let word = word(place), words.spanLeads.contains(word),
            let first = date(at: skipArticles(place + 1), isExpected: true),
            let joint = self.word(first.tokens.upperBound),
            words.spanJoints.contains(joint),
            let second = date(at: skipArticles(first.tokens.upperBound + 1), isExpected: true),
            first.days.lowerBound < second.days.upperBound
        else { return nil }
        return FoundDate(
            place..<second.tokens.upperBound, first.days.lowerBound..<second.days.upperBound, .span)
    }
}

// Spans counted from today.
extension DateParser {
    /// Reads "3", "two", "a couple of", "ein paar"; returns the range of possible meanings.
    func count(_ place: Int) -> (ClosedRange<Int64>, end: Int)? {
        guard let first = word(place) else { return nil }
        if words.few.contains(first) { return (2...5, place + 1) }
        guard let number = words.number(first), number > 0 else { return nil }
        if let next = word(place + 1) {
            if words.few.contains(next) { return (2...5, place + 2) }
            if words.couples.contains(next) { return (2...2, skip(words.ofs, from: place + 2)) }
        }
        let end = place + 1
        return (number...number, words.couples.contains(first) ? skip(words.ofs, from: end) : end)
    }

    /// Returns the place after an optional word of `set`.
    func skip(_ set: Set<String>, from place: Int) -> Int {
        word(place).map(set.contains) == true ? place + 1 : place
    }

    /// "Two weeks ago", "vor zwei Wochen".
    private func ago(_ place: Int) -> FoundDate? {
        let isLed = word(place).map(words.agoLeads.contains) ?? false
        guard let (count, end) = count(isLed ? place + 1 : place), let unit = unit(end),
            isLed || word(end + 1).map(words.agos.contains) == true
        else { return nil }
        let tokens = place..<(isLed ? end + 1 : end + 2)
        if unit == .hour {
            var date = FoundDate(tokens, today..<(today + 1), .hours)
            date.minutesBack = (count.upperBound * 60 + 30, count.lowerBound * 60 - 30)
            return date
        }
        let far = daysBack(count.upperBound, unit)
        let near = daysBack(count.lowerBound, unit)
        return FoundDate(tokens, far.days.lowerBound..<near.days.upperBound, far.unit)
    }

    /// The days of "n units ago": the day, the week around it, the month, the year.
    private func daysBack(_ count: Int64, _ unit: DateWords.Unit) -> (days: Range<Int64>, unit: DateExpression.Unit) {
        switch unit {
        case .hour, .day: (today - count..<today - count + 1, .day)
        case .week: (today - 7 * count - 3..<today - 7 * count + 4, .week)
        case .weekend: (monday - 7 * count + 5..<monday - 7 * count + 7, .week)
        case .month: (month.adding(-count).days(), .month)
        case .quarter: (quarter(-count), .season)
        case .year: (years(month.year - count), .year)
        }
    }

    /// "In the last two weeks", "past few days", "in den letzten 10 Tagen".
    private func rolling(_ place: Int) -> FoundDate? {
        guard let (count, end) = lastCount(place), let unit = unit(end) else { return nil }
        if unit == .hour {
            var date = FoundDate(place..<(end + 1), today..<(today + 1), .hours)
            date.minutesBack = (count.upperBound * 60, 0)
            return date
        }
        return back(count, unit).map { FoundDate(place..<(end + 1), $0, .span) }
    }

    /// Reads "last two", and in languages with modifiers after the noun "deux dernières".
    private func lastCount(_ place: Int) -> (ClosedRange<Int64>, end: Int)? {
        if modifier(place) == -1 { return count(place + 1) }
        guard !words.laterModifiers.isEmpty, let (count, end) = count(place),
            modifier(end) == -1
        else { return nil }
        return (count, end + 1)
    }

    /// Returns the days from a number of units ago to today.
    private func back(_ count: ClosedRange<Int64>, _ unit: DateWords.Unit) -> Range<Int64>? {
        let count = count.upperBound
        let date = Timestamp.civilDate(dayNumber: today)
        let start: Int64? =
            switch unit {
            case .hour: nil
            case .day: today - count
            case .week, .weekend: today - 7 * count
            case .month: dayOrLast(of: month.adding(-count), date.day)
            case .quarter: dayOrLast(of: month.adding(-3 * count), date.day)
            case .year: dayOrLast(of: month.adding(-12 * count), date.day)
            }
        return start.map { $0..<(today + 1) }
    }

    private func dayOrLast(of month: CivilMonth, _ day: Int64) -> Int64 {
        month.day(day) ?? month.days().upperBound - 1
    }

    func quarter(_ step: Int64) -> Range<Int64> {
        CivilMonth(year: month.year, month: (month.month - 1) / 3 * 3 + 1).adding(3 * step).days(3)
    }

    func years(_ year: Int64) -> Range<Int64> {
        CivilMonth(year: year, month: 1).days(12)
    }
}
