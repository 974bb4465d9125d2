import ChatCore

/// Reads due dates of Japanese messages: 明日, 来週金曜, 今月末, 12月3日 17時, 3日後.
struct JapaneseDueDates {
    private let characters: [Character]
    private let offsets: [Int]
    private let parser: DueDateParser
    private let words = JapaneseDateWords()

    init(text: String, today: Int64, minute: Int) {
        let isJapanese = text.unicodeScalars.contains { (0x3041...0x9FFF).contains($0.value) }
        characters = isJapanese ? Array(text) : []
        var offsets = [0]
        for character in characters { offsets.append((offsets.last ?? 0) + character.utf8.count) }
        self.offsets = offsets
        parser = DueDateParser(
            tokens: [], words: DateWords.of(.japanese), today: today, minute: minute, hasMonthFirst: false)
    }

    /// Returns all dates, in order and without overlap.
    func all() -> [FoundDueDate] {
        var found: [FoundDueDate] = []
        var place = 0
        while place < characters.count {
            guard let (end, meaning) = date(at: place) else {
                place += 1
                continue
            }
            found.append(FoundDueDate(range: offsets[place]..<offsets[end], meaning: meaning))
            place = end
        }
        return found
    }

    private func date(at place: Int) -> (end: Int, FoundDueDate.Meaning)? {
        if let (number, end) = number(place), let after = after(words.hoursLater, end) {
            return number.multiplied(by: 60).map { (after, .minutes($0)) }
        }
        if let (day, end) = day(at: place) {
            let next = skip(words.joints, from: end)
            if let (minute, last) = clock(at: next) { return (last, .day(day, minute: minute)) }
            return (end, .day(day, minute: 1_440))
        }
        guard let (minute, end) = clock(at: place) else { return nil }
        return (end, .day(minute > parser.minute ? parser.today : parser.today + 1, minute: minute))
    }

    private func after(_ word: String, _ place: Int) -> Int? {
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
        numbered(place) ?? weekday(place) ?? named(place)
    }

    /// 12月3日, 15日, 3日後, 2週間後, 1か月後.
    private func numbered(_ place: Int) -> (Int64, end: Int)? {
        guard let (first, end) = number(place) else { return nil }
        if let month = after(words.month, end), let (number, last) = number(month), let close = after(words.day, last) {
            return parser.coming(number, ofMonth: first).map { ($0, close) }
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
        guard let (hour, end) = number(start), hour <= 24, let close = after(words.hour, end),
            after(words.length, close) == nil
        else { return nil }
        let base = Int(afternoon != nil && hour < 12 ? hour + 12 : hour) * 60  // bounded: hours are 0 to 24
        if let half = after(words.half, close) { return (base + 30, half) }  // bounded: minutes of a day
        if let (minute, last) = number(close), minute < 60, let end = after(words.minute, last) {
            return (base + Int(minute), end)  // bounded: minutes of a day
        }
        return (base, close)
    }
}
