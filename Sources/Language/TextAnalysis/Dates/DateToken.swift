import ChatCore

/// A word or number of a question with the signs around it.
struct DateToken {
    let word: String
    let range: Range<Int>
    /// The text between the previous token and this one.
    let before: String
    /// The text between this token and the next.
    let after: String
    /// The word as it is written.
    let source: String
    /// Whether a phrase of several words may begin here.
    let beginsPhrase: Bool

    var isCapitalised: Bool { source.first?.isUppercase ?? false }
    /// Whether it is written in capitals, two at least.
    var isUppercase: Bool { source.utf8.count > 1 && source.allSatisfy(\.isUppercase) }
    /// Whether only blanks, or one comma or full stop and blanks, part it from the token before.
    var isNear: Bool { before.utf8.count <= 3 && before.utf8.allSatisfy { " ,.-'\t".utf8.contains($0) } }

    /// Takes the words of a text; phrases of two or three words that a language reads as one stay whole.
    static func all(in text: String, _ tokens: [TextToken], _ language: DateWords) -> [DateToken] {
        let tokens = tokens.filter { $0.kind == .word }
        let words = tokens.indices.map { place in
            let range = tokens[place].range
            let start = place == 0 ? 0 : tokens[place - 1].range.upperBound
            let end = place + 1 < tokens.count ? tokens[place + 1].range.lowerBound : text.utf8.count
            return DateToken(
                word: tokens[place].word, range: range, before: String(text.part(utf8: start..<range.lowerBound)),
                after: String(text.part(utf8: range.upperBound..<end)), source: String(text.part(utf8: range)),
                beginsPhrase: language.phraseBeginnings.contains(tokens[place].word))
        }
        return joined(words, language)
    }

    private static func joined(_ words: [DateToken], _ language: DateWords) -> [DateToken] {
        guard words.contains(where: { language.phraseStarts.contains($0.word) }) else { return words }
        let phrases = language.phrases
        var joined: [DateToken] = []
        var place = 0
        while place < words.count {
            let count = [3, 2].first { place + $0 <= words.count && phrases.contains(phrase(words, place, $0)) } ?? 1
            let (first, last) = (words[place], words[place + count - 1])
            joined.append(
                DateToken(
                    word: phrase(words, place, count), range: first.range.lowerBound..<last.range.upperBound,
                    before: first.before, after: last.after, source: first.source,
                    beginsPhrase: first.beginsPhrase))
            place += count
        }
        return joined
    }

    private static func phrase(_ words: [DateToken], _ place: Int, _ count: Int) -> String {
        words[place..<(place + count)].map(\.word).joined(separator: " ")
    }
}

extension [DateToken] {
    /// Returns the meaning of the longest phrase of a table at `place`, of up to three words, and the place after it.
    func phrase<Value>(of table: [String: Value], at place: Int) -> (value: Value, end: Int)? {
        guard indices.contains(place) else { return nil }
        if self[place].beginsPhrase {
            for count in [3, 2] where place + count <= self.count {
                let phrase = self[place..<(place + count)].map(\.word).joined(separator: " ")
                if let value = table[phrase] { return (value, place + count) }
            }
        }
        return table[self[place].word].map { ($0, place + 1) }
    }

    /// Whether the dot after a number makes it an ordinal: at the end of a text, or with more after it than a blank.
    func endsInOrdinalDot(_ place: Int) -> Bool {
        self[place].after.hasPrefix(".") && (self[place].after != "." || place + 1 == count)
    }

    /// Whether a word is the last of a text or has a sign after it, so that a number there is not a count.
    func endsClause(_ place: Int) -> Bool {
        place + 1 == count || self[place].after.first.map { ",.;:!?)…".contains($0) } == true
    }
}

/// A date as it was read, in days of the asker's zone.
struct FoundDate {
    /// The tokens that say it.
    var tokens: Range<Int>
    /// The days meant.
    var days: Range<Int64>
    var unit: DateExpression.Unit
    /// The hours on the clock of the first day, beyond 24 on the next; nil for whole days.
    var hours: Range<Int>?
    /// The range in minutes before the question, the earlier one first, instead of days.
    var minutesBack: (Int64, Int64)?
    /// "Since", "before" and the like.
    var bound: DateWords.Bound?
    /// The time of the day in another zone.
    var time = DueTime()
    /// The same in the question's bytes.
    var range = 0..<0

    init(_ tokens: Range<Int>, _ days: Range<Int64>, _ unit: DateExpression.Unit, hours: Range<Int>? = nil) {
        (self.tokens, self.days, self.unit, self.hours) = (tokens, days, unit, hours)
    }

    /// Returns the day in the asker's zone of a time in another one: 9 in the morning in Tokyo is the day before in Berlin.
    func inOwnZone(_ zone: String) -> FoundDate {
        guard time.zone != .own, let moment = ZonedDays(time.zone, own: zone).moment(days.lowerBound, time),
            let day = LocalCalendar(zone: zone).day(of: moment)
        else { return self }
        var date = self
        date.days = day..<(day + 1)
        return date
    }

    /// Returns the moments of the expression; nil when there are none.
    func expression(in calendar: LocalCalendar, askedAt moment: Timestamp, today: Int64) -> DateExpression? {
        guard let inner = moments(in: calendar, askedAt: moment), let tomorrow = calendar.moment(day: today + 1)
        else { return nil }
        let earliest = Timestamp(microseconds: .min)
        let span: (start: Timestamp, end: Timestamp) =
            switch bound {
            case nil: inner
            case .since: (inner.start, tomorrow)
            case .after: (inner.end, tomorrow)
            case .before: (earliest, inner.start)
            case .until: (earliest, inner.end)
            }
        guard span.start < span.end else { return nil }
        return DateExpression(range: range, start: span.start, end: span.end, unit: bound == nil ? unit : .span)
    }

    private func moments(
        in calendar: LocalCalendar, askedAt moment: Timestamp
    ) -> (start: Timestamp, end: Timestamp)? {
        if let (far, near) = minutesBack {
            return (moment + .seconds(-far * 60), moment + .seconds(-near * 60))
        }
        guard let hours else {
            guard let start = calendar.moment(day: days.lowerBound), let end = calendar.moment(day: days.upperBound)
            else { return nil }
            return (start, end)
        }
        let day = days.lowerBound
        guard let start = calendar.moment(day: day + Int64(hours.lowerBound / 24), hour: hours.lowerBound % 24),
            let end = calendar.moment(day: day + Int64(hours.upperBound / 24), hour: hours.upperBound % 24)
        else { return nil }
        return (start, end)
    }
}
