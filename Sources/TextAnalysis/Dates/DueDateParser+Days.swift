import ChatCore

// Days with a number: December 3rd, 3.12., 12/3, 2025-12-03, the 15th.
extension DueDateParser {
    func number(_ place: Int) -> Int64? { word(place).flatMap(DateWord.digits) }

    func numericDate(_ place: Int) -> Day? {
        guard let first = number(place), let second = number(place + 1), tokens[place + 1].before.count == 1,
            let sign = tokens[place + 1].before.first, "-/.".contains(sign)
        else { return nil }
        if let third = number(place + 2) ?? beforeTime(place + 2), tokens[place + 2].before == String(sign) {
            return NumericDate.day(first, second, third, sign: sign, hasMonthFirst: hasMonthFirst)
                .map { Day(place..<(place + 3), $0) }
        }
        let isAnnounced = place == 0 || DueWord.leads.contains(word(place - 1) ?? "") || isWeekday(place - 1)
        guard isAnnounced, sign == "/" || (sign == "." && tokens[place + 1].after.hasPrefix(".")) else { return nil }
        let (number, month) = NumericDate.dayAndMonth(first, second, sign: sign, hasMonthFirst: hasMonthFirst)
        return coming(number, ofMonth: month).map { Day(place..<(place + 2), $0) }
    }

    /// The day in `03T17`, which is one word.
    private func beforeTime(_ place: Int) -> Int64? {
        guard let word = word(place), word.utf8.count == 5, word.dropFirst(2).first == "t" else { return nil }
        return DateWord.digits(String(word.prefix(2)))
    }

    /// "3 December", "3rd of Dec 2025", "Dec 3", "December the 3rd, 2025".
    func monthDate(_ place: Int) -> Day? {
        if let number = word(place).flatMap(DateWord.dayNumber) {
            let next = word(place + 1) == "of" ? place + 2 : place + 1
            guard let month = month(next), tokens[next].isNear else { return nil }
            return day(number, month, from: place, yearAt: next + 1)
        }
        guard let month = month(place) else { return nil }
        let next = word(place + 1) == "the" ? place + 2 : place + 1
        guard let number = word(next).flatMap(DateWord.dayNumber), tokens[next].isNear,
            !tokens[next].after.hasPrefix(":"), !["pm", "am", "uhr"].contains(word(next + 1) ?? "")
        else { return nil }
        return day(number, month, from: place, yearAt: next + 1)
    }

    private func month(_ place: Int) -> Int64? { word(place).flatMap(MonthNames.number).map(Int64.init) }

    private func day(_ number: Int64, _ month: Int64, from place: Int, yearAt: Int) -> Day? {
        if let year = word(yearAt).flatMap(DateWord.year), tokens[yearAt].isNear {
            return NumericDate.day(year: year, month: month, number: number).map { Day(place..<(yearAt + 1), $0) }
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
        let start = word(place) == "the" ? place + 1 : place
        guard let word = word(start), let number = DateWord.dayNumber(word) else { return nil }
        let lead = self.word(start - 1) ?? ""
        let isEnglish = DateWord.digits(word) == nil && (lead == "the" || start == 0 || DueWord.leads.contains(lead))
        let isGerman =
            ["am", "zum", "bis", "den", "dem"].contains(lead) && tokens[start].after.hasPrefix(".")
            && (tokens[start].after != "." || start + 1 == tokens.count)
        guard isEnglish || isGerman else { return nil }
        let day = (Int64(0)...2).lazy.compactMap { month.adding($0).day(number) }.first { $0 >= today }
        return day.map { Day(place..<(start + 1), $0) }
    }
}

// Days with a name: tomorrow, Friday, next Friday, Friday next week.
extension DueDateParser {
    func namedDay(_ place: Int) -> Day? {
        guard let word = word(place) else { return nil }
        let start = word == "the" ? place + 1 : place
        if self.word(start) == "day", self.word(start + 1) == "after", self.word(start + 2) == "tomorrow" {
            return Day(place..<(start + 3), today + 2)
        }
        // "This afternoon": the part of the day is read as a time.
        if word == "this", ["morning", "afternoon", "evening"].contains(self.word(place + 1) ?? "") {
            return Day(place..<(place + 1), today)
        }
        guard let step = DueWord.days[word], !isMorning(place) else { return nil }
        return Day(place..<(place + 1), today + step)
    }

