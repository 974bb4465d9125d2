// Times of day: 5pm, 17:30, 17 Uhr, noon, end of day, close of business.
extension DueDateParser {
    /// A time of day as it was read.
    struct Clock {
        /// The tokens that say it.
        var tokens: Range<Int>
        var time: DueTime
        /// The hour as it was said, 1 to 12, if nothing says which half of the day is meant.
        var guessedHour: Int?
        /// Whether "am" or "pm" is said.
        var hasHalf = false
        /// Whether it is written with seconds, or behind a "T".
        var isExact = false
        /// Whether a part of it is not understood.
        var isUnknown = false

        init(_ tokens: Range<Int>, minute: Int) {
            self.tokens = tokens
            time = DueTime(minute: minute)
        }

        /// Reads the hour within a part of the day that is said too, by the minute at which it ends.
        func within(part: Int) -> Clock {
            guard let hour = guessedHour else { return self }
            var clock = self
            let minute = time.minute % 60
            switch (part, hour) {
            case (...720, 1...11): clock.time.minute = hour * 60 + minute  // bounded: minutes of a day
            case (721..<1_440, 12): clock.time.minute = 720 + minute  // bounded: minutes of a day
            case (721..<1_440, 1...9), (1_440..., 4...11): clock.time.minute = (hour + 12) * 60 + minute
            case (1_440..., 12) where minute == 0: clock.time.minute = 1_440
            default: clock.isUnknown = true
            }
            clock.guessedHour = nil
            return clock
        }
    }

    var zones: ZoneReader { ZoneReader(tokens: tokens, lexicon: lexicon, own: zone) }

    /// Reads a time of day with its zone, or a span of times; some words are a time only next to a day.
    func clock(at place: Int, isBesideDay: Bool) -> Clock? {
        steps?.add()
        if let span = span(place, isBesideDay: isBesideDay) { return withOthers(span) }
        return single(place, isBesideDay: isBesideDay).map { withOthers(zoned($0)) }
    }

    /// Takes the zone that may follow.
    func zoned(_ clock: Clock) -> Clock {
        var clock = clock
        let end = clock.tokens.upperBound
        var reading = zones.reading(at: end, hasHalf: clock.hasHalf, isExact: clock.isExact)
        if reading == .nothing { reading = zones.placed(at: end) }
        switch reading {
        case .nothing: return clock
        case .zone(let zone, _): clock.time.zone = zone
        case .unknown: clock.isUnknown = true
        }
        clock.tokens = clock.tokens.lowerBound..<(reading.end ?? end)
        return clock
    }

    /// Takes the same time in other zones: "9am PT / 12pm ET", "15:00 (14:00 UTC)".
    private func withOthers(_ clock: Clock) -> Clock {
        var clock = clock
        while tokens.indices.contains(clock.tokens.upperBound), clock.time.others.count < 4 {
            let end = clock.tokens.upperBound
            guard ["/", "(", ")/", "=", "|", ")("].contains(tokens[end].before.filter { !$0.isWhitespace }),
                let other = single(end, isBesideDay: true).map(zoned), other.time.zone != .own || other.isUnknown
            else { break }
            clock.isUnknown = clock.isUnknown || other.isUnknown
            clock.time.others.append(other.time)
            clock.tokens = clock.tokens.lowerBound..<other.tokens.upperBound
        }
        return clock
    }

    /// Reads one time of day without its zone.
    private func single(_ place: Int, isBesideDay: Bool) -> Clock? {
        guard let word = word(place) else { return nil }
        if let minute = due.times[word] { return Clock(place..<(place + 1), minute: minute) }
        if let end = endOfDay(place) { return end }
        if isBesideDay, let minute = due.dayParts[word] { return part(place, minute) }
        let lead = self.word(place - 1) ?? ""
        // "2 heures" and "2h" are a time only if one is expected.
        let isTime = isBesideDay || place == 0 || due.hourLeads.contains(lead) || due.exactHourLeads.contains(lead)
        if let clock = isoTime(place) ?? digital(place, isBesideDay: isBesideDay) { return clock }
        if isTime, let clock = lettered(place) ?? besideHour(place) { return clock }
        return spoken(place, isTime: isTime) ?? joinedDigits(place, isBesideDay: isBesideDay)
            ?? (isBesideDay ? bareHour(place) : nil)
    }

    /// "Morning", "morning at 9".
    private func part(_ place: Int, _ minute: Int) -> Clock {
        let part = Clock(place..<(place + 1), minute: minute)
        let next = skip(due.joints, from: place + 1)
        guard word(next).map({ due.dayParts[$0] == nil }) == true, areNear((place + 1)...next) else { return part }
        guard var clock = single(next, isBesideDay: true)?.within(part: minute) else {
            var unread = part
            unread.isUnknown = isUnreadTime(next) || isUnreadSpan(next)
            return unread
        }
        clock.tokens = place..<clock.tokens.upperBound
        return clock
    }

