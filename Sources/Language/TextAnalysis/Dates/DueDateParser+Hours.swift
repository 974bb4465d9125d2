// The forms of an hour: 17:30, 17.30, 17h30, 17 Uhr 30, 5pm, half past five, 1730, at 5.
extension DueDateParser {
    /// Returns an hour in digits or in words.
    private func hour(_ place: Int) -> Int64? {
        guard let word = word(place) else { return nil }
        if let number = number(place) { return word.utf8.count <= 2 ? number : nil }
        return word.utf8.count > 2 ? words.numbers[word].flatMap { $0 <= 12 ? $0 : nil } : nil
    }

    /// "17:30", "17:30:15", "5:30 pm", "17.30 Uhr", and "17.30" where a time is expected.
    func digital(_ place: Int, isBesideDay: Bool) -> Clock? {
        guard let hour = number(place), place + 1 < tokens.count, tokens[place].word.utf8.count <= 2 else { return nil }
        let sign = tokens[place + 1].before
        guard sign == ":" || sign == ".", var clock = clock(hour, minutesAt: place + 1, from: place) else { return nil }
        if clock.hasHalf || clock.time.zone != .own || clock.isUnknown { return clock }
        let end = clock.tokens.upperBound
        let last = leadsZone(end) ? end : skip(from: end, atMost: 1, while: isClock)
        clock.tokens = place..<last
        return sign == ":" || last > end || isExpected(clock, isBesideDay: isBesideDay) ? clock : nil
    }

    /// Whether a word may follow the hour.
    private func isClock(_ word: String) -> Bool {
        due.clocks.contains(word) || word == "hrs" || word == "hours" || word == "h"
    }

    /// "Hora de Madrid" behind a time names a zone.
    private func leadsZone(_ place: Int) -> Bool {
        words.zones.leads.contains(word(place) ?? "") && zones.reading(at: place) != .nothing
    }

    /// Whether "17.30" is a time: 3.50 may be an amount, 3.12 a version.
    private func isExpected(_ clock: Clock, isBesideDay: Bool) -> Bool {
        let (start, end) = (clock.tokens.lowerBound, clock.tokens.upperBound)
        let isLed = due.exactHourLeads.contains(word(start - 1) ?? "")
        let isAmount = due.amounts.contains(word(end) ?? "") || tokens[end - 1].after.contains { "€$£%".contains($0) }
        let isEnd = tokens.endsClause(end - 1) || zones.reading(at: end) != .nothing
        let isSpan = spanJoint(end, isLed: false) != nil
        return !isAmount && (isBesideDay && (isLed || isEnd || isSpan) || isLed && isEnd)
    }

    /// Reads minutes, and seconds, the half of the day and a zone that are directly behind them.
    private func clock(_ hour: Int64, minutesAt place: Int, from start: Int) -> Clock? {
        guard let word = word(place) else { return nil }
        let (digits, unit) = DueWords.short(word) ?? (number(place) ?? 60, "")
        guard word.utf8.count - unit.utf8.count == 2 else { return nil }
        if !unit.isEmpty { return clock(hour, digits, second: 0, unit, start..<(place + 1)) }
        if let (half, end) = half(place + 1) { return time(hour, digits, half, start..<end) }
        guard tokens.indices.contains(place + 1), tokens[place + 1].before == ":" else {
            return time(hour, digits, nil, start..<(place + 1))
        }
        return seconds(place + 1).flatMap { clock(hour, digits, second: $0.second, $0.unit, start..<$0.end) }
    }

    /// "15" and "15.250Z"; parts of a second do not count.
    private func seconds(_ place: Int) -> (second: Int64, unit: String, end: Int)? {
        guard let word = word(place), let (second, unit) = DueWords.short(word) ?? number(place).map({ ($0, "") }),
            word.utf8.count - unit.utf8.count == 2, second < 60
        else { return nil }
        guard unit.isEmpty, tokens.indices.contains(place + 1), tokens[place + 1].before == ".",
            let part = self.word(place + 1), part.first?.isNumber == true
        else { return (second, unit, place + 1) }
        return (second, String(part.drop(while: \.isNumber)), place + 2)
    }

