import ChatCore

// Distances: in 2 weeks, within 3 days, a week from Friday, in an hour.
extension DueDateParser {
    /// Reads "3", "two", "a couple of", "ein paar", "2-3"; of several the greatest.
    func count(_ place: Int) -> (count: Int64, end: Int)? {
        guard let first = word(place) else { return nil }
        if words.few.contains(first) { return (3, place + 1) }
        guard let number = words.number(first), number > 0 else { return nil }
        guard let next = word(place + 1) else { return (number, place + 1) }
        if words.few.contains(next) { return (3, place + 2) }
        if words.couples.contains(next) { return (2, skip(words.ofs, from: place + 2, atMost: 1)) }
        if words.couples.contains(first), words.ofs.contains(next) { return (2, place + 2) }
        let second = due.countJoints.contains(next) ? place + 2 : place + 1
        let isRange = second > place + 1 || "-–".contains(tokens[second].before)
        // bounded: a place
        if isRange, let last = countWord(second), last > number { return (last, second + 1) }
        return (number, place + 1)
    }

    /// Reads a span that is counted in hours or minutes.
    func minutes(_ place: Int) -> (tokens: Range<Int>, count: Int64)? {
        let hasLead = word(place).map(due.distances.contains) ?? false
        let start = hasLead ? skip(due.fillers, from: place + 1) : place
        guard let (count, end) = shortSpan(start) else { return nil }
        if hasLead { return (place..<end, count) }
        return fromNow(end).map { (place..<$0, count) }
    }

    /// Returns the place after "from now".
    private func fromNow(_ place: Int) -> Int? {
        guard let first = word(place), let second = word(place + 1), due.fromNow.contains("\(first) \(second)")
        else { return nil }
        return place + 2
    }

    private func shortSpan(_ place: Int) -> (count: Int64, end: Int)? {
        if let (count, unit) = word(place).flatMap(DueWords.short), let length = due.minutes[unit] {
            return (count.multipliedClamped(by: length), place + 1)
        }
        let half = skip(due.halfFillers, from: place, atMost: 1)
        if word(half).map(due.halves.contains) == true {
            let end = skip(due.halfFillers, from: half + 1, atMost: 1)
            if let length = word(end).flatMap({ due.minutes[$0] }), length == 60 { return (30, end + 1) }
        }
        if let count = word(place).flatMap({ due.halfHours[$0] }), isHour(place + 1) { return (count, place + 2) }
        guard let (count, end) = count(place) else { return nil }
        // "Two and a half hours" and "two hours and a half".
        let hour = isHour(end)
        if let last = halfBehind(hour ? end + 1 : end), hour || isHour(last) {
            return (count.multipliedClamped(by: 60).addingClamped(30), hour ? last : last + 1)
        }
        guard let length = word(end).flatMap({ due.minutes[$0] }) else { return nil }
        return (count.multipliedClamped(by: length), end + 1)
    }

    private func isHour(_ place: Int) -> Bool { word(place).flatMap { due.minutes[$0] } == 60 }

    /// Returns the place after "and a half".
    private func halfBehind(_ place: Int) -> Int? {
        guard word(place).map(due.halfJoints.contains) == true else { return nil }
        let half = skip(due.halfFillers, from: place + 1, atMost: 1)
        // "And a half", but not "and half of them".
        let halves = half > place + 1 ? due.halves : due.halvesBehind
        return word(half).map(halves.contains) == true ? half + 1 : nil
    }

    /// Reads a span that is counted in days or longer.
    func distance(_ place: Int) -> Day? {
        if let day = dayBeside(place) { return day }
        let hasLead = word(place).map(due.distances.contains) ?? false
        let start = hasLead ? skip(due.fillers, from: place + 1, atMost: 3) : place
        guard let (count, unit, end) = longSpan(start) else { return nil }
        if hasLead { return Self.step(from: today, count, unit).map { Day(place..<end, $0) } }
        if let last = fromNow(end) { return Self.step(from: today, count, unit).map { Day(place..<last, $0) } }
        if case .days(let length) = unit, length % 7 == 0, let day = weeksBefore(end) {
            return Day(place..<day.tokens.upperBound, day.day.addingClamped(count.multipliedClamped(by: length)))
        }
        guard let sign = direction(end), let base = base(end + 1) else { return nil }
        let found = Self.step(from: sign < 0 ? base.first : base.day, sign < 0 ? -count : count, unit)
        return found.map { beside(base, place, $0) }
    }

    /// The day in "a week on Friday", "a week tomorrow", from which weeks are counted.
    private func weeksBefore(_ place: Int) -> Day? {
        if word(place) == "on" { return isWeekday(place + 1) ? weekdayDate(place + 1) : nil }
        return word(place).map { due.days[$0] != nil } == true && tokens[place].before == " " ? namedDay(place) : nil
    }

    /// Returns 1 for "after" and "from", -1 for "before".
    private func direction(_ place: Int) -> Int64? {
        guard let word = word(place) else { return nil }
        return due.distanceJoints.contains(word) ? 1 : due.before.contains(word) ? -1 : nil
    }