    /// "End of day", "end of the working day", "close of business".
    private func endOfDay(_ place: Int) -> Clock? {
        let next = skip(due.dayEndFillers, from: place + 1)
        guard let word = word(place), let last = self.word(next) else { return nil }
        if let minute = due.dayEnds["\(word) \(last)"] { return Clock(place..<(next + 1), minute: minute) }
        guard let day = self.word(next + 1), let minute = due.dayEnds["\(word) \(last) \(day)"] else { return nil }
        return Clock(place..<(next + 2), minute: minute)
    }

    typealias Half = DueWords.Half
    static let halves: [String: Half] = ["am": .am, "pm": .pm]

    func half(_ place: Int) -> (Half, end: Int)? {
        guard let word = word(place), tokens[place].isNear else { return nil }
        if let half = Self.halves[word] { return (half, place + 1) }
        if !due.dayHalves.isEmpty, let (half, end) = tokens.phrase(of: due.dayHalves, at: place) { return (half, end) }
        if word == "a" || word == "p", self.word(place + 1) == "m", tokens[place + 1].before == "." {
            return (word == "a" ? .am : .pm, place + 2)
        }
        return nil
    }

    /// Returns a time; nil for one that no clock shows.
    func time(_ hour: Int64, _ minute: Int64, _ half: Half?, _ places: Range<Int>) -> Clock? {
        guard (0..<60).contains(minute), (0...24).contains(hour) else { return nil }
        let (hour, minute) = (Int(hour), Int(minute))
        guard let half else {
            guard hour < 24 || minute == 0 else { return nil }
            var clock = Clock(places, minute: hour * 60 + minute)  // bounded: minutes of a day
            clock.guessedHour = (1...12).contains(hour) ? hour : nil
            return clock
        }
        // "17 Uhr abends" says the half twice.
        guard (1...12).contains(hour) || half != .am && hour > 12 else { return nil }
        var clock = Clock(places, minute: (hour > 12 ? hour : hour % 12) * 60 + minute)  // bounded: minutes of a day
        clock.hasHalf = true
        if hour <= 12, half == .pm || half == .night && (6...11).contains(hour) { clock.time.minute += 720 }
        // At night, 12 and 2 are on one day or the next.
        clock.isUnknown = half == .night && !(6...11).contains(hour) && hour <= 12
        return clock
    }

    /// Returns an hour in the afternoon for 1 to 6, as people say it without the half of the day.
    func guessed(_ hour: Int64, _ minute: Int64, _ places: Range<Int>) -> Clock? {
        guard var clock = time(hour, minute, nil, places) else { return nil }
        if (1...6).contains(hour) { clock.time.minute += 720 }  // bounded: minutes of a day
        return clock
    }
}

// Spans: 18:00-19:00, 6-7pm, between 3 and 4, von 18 bis 19 Uhr.
extension DueDateParser {
    private func span(_ place: Int, isBesideDay: Bool) -> Clock? {
        let isLed = words.spanLeads.contains(word(place) ?? "") || due.betweens.contains(word(place) ?? "")
        let start = isLed ? skipHourLeads(from: place + 1) : place
        guard let first = single(start, isBesideDay: true).map(zoned) ?? number(asHour: start),
            let joint = spanJoint(first.tokens.upperBound, isLed: isLed)
        else { return nil }
        let next = skipHourLeads(from: joint)
        let mayBeBare = isLed && isBesideDay
        guard let last = single(next, isBesideDay: true).map(zoned) ?? (mayBeBare ? number(asHour: next) : nil) else {
            return nil
        }
        var span = Self.span(from: first, to: last)
        span.tokens = place..<last.tokens.upperBound
        return span
    }

    private func skipHourLeads(from place: Int) -> Int {
        skip(from: place) { due.exactHourLeads.contains($0) || due.hourLeads.contains($0) }
    }

    /// An hour that only the other end of the span makes one.
    private func number(asHour place: Int) -> Clock? {
        guard let word = word(place), word.utf8.count <= 2, let hour = number(place) else { return nil }
        return guessed(hour, 0, place..<(place + 1))
    }

    /// Returns the end of a span.
    private static func span(from first: Clock, to last: Clock) -> Clock {
        var span = last
        span.isUnknown = first.isUnknown || last.isUnknown
        if last.time.zone == .own { span.time.zone = first.time.zone }
        let (start, end) = (first.time.minute, last.time.minute)
        guard end < start else { return span }
        // "11-1pm", "9-5".
        if first.guessedHour != nil, !first.hasHalf, last.hasHalf { return span }
        if last.guessedHour == nil || end + 720 <= start {  // bounded: minutes of a day
            span.time.isNextDay = true
        } else if first.guessedHour != nil, first.tokens.count == 1, last.tokens.count == 1 {
            span.time.minute = end + 720  // bounded: minutes of a day
        } else {
            span.isUnknown = true
        }
        return span
    }
}
