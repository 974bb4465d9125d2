import ChatCore

// Days with a number: December 3rd, 3.12., 12/3, 2025-12-03, the 15th.
extension DueDateParser {
    func number(_ place: Int) -> Int64? { word(place).flatMap(DateWords.digits) }

    func numericDate(_ place: Int, isExpected: Bool = false) -> Day? {
        if let span = dottedSpan(place, isExpected: isExpected) { return span }
        guard let first = number(place), let second = number(place + 1), tokens[place + 1].before.count == 1,
            let sign = tokens[place + 1].before.first, "-/.".contains(sign)
        else { return nil }
        if let third = number(place + 2) ?? beforeTime(place + 2), tokens[place + 2].before == String(sign) {
            return numericDay(place..<(place + 3), hasMonthFirst: hasMonthFirst) {
                NumericDate.day(first, second, third, sign: sign, hasMonthFirst: $0)
            }
        }
        guard isExpected || isAnnounced(place), sign == "/" || (sign == "." && tokens[place + 1].after.hasPrefix("."))
        else { return nil }
        return numericDay(place..<(place + 2), hasMonthFirst: hasMonthFirst) {
            let (number, month) = NumericDate.dayAndMonth(first, second, sign: sign, hasMonthFirst: $0)
            return coming(number, ofMonth: month)
        }
    }

    /// A day in the order of the writer's zone, or in the other one if only that day is still to come.
    private func numericDay(_ places: Range<Int>, hasMonthFirst: Bool, _ day: (Bool) -> Int64?) -> Day? {
        let (usual, exchanged) = (day(hasMonthFirst), day(!hasMonthFirst))
        guard let usual else { return exchanged.map { Day(places, $0) } }
        guard let exchanged, exchanged != usual else { return Day(places, usual) }
        if usual < today, exchanged >= today { return Day(places, exchanged) }
        var day = Day(places, usual)
        day.exchanged = exchanged
        return day
    }

    private func isAnnounced(_ place: Int) -> Bool {
        place == 0 || due.leads.contains(word(place - 1) ?? "") || isWeekday(place - 1)
    }

    /// "3.-5.12.": the last day.
    private func dottedSpan(_ place: Int, isExpected: Bool) -> Day? {
        guard dayNumber(place) != nil, tokens.indices.contains(place + 1), tokens[place + 1].before.hasPrefix("."),
            ["-", "–"].contains(tokens[place + 1].before.filter { !" .".contains($0) }),
            var day = numericDate(place + 1, isExpected: isExpected || isAnnounced(place))
        else { return nil }
        day.tokens = place..<day.tokens.upperBound
        return day
    }

    /// The day in `03T17`, which is one word.
    private func beforeTime(_ place: Int) -> Int64? {
        guard let word = word(place), Self.isBeforeTime(word) else { return nil }
        return DateWords.digits(String(word.prefix(2)))
    }

    /// "3 December", "3rd of Dec 2025", "Dec 3", "December the 3rd, 2025"; of "12-14 December" the last day.
    func monthDate(_ place: Int) -> Day? {
        if let first = dayNumber(place) {
            let (number, end) = last(of: first, before: place + 1, isLed: true)
            let next = skip(words.ofs, from: end, atMost: 1)
            guard let month = month(next), tokens[next].isNear else { return nil }
            return day(number, month, from: place, yearAt: next + 1)
        }
        guard let month = month(place) else { return nil }
        let next = skip(words.dayArticles, from: place + 1, atMost: 1)
        guard let first = dayNumber(next), tokens[next].isNear, !isHour(next) else { return nil }
        let (number, end) = last(of: first, before: next + 1, isLed: false)
        return day(number, month, from: place, yearAt: end)
    }

    /// Returns the last day of a span of days in a month.
    private func last(of first: Int64, before place: Int, isLed: Bool) -> (Int64, end: Int) {
        guard let next = spanJoint(place, isLed: isLed), let number = dayNumber(next), number > first, !isHour(next)
        else {
            return (first, place)
        }
        return (number, next + 1)
    }

    /// Whether a number is an hour rather than a day.
    private func isHour(_ place: Int) -> Bool {
        if tokens[place].after.hasPrefix(":") { return true }
        guard let next = word(place + 1) else { return false }
        return Self.halves[next] != nil || next == "h" || due.clocks.contains(next)
    }

    private func month(_ place: Int) -> Int64? { monthNumber(place).map(Int64.init) }

