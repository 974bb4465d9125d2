import ChatCore

// Dates with a name: yesterday, last Friday, in May, this summer, 2022.
extension DateParser {
    /// "Yesterday", "gestern Abend", "the day before yesterday", "tonight".
    func relativeDay(_ place: Int) -> FoundDate? {
        guard let word = word(place) else { return nil }
        if let step = words.nights[word] {
            return FoundDate(place..<(place + 1), today + step..<today + step + 1, .hours, hours: 18..<30)
        }
        guard let (step, end) = tokens.phrase(of: words.days, at: place), !isNoun(place) else { return nil }
        return withPart(whole(place..<end, today + step))
    }

    private func whole(_ tokens: Range<Int>, _ day: Int64) -> FoundDate {
        FoundDate(tokens, day..<(day + 1), .day)
    }

    /// "Morgen" is the noun after an article or greeting, and with a capital inside a sentence.
    private func isNoun(_ place: Int) -> Bool {
        guard place > 0, let leads = word(place).flatMap({ words.dayNouns[$0] }) else { return false }
        return words.hasCapitalNouns && tokens[place].isCapitalised || leads.contains(word(place - 1) ?? "")
    }

    /// Takes the part of the day that may follow: "Friday night".
    private func withPart(_ date: FoundDate) -> FoundDate {
        let place = skip(words.dayPartLeads, from: skip(words.dayPartLeads, from: date.tokens.upperBound))
        guard let hours = word(place).flatMap({ words.dayParts[$0] }) else { return date }
        return FoundDate(date.tokens.lowerBound..<(place + 1), date.days, .hours, hours: hours)
    }

    /// "Last week", "this May", "letzten Freitag", "next summer", "last night".
    func modified(_ place: Int) -> FoundDate? {
        guard let first = word(place), let second = word(place + 1) else { return nil }
        let tokens = place..<(place + 2)
        if let step = words.laterModifiers[second] { return modified(tokens, step, first) }
        guard let step = words.modifier(first) else { return nil }
        // "Ce jeudi prochain": the second modifier says more.
        if let later = laterModifier(place + 2) { return modified(place..<(place + 3), later, second) }
        return modified(tokens, step, second)
    }

    private func modified(_ tokens: Range<Int>, _ step: Int64, _ noun: String) -> FoundDate? {
        if let unit = words.units[noun] { return modifiedUnit(tokens, step, unit) }
        if let number = words.weekday(noun) {
            return withPart(whole(tokens, weekday(Int64(number), step)))
        }
        if let number = words.month(noun) {
            return FoundDate(
                tokens, CivilMonth(year: yearOfMonth(Int64(number), step), month: Int64(number)).days(), .month)
        }
        if let start = words.seasons[noun] { return FoundDate(tokens, seasonDays(start, step), .season) }
        guard step <= 0, let hours = words.dayParts[noun] else { return nil }
        return FoundDate(tokens, today + step..<today + step + 1, .hours, hours: hours)
    }

    private func modifiedUnit(_ tokens: Range<Int>, _ step: Int64, _ unit: DateWords.Unit) -> FoundDate? {
        switch unit {
        case .hour, .day: return nil
        case .week:
            let start = monday + 7 * step
            let next = skip(words.weekdayLeads, from: tokens.upperBound)
            if let number = fullWeekday(next) {
                return withPart(whole(tokens.lowerBound..<(next + 1), start + Int64(number) - 1))
            }
            return FoundDate(tokens, start..<(start + 7), .week)
        case .weekend: return FoundDate(tokens, monday + 7 * step + 5..<monday + 7 * step + 7, .week)
        case .month: return FoundDate(tokens, month.adding(step).days(), .month)
        case .quarter: return FoundDate(tokens, quarter(step), .season)
        case .year: return FoundDate(tokens, years(month.year + step), .year)
        }
    }

    /// Returns the weekday before today, of this week, or after today.
    private func weekday(_ number: Int64, _ step: Int64) -> Int64 {
        switch step {
        case 0: monday + number - 1
        case 1...: today + (number - weekday + 6) % 7 + 1
        default: today - (weekday - number + 6) % 7 - 1
        }
    }

    private func yearOfMonth(_ number: Int64, _ step: Int64) -> Int64 {
        switch step {
        case 0: month.year
        case 1...: number > month.month ? month.year : month.year + 1
        default: number < month.month ? month.year : month.year - 1
        }
    }