    /// Takes the letters behind the minutes or seconds: "pm", "h", "Z".
    private func clock(_ hour: Int64, _ minute: Int64, second: Int64, _ unit: String, _ places: Range<Int>) -> Clock? {
        if let half = Self.halves[unit] { return time(hour, minute, half, places) }
        guard var clock = time(hour, minute, nil, places) else { return nil }
        clock.time.second = Int(second)
        clock.isExact = places.count > 2
        if unit.isEmpty || unit == "h" || due.clockLetters.contains(unit) { return clock }
        let (isKnown, zone) = Zones.abbreviation(unit, in: self.zone)
        guard isKnown else { return nil }
        if let zone { clock.time.zone = zone } else { clock.isUnknown = true }
        return clock
    }

    /// The minutes in `03T17:30`, after the day.
    func isoTime(_ place: Int) -> Clock? {
        guard let word = word(place - 1), Self.isBeforeTime(word), let hour = DateWords.digits(String(word.suffix(2))),
            tokens[place].before == ":", var clock = clock(hour, minutesAt: place, from: place)
        else { return nil }
        (clock.isExact, clock.guessedHour) = (true, nil)
        return clock
    }

    /// "17h", "17h30".
    func lettered(_ place: Int) -> Clock? {
        guard let (hour, rest) = word(place).flatMap(DueWords.short) else { return nil }
        let letter = String(rest.prefix(1))
        if rest.utf8.count == 1, due.clockLetters.contains(letter) {
            let half = half(place + 1)
            return time(hour, 0, half?.0, place..<(half?.end ?? place + 1))
        }
        guard letter == "h" || due.clockLetters.contains(letter), rest.utf8.count == 3,
            let minute = DateWords.digits(String(rest.dropFirst()))
        else { return nil }
        return time(hour, minute, nil, place..<(place + 1))
    }

    /// "5pm", "5 pm", "17 Uhr", "17 Uhr 30", "17 h 30", "5 o'clock".
    func spoken(_ place: Int, isTime: Bool) -> Clock? {
        guard let word = word(place) else { return nil }
        if let (hour, unit) = DueWords.short(word), let half = Self.halves[unit] {
            return time(hour, 0, half, place..<(place + 1))
        }
        guard let hour = hour(place) else { return nil }
        if let next = self.word(place + 1), tokens[place + 1].isNear, !leadsZone(place + 1) {
            if due.clocks.contains(next), isTime || due.minutes[next] == nil { return hours(hour, place, next) }
            if next == "h", isTime, let clock = hours(hour, place, next), clock.tokens.count == 3 { return clock }
        }
        // "Um 5 am Freitag" does not contain "5 am".
        guard !due.plainHourLeads.contains(self.word(place - 1) ?? "") || isHalf(place + 1),
            let (half, end) = half(place + 1)
        else { return nil }
        return time(hour, 0, half, place..<end)
    }

    /// Whether a half of the day is not also another word.
    private func isHalf(_ place: Int) -> Bool { word(place) != "am" }

    /// Reads what may be behind a word for hours.
    private func hours(_ hour: Int64, _ place: Int, _ noun: String) -> Clock? {
        var (minute, end) = (Int64(0), place + 2)
        if let number = number(end), word(end)?.utf8.count == 2, number < 60, tokens[end].isNear {
            // "17 Uhr 30 Leute" counts something.
            let next = word(end + 1) ?? ""
            let isMinute = tokens.endsClause(end) || due.minutes[next] == 1 || due.joints.contains(next)
            if isMinute || zones.reading(at: end + 1) != .nothing {
                (minute, end) = (number, skip(Set(due.minutes.keys), from: end + 1, atMost: 1))
            }
        }
        let half = half(end)
        let places = place..<(half?.end ?? end)
        let clock =
            noun == "o clock" && half == nil
            ? guessed(hour, minute, places) : time(hour, minute, half?.0, places)
        return clock.map(withTail)
    }

    /// "Et demie", "y cuarto".
    private func withTail(_ clock: Clock) -> Clock {
        var clock = clock
        guard let (minutes, end) = tokens.phrase(of: due.minuteTails, at: clock.tokens.upperBound),
            clock.time.minute + Int(minutes) >= 0  // bounded: minutes of a day
        else {
            // "Neuf heures moins dix".
            if let word = word(clock.tokens.upperBound), word == "moins" || word == "menos" { clock.isUnknown = true }
            return clock
        }
        clock.time.minute += Int(minutes)
        clock.guessedHour = clock.guessedHour.map { minutes < 0 ? ($0 + 10) % 12 + 1 : $0 }  // bounded: 1 to 12
        clock.tokens = clock.tokens.lowerBound..<end
        guard !clock.hasHalf, let (half, last) = half(end) else { return clock }
        let minute = Int64(clock.time.minute)
        return time(minute / 60, minute % 60, half, clock.tokens.lowerBound..<last) ?? clock
    }