    private func day(_ number: Int64, _ month: Int64, from place: Int, yearAt: Int) -> Day? {
        let next = skip(words.yearLeads, from: yearAt, atMost: 1)
        if let year = word(next).flatMap(DateWords.year), tokens[next].isNear {
            return NumericDate.day(year: year, month: month, number: number).map { Day(place..<(next + 1), $0) }
        }
        return coming(number, ofMonth: month).map { Day(place..<yearAt, $0) }
    }

    /// Returns the next such day, today included; the 29th of February can be 8 years away.
    func coming(_ number: Int64, ofMonth month: Int64) -> Int64? {
        guard (1...12).contains(month) else { return nil }
        return (self.month.year...self.month.year + 8).lazy
            .compactMap { CivilMonth(year: $0, month: month).day(number) }.first { $0 >= today }
    }

    /// "The 15th", "am 15.": the next one.
    func ordinal(_ place: Int) -> Day? {
        let start = skip(words.dayArticles, from: place, atMost: 1)
        guard let word = word(start), let number = words.dayNumber(word) else { return nil }
        let lead = self.word(start - 1) ?? ""
        let isAnnounced =
            start == 0 || words.ordinalLeads.contains(lead) || due.leads.contains(lead) || isWeekday(start - 1)
        let isOrdinal = DateWords.digits(word) == nil && isAnnounced
        let isDotted = due.dottedOrdinalLeads.contains(lead) && tokens.endsInOrdinalDot(start)
        let isBare = words.bareOrdinalLeads.contains(lead) && tokens.endsClause(start)
        guard isOrdinal || isDotted || isBare else { return nil }
        let day = (Int64(0)...2).lazy.compactMap { month.adding($0).day(number) }.first { $0 >= today }
        return day.map { Day(place..<(start + 1), $0) }
    }
}

// Days with a name: tomorrow, Friday, next Friday, Friday next week.
extension DueDateParser {
    func namedDay(_ place: Int) -> Day? {
        guard let word = word(place) else { return nil }
        let start = skip(words.dayArticles, from: place, atMost: 1)
        if start > place, let (step, end) = tokens.phrase(of: due.days, at: start), end > start + 1 {
            return Day(place..<end, today + step)
        }
        // "This afternoon": the part of the day is read as a time.
        if due.todayLeads.contains(word), due.todayParts.contains(self.word(place + 1) ?? "") {
            return Day(place..<(place + 1), today)
        }
        guard let (step, end) = tokens.phrase(of: due.days, at: place), !isNounOfDay(place) else { return nil }
        if let (weeks, last) = weeksLater(end), tokens[end].isNear {
            return Day(place..<last, (today + step).addingClamped(weeks.multipliedClamped(by: 7)))
        }
        return Day(place..<end, today + step)
    }

    /// "Morgen" is the noun after an article or greeting, and with a capital inside a sentence.
    private func isNounOfDay(_ place: Int) -> Bool {
        guard let leads = word(place).flatMap({ words.dayNouns[$0] }) else { return false }
        if place == 0 { return words.hasCapitalNouns && tokens.count > 1 && tokens[place].after.hasPrefix(",") }
        return words.hasCapitalNouns && tokens[place].isCapitalised || leads.contains(word(place - 1) ?? "")
    }

    func isWeekday(_ place: Int) -> Bool { weekdayNumber(place) != nil }

    /// Returns the weekday of a name; abbreviations only if they are written or announced as such.
    func weekdayNumber(_ place: Int) -> Int64? {
        guard let word = word(place) else { return nil }
        if let number = words.weekday(word) { return Int64(number) }
        let lead = self.word(place - 1) ?? ""
        let isAnnounced = due.leads.contains(lead) || words.modifier(lead) != nil
        if let number = due.shortWeekdays[word], isAnnounced || tokens[place].isCapitalised { return Int64(number) }
        guard let number = due.rareShortWeekdays[word], tokens[place].isCapitalised,
            due.shortWeekdayLeads.contains(lead) || tokens[place].after.hasPrefix(".")
        else { return nil }
        return Int64(number)
    }

    func weekdayDate(_ place: Int) -> Day? {
        if let number = weekdayNumber(place) { return weekday(number, place) }
        if let (step, end) = weekStep(place) {
            let next = skip(words.weekdayLeads, from: end)
            guard let number = weekdayNumber(next), tokens[next].isNear else { return nil }
            return Day(place..<(next + 1), monday + 7 * step + number - 1)
        }
        guard let word = word(place), let step = words.modifier(word), let number = weekdayNumber(place + 1) else {
            return nil
        }
        let places = place..<(place + 2)
        if due.isComing(word) { return Day(places, coming(number)) }
        let day = monday + 7 * step + number - 1
        return Day(places, step == 0 && day < today ? day + 7 : day)
    }

