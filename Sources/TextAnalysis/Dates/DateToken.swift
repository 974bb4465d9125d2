import ChatCore

/// A word or number of a question with the signs around it.
struct DateToken {
    let word: String
    let range: Range<Int>
    /// What stands between the token before and this one.
    let before: String
    /// What stands between this token and the next.
    let after: String
    let isCapitalised: Bool

    /// Whether only blanks, or one comma or full stop and blanks, part it from the token before.
    var isNear: Bool { before.utf8.count <= 3 && before.utf8.allSatisfy { " ,.-'\t".utf8.contains($0) } }

    static func all(in text: String) -> [DateToken] {
        let tokens = TextAnalyzer.tokens(of: text, language: .other).filter { $0.kind == .word }
        return tokens.indices.map { place in
            let range = tokens[place].range
            let start = place == 0 ? 0 : tokens[place - 1].range.upperBound
            let end = place + 1 < tokens.count ? tokens[place + 1].range.lowerBound : text.utf8.count
            return DateToken(
                word: tokens[place].word, range: range, before: String(text.part(utf8: start..<range.lowerBound)),
                after: String(text.part(utf8: range.upperBound..<end)),
                isCapitalised: text.part(utf8: range).first?.isUppercase ?? false)
        }
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
    /// Minutes before the asking, the farther first, in place of days.
    var minutesBack: (Int64, Int64)?
    /// "Since", "before" and the like.
    var bound: DateWord.Bound?
    /// The same in the question's bytes.
    var range = 0..<0

    init(_ tokens: Range<Int>, _ days: Range<Int64>, _ unit: DateExpression.Unit, hours: Range<Int>? = nil) {
        (self.tokens, self.days, self.unit, self.hours) = (tokens, days, unit, hours)
    }

    /// Returns the moments meant; nil when there are none.
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