    /// "Half past five", "halb sechs", "Viertel nach 5".
    func besideHour(_ place: Int) -> Clock? {
        guard let (minutes, next) = tokens.phrase(of: due.minuteLeads, at: place), let hour = hour(next),
            (1...12).contains(hour)
        else { return nil }
        let total = hour * 60 + minutes  // bounded: minutes of a day
        let end = skip(due.clocks, from: next + 1, atMost: 1)
        if let (half, last) = half(end) { return time(total < 60 ? 12 : total / 60, total % 60, half, place..<last) }
        guard var clock = time(total / 60, total % 60, nil, place..<end) else { return nil }
        if (1...6).contains(hour) { clock.time.minute += 720 }  // bounded: minutes of a day
        return clock
    }

    /// "1730", "0900Z": four digits are a time after "at", or beside a zone.
    func joinedDigits(_ place: Int, isBesideDay: Bool) -> Clock? {
        guard var word = word(place) else { return nil }
        let isZulu = word.hasSuffix("z")
        if isZulu { word.removeLast() }
        guard word.utf8.count == 4, let number = DateWords.digits(word) else { return nil }
        let end = skip(from: place + 1, atMost: 1) { isBesideDay ? isClock($0) : due.clocks.contains($0) }
        let isLed = isBesideDay && due.exactHourLeads.contains(self.word(place - 1) ?? "")
        var hasZone = false
        if case .zone = zones.reading(at: end) { hasZone = true }
        guard isZulu || isLed || hasZone || end > place + 1,
            var clock = time(number / 100, number % 100, nil, place..<end)
        else { return nil }
        clock.guessedHour = nil
        if isZulu { clock.time.zone = .offset(0) }
        return clock
    }

    /// "At 5" next to a day: in the afternoon up to 6.
    func bareHour(_ place: Int) -> Clock? {
        guard let lead = word(place - 1), due.hourLeads.contains(lead) || due.exactHourLeads.contains(lead),
            let hour = hour(place)
        else { return nil }
        // "At 12.50" has another number behind the sign.
        let isPart =
            number(place + 1) != nil && [".", ",", ":"].contains(tokens[place + 1].before) || isCountOrAddress(place)
        let clock = isPart ? nil : guessed(hour, 0, place..<(place + 1)).map(withTail)
        // "At five of the sites" is no hour.
        let isWord = number(place) == nil
        guard let clock, !isWord || isWordEnd(clock.tokens.upperBound) else { return nil }
        guard let (half, end) = half(clock.tokens.upperBound), isHalf(clock.tokens.upperBound), !clock.hasHalf else {
            return clock
        }
        return time(hour, Int64(clock.time.minute % 60), half, place..<end)
    }

    /// Whether a number counts what follows, or is that of a house: "at 5 people", "at 9 Main Street".
    private func isCountOrAddress(_ place: Int) -> Bool {
        guard let next = word(place + 1), tokens[place + 1].before == " " else { return false }
        // "At 10 to 9", "at 10 past 9".
        if Self.minuteJoints.contains(next), hour(place + 2) != nil { return true }
        guard number(place) != nil else { return false }
        if due.amounts.contains(next) || Self.counted.contains(next) || Self.streets.contains(next) { return true }
        guard word(place - 1) == "at" else { return false }
        var end = place + 1
        while tokens.indices.contains(end), end < place + 4, tokens[end].isCapitalised, tokens[end].before == " ",
            !isWeekday(end), monthNumber(end) == nil, zones.reading(at: end) == .nothing
        {
            end += 1
            if let word = word(end), Self.streets.contains(word) || Self.shortStreets.contains(word),
                tokens[end].before == " "
            {
                return true
            }
        }
        return end > place + 1 && tokens.endsClause(end - 1)
    }

    private static let minuteJoints: Set<String> = ["to", "past", "vor", "nach"]
    private static let counted = wordSet(
        "people persons places locations sites stores offices companies rooms times points items personen leute personnes"
    )
    private static let streets = wordSet("rue avenue boulevard calle avenida plaza street")
    private static let shortStreets = wordSet(
        "st road rd ave lane ln drive dr blvd square sq court ct way terrace place pl row close hill")

    private func isWordEnd(_ end: Int) -> Bool {
        tokens.endsClause(end - 1) || half(end) != nil || zones.reading(at: end) != .nothing
            || word(end).map { due.joints.contains($0) && !words.ofs.contains($0) || due.days[$0] != nil } == true
            || isWeekday(end)
    }
}