    /// A weekday with an optional addition: "Friday next week", "Freitag in zwei Wochen", "Friday week", "Friday, Dec 3".
    private func weekday(_ number: Int64, _ place: Int) -> Day? {
        let next = place + 1
        if let date = calendarDay(of: number, place, after: next) ?? weekdaySpan(place, after: next) { return date }
        if let (step, end) = weekStep(skipWeekOfs(from: next)), tokens[next].isNear {
            return Day(place..<end, monday + 7 * step + number - 1)
        }
        if let later = word(next), let step = words.laterModifiers[later], step >= 0, tokens[next].isNear {
            return Day(place..<(next + 1), due.isComing(later) ? coming(number) : monday + 7 * step + number - 1)
        }
        if let (weeks, end) = weeksLater(next) {
            return Day(place..<end, coming(number).addingClamped(weeks.multipliedClamped(by: 7)))
        }
        var day = Day(place..<next, coming(number))
        day.isWeekday = true
        return day
    }

    /// Reads how many weeks later a day is: "week", "in zwei Wochen", "en huit".
    private func weeksLater(_ place: Int) -> (weeks: Int64, end: Int)? {
        // "Friday week 50" names the week.
        if let (weeks, end) = tokens.phrase(of: due.weeksLater, at: place), number(end) == nil { return (weeks, end) }
        guard word(place).map(due.weekdayDistances.contains) == true, let (count, end) = count(place + 1),
            let unit = word(end), words.units[unit] == .week
        else { return nil }
        return (count, end + 1)
    }

    /// "Thursday 5 to Saturday 7 November": the month is said once.
    private func weekdaySpan(_ start: Int, after end: Int) -> Day? {
        guard let number = dayNumber(end), tokens[end].isNear, let next = spanJoint(end + 1, isLed: false),
            let last = day(at: skip(words.articles, from: next)), !last.isWeekday,
            let first = CivilMonth(day: last.day).day(number), first <= last.day
        else { return nil }
        var span = Day(start..<last.tokens.upperBound, last.day, before: first - 1)  // bounded: a day of the calendar
        span.isUnknown = last.isUnknown
        return span
    }

    /// A date that follows its weekday; unknown if it is another weekday.
    private func calendarDay(of weekday: Int64, _ start: Int, after end: Int) -> Day? {
        guard tokens.indices.contains(end), tokens[end].before.allSatisfy({ " ,.(".contains($0) }) else { return nil }
        let next = skip(from: end, atMost: 1) { words.dayArticles.contains($0) || words.articles.contains($0) }
        let ordinal = ordinal(end) ?? ordinal(next)
        guard var date = monthDate(next) ?? numericDate(next, isExpected: true) ?? ordinal else { return nil }
        func isRight(_ day: Int64) -> Bool { Int64(LocalCalendar.weekday(of: day)) == weekday }
        if !isRight(date.day), date.tokens == ordinal?.tokens {
            // Friday the 13th.
            let number = Timestamp.civilDate(dayNumber: date.day).day
            let days = (Int64(0)...13).lazy.compactMap { month.adding($0).day(number) }
            date.day = days.first { $0 >= today && isRight($0) } ?? date.day
        }
        var day = Day(start..<date.tokens.upperBound, date.day)
        day.isUnknown = date.isUnknown || !isRight(date.day)
        return day
    }

    /// "This week", "nächste Woche", "week after next": how many weeks from now.
    func weekStep(_ place: Int) -> (step: Int64, end: Int)? {
        let start = skip(words.dayArticles, from: place, atMost: 1)
        if let (step, end) = tokens.phrase(of: due.weeks, at: start) { return (step, end) }
        if let step = modifier(place), step >= 0, unit(place + 1) == .week {
            return (step, place + 2)
        }
        let noun = words.laterModifiers.isEmpty ? place : skip(due.articles, from: place, atMost: 1)
        guard unit(noun) == .week, let step = laterModifier(noun + 1), step >= 0 else {
            return nil
        }
        return (step, noun + 2)
    }

    /// Returns the place after words between a weekday and its week: "Friday of next week", "jeudi de la semaine
    /// prochaine".
    private func skipWeekOfs(from place: Int) -> Int {
        skip(from: place) {
            words.ofs.contains($0) || !words.laterModifiers.isEmpty && words.articles.contains($0)
        }
    }

    /// Returns the coming day of a weekday, never today.
    func coming(_ number: Int64) -> Int64 { today + (number - weekday + 6) % 7 + 1 }
}
