// Dates relative to another: the Sunday before 25 October, two weeks after May 8th, in der Woche vor dem 3. August.
extension DateParser {
    private enum Distance {
        case weekday(Int64)
        case units(ClosedRange<Int64>, DateWords.Unit)
    }

    /// Reads a day or week by its distance from a date.
    func besideDate(_ place: Int) -> FoundDate? {
        guard let (distance, end) = distance(place), let joint = bound(end),
            joint == .before || joint == .after, let date = base(skipArticles(end + 1))
        else { return nil }
        let days = Self.days(distance, isBefore: joint == .before, date.days.lowerBound)
        return days.map { FoundDate(place..<date.tokens.upperBound, $0, $0.count == 1 ? .day : .week) }
    }

    /// The day from which another is counted; the days of weekdays are those before today.
    private func base(_ place: Int) -> FoundDate? {
        if let date = calendarDate(place) { return date }
        guard let date = relativeDay(place) ?? namedWeekday(place), date.unit == .day else { return nil }
        return date
    }

    private func distance(_ place: Int) -> (Distance, end: Int)? {
        let start = modifier(place) == -1 ? place + 1 : place
        if let number = fullWeekday(start) { return (.weekday(Int64(number)), start + 1) }
        if let unit = unit(start) { return (.units(1...1, unit), start + 1) }
        guard let (count, end) = count(start), let unit = unit(end), unit != .weekend else { return nil }
        return (.units(count, unit), end + 1)
    }

    private static func days(_ distance: Distance, isBefore: Bool, _ day: Int64) -> Range<Int64>? {
        let weekday = Int64(LocalCalendar.weekday(of: day))
        switch distance {
        case .weekday(let number):
            // bounded: weekdays are 1 to 7
            let found = isBefore ? day - (weekday - number + 6) % 7 - 1 : day + (number - weekday + 6) % 7 + 1
            return found..<(found + 1)  // bounded: a day beside a day of the calendar
        case .units(_, .weekend):
            let saturday = isBefore ? Self.saturday(upTo: day - 2) : Self.saturday(upTo: day + 7)
            return saturday..<(saturday + 2)
        case .units(let count, .day):
            return isBefore
                ? day - count.upperBound..<day - count.lowerBound + 1
                : day + count.lowerBound..<day + count.upperBound + 1
        case .units(let count, .week):
            if count == 1...1 { return isBefore ? day - 7..<day : day + 1..<day + 8 }
            return isBefore
                ? day - 7 * count.upperBound - 3..<day - 7 * count.lowerBound + 4
                : day + 7 * count.lowerBound - 3..<day + 7 * count.upperBound + 4
        case .units(let count, .month) where count == 1...1:
            return isBefore ? day - 30..<day : day + 1..<day + 31
        case .units: return nil
        }
    }

    private static func saturday(upTo day: Int64) -> Int64 {
        day - Int64(LocalCalendar.weekday(of: day) + 1) % 7
    }
}
