import ChatCore

/// Reads due dates of Japanese messages: 明日, 来週金曜, 今月末, 12月3日 17時, 3日後.
struct JapaneseDueDates {
    private let characters: [Character]
    private let offsets: [Int]
    private let parser: DueDateParser
    private let words = JapaneseDateWords.shared
    /// See ``DateLanguages/isForeign``.
    private let isForeign: Bool

    init(text: String, clock: DueClock, isForeign: Bool = false, steps: StepCounter? = nil) {
        self.isForeign = isForeign
        let isJapanese = text.unicodeScalars.contains { (0x3041...0x9FFF).contains($0.value) }
        characters = isJapanese ? Array(text) : []
        var offsets = [0]
        for character in characters { offsets.append((offsets.last ?? 0) + character.utf8.count) }
        self.offsets = offsets
        parser = DueDateParser(
            tokens: [], lexicon: DateWords.lexicon(of: .japanese), today: clock.today, zone: clock.zone, steps: steps)
    }

    /// Returns all dates, in order and without overlap.
    func all() -> [FoundDueDate] {
        var found: [FoundDueDate] = []
        var place = 0
        while place < characters.count {
            guard words.mayBegin(characters[place]) else {
                place += 1
                continue
            }
            parser.steps?.add()
            if let end = pastEnd(place) {
                place = end
            } else if let (end, meaning) = refused(place) ?? date(at: place) {
                found.append(FoundDueDate(range: offsets[place]..<offsets[end], meaning: meaning))
                place = end
            } else {
                place += 1
            }
        }
        return found
    }

    /// Returns the place after a date that is over, with its time: 昨日の17時, 先週の金曜, 3日前.
    private func pastEnd(_ place: Int) -> Int? {
        if let end = after(words.past, place) { return date(at: after(words.of, end) ?? end)?.end ?? end }
        guard let (_, end) = number(place), let unit = after(["時間", "分", "日", "週間", "か月", "ヶ月", "年"], end),
            let last = after(words.ago, unit)
        else { return nil }
        return last
    }

    /// Returns a date that recurs: 毎週金曜の9時.
    private func refused(_ place: Int) -> (end: Int, FoundDueDate.Meaning)? {
        if let end = after(words.recurring, place) { return (dateEnd(end), .unknown) }
        // 第2火曜日.
        guard let start = after(words.counting, place), let (_, end) = number(start), weekday(end) != nil else {
            return nil
        }
        return (dateEnd(end), .unknown)
    }

    private func dateEnd(_ end: Int) -> Int { date(at: skip(words.joints, from: end))?.end ?? end }

    private func date(at place: Int) -> (end: Int, FoundDueDate.Meaning)? {
        if let (number, end) = number(place), let after = after(words.hoursLater, end) {
            return number.multiplied(by: 60).map { (after, .minutes($0)) }
        }
        if let (number, end) = number(place), let after = after(words.minutesLater, end) {
            return (after, .minutes(number))
        }
        if let lead = zone(at: place), let (day, end) = day(at: skip(words.joints, from: lead.end)),
            var time = time(at: skip(words.joints, from: end))
        {
            time.time.zone = lead.zone ?? .own
            return checked(time.end, time.isUnknown || lead.isUnknown ? .unknown : .day(day, time.time))
        }
        guard let (day, end) = day(at: place) else {
            guard let time = time(at: place) else { return nil }
            return checked(time.end, time.isUnknown || isForeign ? .unknown : .next(time.time))
        }
        let next = skip(words.joints, from: end)
        guard let time = time(at: next) else { return checked(end, .day(day, DueTime())) }
        return checked(time.end, time.isUnknown ? .unknown : .day(day, time.time))
    }

    /// Looks at what follows: 金曜以降, 金曜か月曜.
    private func checked(_ end: Int, _ meaning: FoundDueDate.Meaning) -> (end: Int, FoundDueDate.Meaning) {
        if isForeign, let last = chineseTime(end) { return (last, .unknown) }
        guard after(words.readAfterAll, end) == nil, let last = after(words.unread, end) else { return (end, meaning) }
        return (dateEnd(last), .unknown)
    }

    /// Returns the place after the beginning of a time in Chinese, which is not read: 12月1日下午3点.
    private func chineseTime(_ end: Int) -> Int? {
        let start = skip(words.joints, from: end)
        if let last = after(words.chineseTimes, start) { return last }
        return number(start).flatMap { after(["点", "點"], $0.end) }
    }

    private typealias Time = (time: DueTime, end: Int, isUnknown: Bool)

