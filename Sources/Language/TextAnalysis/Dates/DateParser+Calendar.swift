import ChatCore

// Dates with a number: 8 May 2023, May 8th, 8.5.2023, 2023-05-08, the 8th.
extension DateParser {
    func calendarDate(_ place: Int) -> FoundDate? {
        numericDate(place) ?? dayOfMonth(place) ?? monthAndDay(place)
    }

    private func numericDate(_ place: Int) -> FoundDate? {
        guard let first = number(place), let second = number(place + 1), let sign = Self.sign(tokens[place + 1].before)
        else { return nil }
        let third = number(place + 2) ?? dayBeforeTime(place + 2)
        if let third, tokens[place + 2].before == String(sign) {
            return NumericDate.day(first, second, third, sign: sign, hasMonthFirst: hasMonthFirst)
                .map { FoundDate(place..<(place + 3), $0..<($0 + 1), .day) }
        }
        if first >= 1900, sign == "-", (1...12).contains(second) {
            return FoundDate(place..<(place + 2), CivilMonth(year: first, month: second).days(), .month)
        }
        return shortDate(place, first, second, sign)
    }

    /// The day in `03T17`, which is one word.
    private func dayBeforeTime(_ place: Int) -> Int64? {
        word(place).flatMap { DueDateParser.isBeforeTime($0) ? DateWords.digits(String($0.prefix(2))) : nil }
    }

    /// "Am 8.5.", "on 5/8": only after a word that announces a date, because 8.5 is ambiguous.
    private func shortDate(_ place: Int, _ first: Int64, _ second: Int64, _ sign: Character) -> FoundDate? {
        let lead = word(place - 1) ?? ""
        let isDotted = sign == "." && tokens[place + 1].after.hasPrefix(".") && words.dottedLeads.contains(lead)
        guard isDotted || (sign == "/" && words.slashedLeads.contains(lead)) else { return nil }
        let (number, month) = NumericDate.dayAndMonth(first, second, sign: sign, hasMonthFirst: hasMonthFirst)
        guard let day = latest(number, ofMonth: month) else { return nil }
        return FoundDate(place..<(place + 2), day..<(day + 1), .day)
    }

    private static func sign(_ text: String) -> Character? {
        text.count == 1 ? text.first.flatMap { "-/.".contains($0) ? $0 : nil } : nil
    }

    private func number(_ place: Int) -> Int64? {
        word(place).flatMap(DateWords.digits)
    }

    /// Reads "8 May", "8th of May 2023" and the like.
    private func dayOfMonth(_ place: Int) -> FoundDate? {
        guard let number = dayNumber(place) else { return nil }
        let next = skip(words.ofs, from: place + 1)
        guard let month = monthNumber(next), tokens[next].isNear else { return nil }
        return day(number, Int64(month), from: place, yearAt: next + 1)
    }

    /// "May 8", "May the 8th, 2023".
    private func monthAndDay(_ place: Int) -> FoundDate? {
        guard let month = monthNumber(place) else { return nil }
        let next = skip(words.dayArticles, from: place + 1)
        guard let number = dayNumber(next), tokens[next].isNear,
            !tokens[next].after.hasPrefix(":")
        else { return nil }
        return day(number, Int64(month), from: place, yearAt: next + 1)
    }

    private func day(_ number: Int64, _ month: Int64, from place: Int, yearAt: Int) -> FoundDate? {
        if let (year, end) = year(after: yearAt) {
            guard let day = NumericDate.day(year: year, month: month, number: number) else { return nil }
            return FoundDate(place..<end, day..<(day + 1), .day)
        }
        guard let day = latest(number, ofMonth: month) else { return nil }
        return FoundDate(place..<yearAt, day..<(day + 1), .day)
    }

    /// Returns a year that follows closely, and the place after it.
    func year(after place: Int) -> (year: Int64, end: Int)? {
        let place = skip(words.yearLeads, from: place)
        guard let year = word(place).flatMap(DateWords.year), tokens[place].isNear else { return nil }
        return (year, place + 1)
    }

    /// Returns the latest such day that is not in the future.
    private func latest(_ number: Int64, ofMonth month: Int64) -> Int64? {
        guard (1...12).contains(month) else { return nil }
        // The 29th of February can be 8 years away.
        for year in stride(from: self.month.year, through: self.month.year - 8, by: -1) {
            if let day = CivilMonth(year: year, month: month).day(number), day <= today { return day }
        }
        return nil
    }

    /// "The 8th", "am 8.", "le 8": the latest one.
    func ordinal(_ place: Int) -> FoundDate? {
        guard let word = word(place), let number = words.dayNumber(word), let lead = self.word(place - 1)
        else { return nil }
        let isOrdinal = words.ordinalLeads.contains(lead) && DateWords.digits(word) == nil
        let isDotted = words.dottedOrdinalLeads.contains(lead) && tokens.endsInOrdinalDot(place)
        let isBare = words.bareOrdinalLeads.contains(lead) && tokens.endsClause(place)
        guard isOrdinal || isDotted || isBare else { return nil }
        for back in Int64(0)...2 {
            if let day = month.adding(-back).day(number), day <= today {
                return FoundDate(place..<(place + 1), day..<(day + 1), .day)
            }
        }
        return nil
    }
}
