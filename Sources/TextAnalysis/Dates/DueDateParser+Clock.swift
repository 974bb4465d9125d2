// Times of day: 5pm, 17:30, 17 Uhr, noon, end of day, close of business.
extension DueDateParser {
    /// Reads a time of day; some words are one only beside a day.
    func clock(at place: Int, isBesideDay: Bool) -> Clock? {
        guard let word = word(place) else { return nil }
        if let minute = DueWord.times[word] { return Clock(tokens: place..<(place + 1), minute: minute) }
        if let end = endOfDay(place) { return end }
        if isBesideDay, let minute = DueWord.dayParts[word] {
            return Clock(tokens: place..<(place + 1), minute: minute)
        }
        return digital(place) ?? isoTime(place) ?? spoken(place) ?? (isBesideDay ? bareHour(place) : nil)
    }

    /// "End of day", "end of the working day", "close of business".
    private func endOfDay(_ place: Int) -> Clock? {
        guard let word = word(place), ["end", "close", "ende"].contains(word) else { return nil }
        let next = skip(["of", "the", "des", "my", "this"], from: place + 1)
        switch self.word(next) {
        case "day" where word == "end", "tages": return Clock(tokens: place..<(next + 1), minute: 1_440)
        case "business", "play": return Clock(tokens: place..<(next + 1), minute: 1_020)
        case "working" where self.word(next + 1) == "day", "work" where self.word(next + 1) == "day":
            return Clock(tokens: place..<(next + 2), minute: 1_020)
        default: return nil
        }
    }

    /// "17:30", "5:30 pm", "17.30 Uhr".
    private func digital(_ place: Int) -> Clock? {
        guard let hour = number(place), place + 1 < tokens.count else { return nil }
        let sign = tokens[place + 1].before
        guard sign == ":" || sign == ".", let (minute, half, end) = minutes(after: place + 1) else { return nil }
        if let half { return time(hour, minute, half, place..<end) }
        let isGerman = word(end) == "uhr"
        guard sign == ":" || isGerman else { return nil }
        return time(hour, minute, nil, place..<(isGerman ? end + 1 : end))
    }

    /// Reads "30", "30pm", "30 pm", "30 p.m.".
    private func minutes(after place: Int) -> (minute: Int64, half: Half?, end: Int)? {
        guard let word = word(place) else { return nil }
        if let (count, unit) = DueWord.short(word), let half = Half(rawValue: unit), word.utf8.count == 4 {
            return (count, half, place + 1)
        }
        guard let minute = number(place), word.utf8.count == 2 else { return nil }
        if let (half, end) = half(place + 1) { return (minute, half, end) }
        return (minute, nil, place + 1)
    }

    /// The hour in `03T17:30`, behind the day that was read.
    private func isoTime(_ place: Int) -> Clock? {
        guard let word = word(place - 1), word.utf8.count == 5, word.dropFirst(2).first == "t",
            let hour = DateWord.digits(String(word.suffix(2))), tokens[place].before == ":",
            let minute = number(place)
        else { return nil }
        return time(hour, minute, nil, place..<(place + 1))
    }

    private enum Half: String { case am, pm }

    private func half(_ place: Int) -> (Half, end: Int)? {
        guard let word = word(place), tokens[place].isNear else { return nil }
        if let half = Half(rawValue: word) { return (half, place + 1) }
        if word == "a" || word == "p", self.word(place + 1) == "m", tokens[place + 1].before == "." {
            return (word == "a" ? .am : .pm, place + 2)
        }
        return nil
    }

    /// "5pm", "5 pm", "17 Uhr".
    private func spoken(_ place: Int) -> Clock? {
        guard let word = word(place) else { return nil }
        if let (hour, unit) = DueWord.short(word), let half = Half(rawValue: unit) {
            return time(hour, 0, half, place..<(place + 1))
        }
        guard let hour = number(place), word.utf8.count <= 2 else { return nil }
        if self.word(place + 1) == "uhr" { return time(hour, 0, nil, place..<(place + 2)) }
        // "Um 5 am Freitag" holds no "5 am".
        guard self.word(place - 1) != "um", let (half, end) = half(place + 1) else { return nil }
        return time(hour, 0, half, place..<end)
    }

    /// "At 5" beside a day: in the afternoon up to 6.
    private func bareHour(_ place: Int) -> Clock? {
        guard let lead = word(place - 1), ["at", "um", "by", "before", "until"].contains(lead),
            let hour = number(place),
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