    /// A time or a span of times, with its zone: 日本時間17時, 17時 JST, 18時から19時まで.
    private func time(at place: Int) -> Time? {
        let lead = zone(at: place)
        let start = lead.map { skip(words.joints, from: $0.end) } ?? place
        guard let (minute, end) = clock(at: start) else { return nil }
        var found: Time = (DueTime(minute: minute, zone: lead?.zone ?? .own), end, lead?.isUnknown ?? false)
        if let joint = after(words.spanJoints, end), let (last, close) = clock(at: joint) {
            // 午後1時から3時; 10時から9時 is no span.
            let isAfternoon = after(words.afternoons, start) != nil && last + 720 > minute  // bounded: minutes of a day
            let isNight = last < minute && last + 720 <= minute  // bounded: minutes of a day
            found.time.minute = last < minute && isAfternoon ? last + 720 : last
            found.time.isNextDay = isNight
            found.isUnknown = found.isUnknown || last < minute && !isAfternoon && !isNight
            found.end = after(words.until, close) ?? close
        }
        guard lead == nil, let tail = zone(at: skip(words.joints, from: found.end)) else { return found }
        found.time.zone = tail.zone ?? .own
        return (found.time, tail.end, tail.isUnknown)
    }

    /// A zone in Japanese, or as an abbreviation: UTC, JST.
    private func zone(at place: Int) -> (zone: SaidZone?, end: Int, isUnknown: Bool)? {
        for (name, zone) in words.zones { if let end = after(name, place) { return (zone, end, false) } }
        if let end = after(words.unknownZones, place) { return (nil, end, true) }
        if let city = city(at: place) { return city }
        let rest = characters[min(place, characters.count)...].prefix(12)
        let letters = rest.prefix { $0.isASCII && $0.isUppercase }
        if (2...5).contains(letters.count) {
            let (isKnown, zone) = Zones.abbreviation(String(letters).lowercased(), in: parser.zone)
            return isKnown ? (zone, place + letters.count, zone == nil) : nil
        }
        // Katakana before 時間 is the name of a place, in brackets other letters, too.
        let isInBrackets = place > 0 && "（(".contains(characters[place - 1])
        let name = rest.prefix { character in
            character.unicodeScalars.allSatisfy {
                (0x30A1...0x30FC).contains($0.value) || isInBrackets && (0x4E00...0x9FFF).contains($0.value)
            } && character != "時"
        }
        guard name.count >= 2, let last = after(words.zoneEnding, place + name.count) else { return nil }
        return (nil, last, true)
    }

    /// A city as the place of a clock: ニューヨーク時間, 東京で9時, 9時（ニューヨーク）.
    private func city(at place: Int) -> (zone: SaidZone?, end: Int, isUnknown: Bool)? {
        guard
            let (end, name) = words.cities.lazy.compactMap({ city, name in after(city, place).map { ($0, name) } })
                .first
        else { return nil }
        if let last = after(words.timesOfPlaces, end) { return (.named(name), last, false) }
        let isInBrackets = place > 0 && "（(".contains(characters[place - 1])
        if isInBrackets, let last = after(["）", ")"], end) { return (.named(name), last - 1, false) }
        guard let last = after(words.at, end), number(last) != nil else { return nil }
        return (.named(name), last, false)
    }

    private func after(_ word: String, _ place: Int) -> Int? {
        guard place < characters.count, word.first == characters[place] else { return nil }
        let end = place + word.count
        guard end <= characters.count, zip(word, characters[place..<end]).allSatisfy(==) else { return nil }
        return end
    }

    /// Returns the place after the first of some words that is at `place`.
    private func after(_ words: [String], _ place: Int) -> Int? {
        words.lazy.compactMap { after($0, place) }.first
    }

    private func skip(_ signs: String, from place: Int) -> Int {
        place + (characters[min(place, characters.count)...].prefix(2).prefix { signs.contains($0) }.count)
    }

    private func number(_ place: Int) -> (Int64, end: Int)? {
        let rest = characters[min(place, characters.count)...].prefix(4)
        // Of 二 and similar digits only one counts.
        if let kanji = rest.first.flatMap(kanjiDigit) { return (kanji, place + 1) }
        let digits = rest.prefix { Self.digit($0) != nil }.compactMap(Self.digit)
        guard !digits.isEmpty else { return nil }
        return (digits.reduce(0) { $0.multipliedClamped(by: 10).addingClamped($1) }, place + digits.count)
    }

