import ChatCore

/// Tells apart texts that hold no word of a due date, as most messages: nothing else is read in them.
enum DateCue {
    /// Returns whether a text may say a due date.
    ///
    /// - Parameter tokens: Its tokens in ``TextLanguage/other``.
    /// - Returns: Whether it may.
    static func isIn(_ tokens: [TextToken]) -> Bool {
        var hasNumber = false
        for token in tokens {
            if isTelling(token.word) { return true }
            if halves.contains(token.word), hasNumber { return true }
            if numbers.contains(token.word) { hasNumber = true }
        }
        return false
    }

    /// Returns for each word whether a due date may begin with it: it tells one, or one of the next words does and it is
    /// among those before a date.
    static func beginnings(_ tokens: [DateToken], _ words: DateWords) -> [Bool] {
        var mayBegin = Array(repeating: false, count: tokens.count)
        var distance = reach + 1
        for place in tokens.indices.reversed() {
            let word = tokens[place].word
            let isCue = isTelling(word) || halves.contains(word)
            distance = isCue ? 0 : min(distance + 1, reach + 1)
            mayBegin[place] =
                isCue || distance <= reach && (words.beginnings.contains(word) || words.modifier(word) != nil)
        }
        return mayBegin
    }

    /// More words than any due date has before its first one of those below.
    private static let reach = 16

    private static func isTelling(_ word: String) -> Bool {
        word.utf8.contains { (0x30...0x39).contains($0) } || words.contains(word)
    }

    /// Halves of the day, which are also other words: they tell a date only behind a number.
    private static let halves: Set<String> = ["am", "pm", "m"]
    private static let numbers = Language.all.reduce(into: Set<String>()) { $0.formUnion($1.dates.numbers.keys) }

    /// One word of each phrase without which no due date is read.
    private static let words: Set<String> = {
        var words: Set<String> = []
        for language in Language.all {
            for phrase in phrases(of: language.dates) {
                // Some tables are read before phrases are joined, others behind; the parts of a joined one are told, too.
                words.insert(phrase)
                words.insert(phrase.split(separator: " ").map(String.init).max { $0.count < $1.count } ?? phrase)
            }
        }
        for phrase in JapaneseDateWords.shared.beginnings {
            let tokens = TextAnalyzer.tokens(of: phrase, language: .other)
            if let token = tokens.first(where: { $0.kind == .bigram }) ?? tokens.first { words.insert(token.word) }
        }
        return words
    }()

    private static func phrases(of dates: DateWords) -> [String] {
        let due = dates.due
        let days = [dates.months, dates.weekdays, Array(dates.otherMonths.keys), Array(dates.otherWeekdays.keys)]
        let spans: [[String]] = [
            Array(dates.units.keys), Array(dates.nights.keys), Array(dates.dayParts.keys), Array(dates.recurringDays),
        ]
        let named: [[String]] = [
            Array(due.days.keys), Array(due.shortWeekdays.keys), Array(due.rareShortWeekdays.keys),
            Array(due.weeks.keys), Array(due.ends.keys), Array(due.longUnits.keys), Array(due.todayParts),
            Array(due.workingDays), Array(due.past),
        ]
        let times: [[String]] = [
            Array(due.minutes.keys), Array(due.times.keys), Array(due.dayParts.keys), Array(due.dayEnds.keys),
            Array(due.dayHalves.keys), Array(due.minuteLeads.keys), Array(due.clocks),
        ]
        return (days + spans + named + times).flatMap { $0 }
    }
}