    /// The day from which another is counted.
    private func base(_ place: Int) -> Day? {
        let behind = skip(from: place) { words.articles.contains($0) || due.articles.contains($0) }
        for start in behind == place ? [place] : [place, behind] {
            if let day = numericDate(start, isExpected: true) ?? monthDate(start) ?? ordinal(start) { return day }
            if let day = namedDay(start) ?? weekdayDate(start) ?? part(start) { return day }
            if let period = period(start) { return Day(period.tokens, period.end, before: period.first - 1) }
        }
        return nil
    }

    /// A day that is counted from another; unknown if it is over.
    private func beside(_ base: Day, _ start: Int, _ day: Int64) -> Day {
        var found = Day(start..<base.tokens.upperBound, day)
        found.isUnknown = base.isUnknown || day < today
        return found
    }

    /// The most days that are counted one from another.
    private static let chainLimit = 8

    /// "The day after Friday", "the day after the day after tomorrow", "der Tag vor Freitag".
    private func dayBeside(_ place: Int) -> Day? {
        var (steps, next, count) = (Int64(0), place, 0)
        while true {
            let noun = skip(from: next, atMost: 1) {
                words.dayArticles.contains($0) || words.articles.contains($0) || due.articles.contains($0)
            }
            guard unit(noun) == .day, let sign = direction(noun + 1), dayNumber(noun - 1) == nil else { break }
            (steps, next, count) = (steps + sign, noun + 2, count + 1)  // bounded: at most `chainLimit`
            if count > Self.chainLimit { return .unknown(place..<next) }
        }
        guard count > 0, let base = base(next) else { return nil }
        return beside(base, place, (steps < 0 ? base.first : base.day) + steps)  // bounded: a day of the calendar
    }

    private enum Step { case days(Int64), workingDays, months(Int64) }

    private func longSpan(_ place: Int) -> (count: Int64, unit: Step, end: Int)? {
        if let (count, unit) = word(place).flatMap(DueWords.short), let days = due.dayLetters[unit] {
            return (count, .days(days), place + 1)
        }
        guard let (count, end) = count(place), let word = word(end) else { return nil }
        if due.workingDays.contains(word) { return (count, .workingDays, end + 1) }
        if due.working.contains(word), unit(end + 1) == .day { return (count, .workingDays, end + 2) }
        if let days = due.longUnits[word] { return (count, .days(days), end + 1) }
        switch words.units[word] {
        case .day where self.word(end + 1).map(due.workingBehind.contains) == true:
            return (count, .workingDays, end + 2)
        case .day: return (count, .days(1), end + 1)
        case .week: return (count, .days(7), end + 1)
        case .month: return (count, .months(1), end + 1)
        case .quarter: return (count, .months(3), end + 1)
        case .year: return (count, .months(12), end + 1)
        case .hour, .weekend, nil: return nil
        }
    }

    private static func step(from day: Int64, _ count: Int64, _ unit: Step) -> Int64? {
        switch unit {
        case .days(let length): return day.addingClamped(count.multipliedClamped(by: length))
        case .months(let length):
            let date = Timestamp.civilDate(dayNumber: day)
            let month = CivilMonth(day: day).adding(count.multipliedClamped(by: length))
            return month.day(date.day) ?? month.days().upperBound - 1
        case .workingDays:
            guard count.magnitude <= 1_000 else { return nil }
            var (day, left) = (day, count.magnitude)
            while left > 0 {
                day += count.signum()
                if LocalCalendar.weekday(of: day) <= 5 { left -= 1 }
            }
            return day
        }
    }
}

// Spans by name, and their parts: next week, end of the month, mid October, Q3.
extension DueDateParser {
    /// A longer span.
    struct Period {
        var tokens: Range<Int>
        var first: Int64
        /// The day on which it ends for tasks that are due in it.
        var end: Int64
        var isWeek = false
    }

    /// Reads a part of a span: "end of the month", "Anfang nächster Woche", "EOM".
    func part(_ place: Int) -> Day? {
        let start = skip(due.articles, from: place, atMost: 1)
        if let (unit, last) = tokens.phrase(of: due.ends, at: start) {
            return period(of: unit, step: 0, start..<last).map { end(of: $0, from: place) }
        }
        guard let part = word(start).flatMap({ due.parts[$0] }) else { return nil }
        let next = skip(words.articles, from: start + 1)
        guard let period = expectedPeriod(next) else { return nil }
        return day(part, of: period, from: place)
    }

    private func day(_ part: DueWords.Part, of period: Period, from place: Int) -> Day {
        let days = (period.isWeek ? [0, 1, 2] : [0, 9, 14]).map { period.first + $0 }
        let places = place..<period.tokens.upperBound
        switch part {
        case .beginning: return Day(places, days[0])
        case .early: return Day(places, days[1])
        case .middle: return Day(places, days[2])
        case .end: return end(of: period, from: place)
        }
    }

