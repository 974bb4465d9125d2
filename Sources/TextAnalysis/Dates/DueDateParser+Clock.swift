// Times of day: 5pm, 17:30, 17 Uhr, noon, end of day, close of business.
extension DueDateParser {
    /// Reads a time of day; some words are a time only next to a day.
    func clock(at place: Int, isBesideDay: Bool) -> Clock? {
        guard let word = word(place) else { return nil }
        if let minute = due.times[word] { return Clock(tokens: place..<(place + 1), minute: minute) }
        if let end = endOfDay(place) { return end }
        if isBesideDay, let minute = due.dayParts[word] {
            return Clock(tokens: place..<(place + 1), minute: minute)
        }
        // "2 heures" and "2h" are a time only if one is expected.
        let isTime = isBesideDay || place == 0 || due.hourLeads.contains(self.word(place - 1) ?? "")
        return digital(place) ?? isoTime(place) ?? (isTime ? lettered(place) : nil) ?? spoken(place, isTime: isTime)
            ?? (isBesideDay ? bareHour(place) : nil)
    }

    /// "End of day", "end of the working day", "close of business".
    private func endOfDay(_ place: Int) -> Clock? {
        let next = skip(due.dayEndFillers, from: place + 1)
        guard let word = word(place), let last = self.word(next) else { return nil }
        if let minute = due.dayEnds["\(word) \(last)"] { return Clock(tokens: place..<(next + 1), minute: minute) }
        guard let day = self.word(next + 1), let minute = due.dayEnds["\(word) \(last) \(day)"] else { return nil }
        return Clock(tokens: place..<(next + 2), minute: minute)
    }

    /// "17h", "17h30".
    private func lettered(_ place: Int) -> Clock? {
        guard !due.clockLetters.isEmpty, let (hour, rest) = word(place).flatMap(DueWords.short),
            due.clockLetters.contains(String(rest.prefix(1)))
        else { return nil }
        if rest.count == 1 {
            let half = half(place + 1)
            return time(hour, 0, half?.0, place..<(half?.end ?? place + 1))
        }
        guard rest.count == 3, let minute = DateWords.digits(String(rest.dropFirst())) else { return nil }
        return time(hour, minute, nil, place..<(place + 1))
    }

    /// "17:30", "5:30 pm", "17.30 Uhr".
    private func digital(_ place: Int) -> Clock? {
        guard let hour = number(place), place + 1 < tokens.count else { return nil }
        let sign = tokens[place + 1].before
        guard sign == ":" || sign == ".", let (minute, half, end) = minutes(after: place + 1) else { return nil }
        if let half { return time(hour, minute, half, place..<end) }
        let last = skip(due.clocks, from: end, atMost: 1)
        guard sign == ":" || last > end else { return nil }
        return time(hour, minute, nil, place..<last)
    }

    /// Reads "30", "30pm", "30 pm", "30 p.m.".
    private func minutes(after place: Int) -> (minute: Int64, half: Half?, end: Int)? {
        guard let word = word(place) else { return nil }
        if let (count, unit) = DueWords.short(word), let half = Self.halves[unit], word.utf8.count == 4 {
            return (count, half, place + 1)
        }
        if let (count, unit) = DueWords.short(word), due.clockLetters.contains(unit), word.utf8.count == 3 {
            return (count, nil, place + 1)
        }
        guard let minute = number(place), word.utf8.count == 2 else { return nil }
        if let (half, end) = half(place + 1) { return (minute, half, end) }
        return (minute, nil, place + 1)
    }

    /// The hour in `03T17:30`, after the day.
    private func isoTime(_ place: Int) -> Clock? {
        guard let word = word(place - 1), word.utf8.count == 5, word.dropFirst(2).first == "t",
            let hour = DateWords.digits(String(word.suffix(2))), tokens[place].before == ":",
            let minute = number(place)
        else { return nil }
        return time(hour, minute, nil, place..<(place + 1))
    }

    private typealias Half = DueWords.Half
    private static let halves: [String: Half] = ["am": .am, "pm": .pm]

    private func half(_ place: Int) -> (Half, end: Int)? {
        guard let word = word(place), tokens[place].isNear else { return nil }
        if let half = Self.halves[word] { return (half, place + 1) }
        if !due.dayHalves.isEmpty, let (half, end) = tokens.phrase(of: due.dayHalves, at: place) { return (half, end) }
        if word == "a" || word == "p", self.word(place + 1) == "m", tokens[place + 1].before == "." {
            return (word == "a" ? .am : .pm, place + 2)
        }
        return nil
    }

    /// "5pm", "5 pm", "17 Uhr".
    private func spoken(_ place: Int, isTime: Bool) -> Clock? {
        guard let word = word(place) else { return nil }
        if let (hour, unit) = DueWords.short(word), let half = Self.halves[unit] {
            return time(hour, 0, half, place..<(place + 1))
        }
        guard let hour = number(place), word.utf8.count <= 2 else { return nil }
        if let next = self.word(place + 1), due.clocks.contains(next), isTime || due.minutes[next] == nil {
            let half = due.dayHalves.isEmpty ? nil : half(place + 2)
            return time(hour, 0, half?.0, place..<(half?.end ?? place + 2))
        }
        // "Um 5 am Freitag" does not contain "5 am".
        guard !due.plainHourLeads.contains(self.word(place - 1) ?? ""), let (half, end) = half(place + 1) else {
            return nil
        }
        return time(hour, 0, half, place..<end)
    }

    /// "At 5" next to a day: in the afternoon up to 6.
    private func bareHour(_ place: Int) -> Clock? {
        guard let lead = word(place - 1), due.hourLeads.contains(lead), let hour = number(place),
            tokens[place].word.utf8.count <= 2
        else { return nil }
        // bounded: 1 to 6
        return time((1...6).contains(hour) ? hour + 12 : hour, 0, nil, place..<(place + 1))
    }

    private func time(_ hour: Int64, _ minute: Int64, _ half: Half?, _ places: Range<Int>) -> Clock? {
        guard (0..<60).contains(minute) else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            return Clock(tokens: places, minute: Int(hour % 12 * 60 + minute) + (half == .pm ? 720 : 0))
        }
        guard (0..<24).contains(hour) || (hour == 24 && minute == 0) else { return nil }
        return Clock(tokens: places, minute: Int(hour * 60 + minute))
    }
}