    /// The value of `0`…`9` and `０`…`９`; other scripts and larger units (京 is 10¹⁶) are no digits here.
    private static func digit(_ character: Character) -> Int64? {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return nil }
        switch scalar.value {
        case 0x30...0x39: return Int64(scalar.value - 0x30)
        case 0xFF10...0xFF19: return Int64(scalar.value - 0xFF10)
        default: return nil
        }
    }

    private func kanjiDigit(_ character: Character) -> Int64? {
        Array(words.numbers).firstIndex(of: character).map { Int64($0) + 1 }
    }

    private func day(at place: Int) -> (Int64, end: Int)? {
        slashed(place) ?? numbered(place) ?? weekday(place) ?? named(place)
    }

    /// 12/3 and 2026/12/3; in Japanese the month is first.
    private func slashed(_ place: Int) -> (Int64, end: Int)? {
        guard place == 0 || Self.digit(characters[place - 1]) == nil && characters[place - 1] != "/",
            let (first, end) = number(place), end < characters.count, characters[end] == "/",
            let (second, last) = number(end + 1)
        else { return nil }
        if last < characters.count, characters[last] == "/" {
            guard let (third, close) = number(last + 1), first >= 1900 else { return nil }
            return NumericDate.day(year: first, month: second, number: third).map { ($0, close) }
        }
        // 1/2の is a part of something.
        guard last == characters.count || "まにはへ(（ 、。締〆".contains(characters[last]) else { return nil }
        return parser.coming(second, ofMonth: first).map { ($0, last) }
    }

    /// 12月3日, 15日, 3日後, 2週間後, 1か月後.
    private func numbered(_ place: Int) -> (Int64, end: Int)? {
        guard let (first, end) = number(place) else { return nil }
        if let next = after(words.year, end), let (month, last) = number(next), let close = after(words.month, last) {
            return dayOfMonth(CivilMonth(year: first, month: month), at: close)
        }
        if let close = after(words.month, end), (1...12).contains(first) {
            if let (number, last) = number(close), let end = after(words.day, last) {
                return parser.coming(number, ofMonth: first).map { ($0, end) }
            }
            let year = first < parser.month.month ? parser.month.year + 1 : parser.month.year  // bounded: a year
            return dayOfMonth(CivilMonth(year: year, month: first), at: close)
        }
        if let close = after(words.daysLater, end) { return (parser.today.addingClamped(first), close) }
        if let close = after(words.weeksLater, end) {
            return (parser.today.addingClamped(first.multipliedClamped(by: 7)), close)
        }
        if let close = after(words.monthsLater, end) {
            let month = parser.month.adding(first)
            let date = Timestamp.civilDate(dayNumber: parser.today)
            return (month.day(date.day) ?? month.days().upperBound - 1, close)
        }
        guard let close = after(words.day, end), after(words.length, close) == nil, (1...31).contains(first) else {
            return nil
        }
        let day = (Int64(0)...2).lazy.compactMap { parser.month.adding($0).day(first) }.first { $0 >= parser.today }
        return day.map { ($0, close) }
    }

    /// The day behind a month, or 末.
    private func dayOfMonth(_ month: CivilMonth, at place: Int) -> (Int64, end: Int)? {
        guard (1...12).contains(month.month), (1900..<2200).contains(month.year) else { return nil }
        if let end = after(words.monthEnds, place) { return (month.days().upperBound - 1, end) }
        guard let (number, last) = number(place), let end = after(words.day, last) else { return nil }
        return month.day(number).map { ($0, end) }
    }

    /// 金曜, 来週の金曜日, 再来週月曜.
    private func weekday(_ place: Int) -> (Int64, end: Int)? {
        let week = words.weeks.lazy.compactMap { word, step in after(word, place).map { ($0, step) } }.first
        let start = week.map { after(words.of, $0.0) ?? $0.0 } ?? place
        guard start < characters.count, let index = Array(words.weekdays).firstIndex(of: characters[start]),
            let end = after(words.weekday, start + 1)
        else { return nil }
        let number = Int64(index) + 1
        let close = after(words.day, end) ?? end
        guard let step = week?.1 else { return (parser.coming(number), close) }
        return (parser.monday + 7 * step + number - 1, close)
    }

    /// 明日, 今週中, 来月末, 年内.
    private func named(_ place: Int) -> (Int64, end: Int)? {
        for (word, day) in words.days {
            if let end = after(word, place) { return (number(of: day), end) }
        }
        return nil
    }

    private func number(of day: JapaneseDateWords.Day) -> Int64 {
        switch day {
        case .fromToday(let step): parser.today + step
        case .fromMonday(let step): parser.monday + step
        case .endOfWeek: parser.weekday <= 5 ? parser.monday + 4 : parser.monday + 6
        case .endOfMonth(let step): parser.month.adding(step).days().upperBound - 1
        case .endOfYear: CivilMonth(year: parser.month.year, month: 12).days().upperBound - 1
        }
    }

    /// 17時, 午後5時半, 9:30, 正午.
    private func clock(at place: Int) -> (minute: Int, end: Int)? {
        if let end = after(words.noons, place) { return (720, end) }
        let afternoon = after(words.afternoons, place)
        let start = afternoon ?? after(words.mornings, place) ?? place
        guard let (hour, end) = number(start), hour <= 24 else { return nil }
        if let sign = after([":", "："], end), let (minute, last) = number(sign), minute < 60, last == sign + 2 {
            // bounded: minutes of a day
            return (Int(afternoon != nil && hour < 12 ? hour + 12 : hour) * 60 + Int(minute), last)
        }
        guard let close = after(words.hour, end), after(words.length, close) == nil else { return nil }
        let base = Int(afternoon != nil && hour < 12 ? hour + 12 : hour) * 60  // bounded: hours are 0 to 24
        if let half = after(words.half, close) { return (base + 30, half) }  // bounded: minutes of a day
        if let (minute, last) = number(close), minute < 60, let end = after(words.minute, last) {
            return (base + Int(minute), end)  // bounded: minutes of a day
        }
        return (base, close)
    }
}