    /// Before the end is by the end.
    private func end(of period: Period, from place: Int) -> Day {
        Day(place..<period.tokens.upperBound, period.end, before: period.end)
    }

    /// Reads a span without "end of".
    func period(_ place: Int) -> Period? {
        let start = skip(due.articles, from: place, atMost: 1)
        if unit(start) == .weekend, laterModifier(start + 1) == nil {
            return period(of: .weekend, step: 0, place..<(start + 1))
        }
        if let quarter = quarter(place) { return quarter }
        if let found = modified(place) { return found }
        if let (step, end) = weekStep(place) { return period(of: .week, step: step, place..<end) }
        return due.monthLeads.contains(word(place - 1) ?? "") ? namedMonth(place) : nil
    }

    /// Reads a span after "end of": the unit needs no "this".
    private func expectedPeriod(_ place: Int) -> Period? {
        if let found = modified(place) ?? quarter(place) ?? namedMonth(place) { return found }
        if let year = word(place).flatMap(DateWords.year) {
            let days = CivilMonth(year: year, month: 1).days(12)
            return Period(tokens: place..<(place + 1), first: days.lowerBound, end: days.upperBound - 1)
        }
        return unit(place).flatMap { period(of: $0, step: 0, place..<(place + 1)) }
    }

    /// "This week", "next month", "nächstes Jahr", "next October".
    private func modified(_ place: Int) -> Period? {
        if let late = modifiedBehind(place) { return late }
        guard let step = modifier(place), step >= 0 else { return nil }
        if let unit = unit(place + 1) { return modified(unit, step, word(place), place..<(place + 2)) }
        guard let month = namedMonth(place + 1) else { return nil }
        return Period(tokens: place..<month.tokens.upperBound, first: month.first, end: month.end)
    }

    /// "La semaine prochaine", "el mes que viene".
    private func modifiedBehind(_ place: Int) -> Period? {
        guard !words.laterModifiers.isEmpty else { return nil }
        let noun = skip(due.articles, from: place, atMost: 1)
        guard let unit = unit(noun), let step = laterModifier(noun + 1), step >= 0
        else { return nil }
        return modified(unit, step, word(noun + 1), place..<(noun + 2))
    }

    private func modified(
        _ unit: DateWords.Unit, _ step: Int64, _ modifier: String?, _ places: Range<Int>
    ) -> Period? {
        let isComing = modifier.map { due.isComing($0) } ?? false
        return period(of: unit, step: isComing && unit == .weekend ? 0 : step, places)
    }

    private func period(of unit: DateWords.Unit, step: Int64, _ places: Range<Int>) -> Period? {
        let monday = monday + 7 * step
        switch unit {
        case .hour, .day: return nil
        case .week:
            let friday = monday + 4
            return Period(tokens: places, first: monday, end: today > friday ? monday + 6 : friday, isWeek: true)
        case .weekend: return Period(tokens: places, first: monday + 5, end: monday + 6)
        case .month: return Period(places, month.adding(step).days())
        case .quarter:
            let first = CivilMonth(year: month.year, month: (month.month - 1) / 3 * 3 + 1)
            return Period(places, first.adding(3 * step).days(3))
        case .year: return Period(places, CivilMonth(year: month.year + step, month: 1).days(12))
        }
    }

    /// Returns a month: the coming one unless its year is said.
    private func namedMonth(_ place: Int) -> Period? {
        guard let number = monthNumber(place).map(Int64.init),
            tokens[place].isCapitalised || !words.capitalisesMonths
        else { return nil }
        let next = skip(words.yearLeads, from: place + 1, atMost: 1)
        if let year = word(next).flatMap(DateWords.year), tokens[next].isNear {
            return Period(place..<(next + 1), CivilMonth(year: year, month: number).days())
        }
        let year = number < month.month ? month.year + 1 : month.year  // bounded: this year or the next
        return Period(place..<(place + 1), CivilMonth(year: year, month: number).days())
    }

    /// "Q3", "Q3 2026": the coming one unless its year is said.
    private func quarter(_ place: Int) -> Period? {
        guard let word = word(place), word.utf8.count == 2, word.first == "q",
            let number = DateWords.digits(String(word.dropFirst())), (1...4).contains(number)
        else { return nil }
        let first = number * 3 - 2  // bounded: 1 to 4
        if let year = self.word(place + 1).flatMap(DateWords.year), tokens[place + 1].isNear {
            return Period(place..<(place + 2), CivilMonth(year: year, month: first).days(3))
        }
        let year = first + 2 < month.month ? month.year + 1 : month.year  // bounded: this year or the next
        return Period(place..<(place + 1), CivilMonth(year: year, month: first).days(3))
    }
}

extension DueDateParser.Period {
    fileprivate init(_ tokens: Range<Int>, _ days: Range<Int64>) {
        self.init(tokens: tokens, first: days.lowerBound, end: days.upperBound - 1)
    }
}