    /// "Morgen" is the noun after an article or greeting, and with a capital inside a sentence.
    private func isMorning(_ place: Int) -> Bool {
        guard word(place) == "morgen" else { return false }
        if place == 0 { return tokens.count > 1 && tokens[place].after.hasPrefix(",") }
        return tokens[place].isCapitalised || ["guten", "jeden", "am", "den", "diesen"].contains(word(place - 1) ?? "")
    }

    func isWeekday(_ place: Int) -> Bool { weekdayNumber(place) != nil }

    /// Returns the weekday that a word names; abbreviations only where they are written or announced as such.
    func weekdayNumber(_ place: Int) -> Int64? {
        guard let word = word(place) else { return nil }
        if let number = DueWord.weekday(word) { return Int64(number) }
        let lead = self.word(place - 1) ?? ""
        let isAnnounced = DueWord.leads.contains(lead) || DateWord.modifier(lead) != nil
        if let number = DueWord.shortWeekday(word), isAnnounced || tokens[place].isCapitalised { return Int64(number) }
        guard let number = DueWord.shortGermanWeekday(word), tokens[place].isCapitalised,
            ["bis", "am", "ab", "zum", "vor"].contains(lead) || tokens[place].after.hasPrefix(".")
        else { return nil }
        return Int64(number)
    }

    func weekdayDate(_ place: Int) -> Day? {
        if let number = weekdayNumber(place) { return weekday(number, place) }
        if let (step, end) = weekStep(place) {
            let next = skip(["on", "am"], from: end)
            guard let number = weekdayNumber(next), tokens[next].isNear else { return nil }
            return Day(place..<(next + 1), monday + 7 * step + number - 1)
        }
        guard let word = word(place), let step = DateWord.modifier(word), let number = weekdayNumber(place + 1) else {
            return nil
        }
        let places = place..<(place + 2)
        if DueWord.isComing(word) { return Day(places, coming(number)) }
        let day = monday + 7 * step + number - 1
        return Day(places, step == 0 && day < today ? day + 7 : day)
    }

    /// A weekday with what may follow: "Friday next week", "Freitag in zwei Wochen", "Friday week".
    private func weekday(_ number: Int64, _ place: Int) -> Day? {
        let next = place + 1
        if let (step, end) = weekStep(skip(["of"], from: next)), tokens[next].isNear {
            return Day(place..<end, monday + 7 * step + number - 1)
        }
        if word(next) == "week" { return Day(place..<(next + 1), coming(number) + 7) }
        if word(next) == "in", let (count, end) = count(next + 1), let unit = word(end),
            DateWord.units[unit] == .week
        {
            return Day(place..<(end + 1), coming(number).addingClamped(count.multipliedClamped(by: 7)))
        }
        return Day(place..<next, coming(number))
    }

    /// "This week", "nächste Woche", "week after next": how many weeks from now.
    func weekStep(_ place: Int) -> (step: Int64, end: Int)? {
        let start = word(place) == "the" ? place + 1 : place
        if word(start) == "week", word(start + 1) == "after", word(start + 2) == "next" { return (2, start + 3) }
        if word(place).map({ $0.hasPrefix("ubernachste") || $0.hasPrefix("uebernaechste") }) == true,
            word(place + 1) == "woche"
        {
            return (2, place + 2)
        }
        guard let step = word(place).flatMap(DateWord.modifier), step >= 0,
            let unit = word(place + 1), DateWord.units[unit] == .week
        else { return nil }
        return (step, place + 2)
    }

    /// Returns the coming day of a weekday, never today.
    func coming(_ number: Int64) -> Int64 { today + (number - weekday + 6) % 7 + 1 }
}