    /// "Friday", "am Freitag", "Sunday, 8 May", "Friday last week": the latest one, today included.
    func namedWeekday(_ place: Int) -> FoundDate? {
        guard let number = fullWeekday(place).map(Int64.init) else { return nil }
        if var date = calendarDate(skipArticles(place + 1)) {
            date.tokens = place..<date.tokens.upperBound
            return date
        }
        let next = skipArticles(place + 1)
        if let step = modifier(next), unit(next + 1) == .week {
            return whole(place..<(next + 2), monday + 7 * step + number - 1)
        }
        if unit(next) == .week, let step = laterModifier(next + 1) {
            return whole(place..<(next + 2), monday + 7 * step + number - 1)
        }
        return withPart(whole(place..<(place + 1), today - (weekday - number + 7) % 7))
    }

    /// "On the weekend", "am Wochenende": the running one, else the last.
    func weekend(_ place: Int) -> FoundDate? {
        guard unit(place) == .weekend, let lead = word(place - 1), words.weekendLeads.contains(lead) else { return nil }
        let saturday = weekday >= 6 ? monday + 5 : monday - 2
        return FoundDate(place..<(place + 1), saturday..<(saturday + 2), .week)
    }

    /// "In May", "May 2023", "early May", "Anfang Mai".
    func namedMonth(_ place: Int, isExpected: Bool) -> FoundDate? {
        var next = place
        let part = word(place).flatMap { words.monthParts[$0] }
        if part != nil { next = skipArticles(place + 1) }
        guard let name = word(next), let number = words.month(name).map(Int64.init) else { return nil }
        let year = year(after: next + 1)
        let isPlain = words.plainMonths.contains(name)
        let isNamed = part != nil || isExpected || year != nil || isPlain || isAnnounced(place)
        guard isNamed else { return nil }
        let found = CivilMonth(
            year: year?.year ?? (number <= month.month ? month.year : month.year - 1), month: number)
        return FoundDate(place..<(year?.end ?? next + 1), part.map { Self.days($0, of: found) } ?? found.days(), .month)
    }

    private static func days(_ part: ClosedRange<Int64>, of month: CivilMonth) -> Range<Int64> {
        let end = part.upperBound >= 31 ? month.days().upperBound : month.firstDay + part.upperBound
        return month.firstDay + part.lowerBound - 1..<end
    }

    /// Whether the word before announces a month or year.
    private func isAnnounced(_ place: Int) -> Bool {
        words.monthLeads.contains(word(place - 1) ?? "")
    }

    /// "In summer", "Sommer 2023": the latest one that has begun.
    func season(_ place: Int, isExpected: Bool) -> FoundDate? {
        guard let name = word(place), let start = words.seasons[name] else { return nil }
        if let (year, end) = year(after: skip(words.ofs, from: place + 1)) {
            return FoundDate(place..<end, CivilMonth(year: year, month: start).days(3), .season)
        }
        guard isExpected || words.seasonLeads.contains(word(place - 1) ?? "") else { return nil }
        return FoundDate(place..<(place + 1), latestSeason(start, endedOnly: false), .season)
    }

    private func seasonDays(_ start: Int64, _ step: Int64) -> Range<Int64> {
        let latest = latestSeason(start, endedOnly: false)
        switch step {
        case 0: return latest.contains(today) ? latest : CivilMonth(year: month.year, month: start).days(3)
        case 1...: return CivilMonth(day: latest.lowerBound).adding(12).days(3)
        default: return latestSeason(start, endedOnly: true)
        }
    }

    private func latestSeason(_ start: Int64, endedOnly: Bool) -> Range<Int64> {
        var days = CivilMonth(year: month.year, month: start).days(3)
        while (endedOnly ? days.upperBound - 1 : days.lowerBound - 1) >= today {
            days = CivilMonth(day: days.lowerBound).adding(-12).days(3)
        }
        return days
    }

    /// "In 2022", "im Jahr 2022".
    func year(_ place: Int, isExpected: Bool) -> FoundDate? {
        guard let year = word(place).flatMap(DateWords.year), isExpected || isAnnounced(place) else { return nil }
        return FoundDate(place..<(place + 1), years(year), .year)
    }
}
