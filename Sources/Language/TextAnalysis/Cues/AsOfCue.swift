package import ChatCore

/// What is known at a moment: messages before it count.
package struct AsOf: Hashable, Sendable {
    /// The first moment whose messages do not count.
    package let end: Timestamp
    /// The day that ends then, as `2026-10-01`; nil for a time.
    package let day: String?

    /// Takes a time, with the whole of its millisecond: replies give the times of messages without microseconds, and the
    /// time of a message is to include it.
    package init(_ moment: Timestamp) {
        (end, day) = (Timestamp(milliseconds: moment.milliseconds) + .milliseconds(1), nil)
    }

    /// The last millisecond whose messages count.
    package var last: Timestamp { end + .milliseconds(-1) }

    /// Takes a day with its end in a zone.
    ///
    /// Nil for another text, for no day of the calendar, and outside of 1900 to 2199.
    ///
    /// - Parameters:
    ///   - day: As `2026-10-01`.
    ///   - zone: The IANA name of the zone; an unknown one counts as UTC.
    package init?(day: String, zone: String) {
        let parts = day.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = Self.number(parts[0]),
            let month = Self.number(parts[1]), let number = Self.number(parts[2]),
            let found = NumericDate.day(year: year, month: month, number: number)
        else { return nil }
        self.init(found, in: LocalCalendar(zone: zone))
    }

    fileprivate init?(_ day: Int64, in calendar: LocalCalendar) {
        guard let end = calendar.moment(day: day + 1) else { return nil }
        (self.end, self.day) = (end, Timestamp.iso8601(dayNumber: day))
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    /// The day, or the time as ISO 8601, as requests take it.
    package var text: String { day ?? last.iso8601 }
}

/// The part of a question that asks for what was known on a day that is over: "as of 1 October".
///
/// It limits a search, so it has to be sure: the day is whole, over, and follows a phrase for it, which begins or ends
/// the question or is between commas. "Is it true that as of 1 October the price is 12?" asks for the present. A day
/// without a year may be half a year ago at most; of an earlier one the coming one is meant.
package struct AsOfCue: Equatable, Sendable {
    /// Its place in the question, in UTF-8 bytes.
    package let range: Range<Int>
    /// The day.
    package let asOf: AsOf

    /// The longest time since a day whose year is not written.
    private static let reach = Duration.seconds(183 * 86_400)

    /// Finds it in a question.
    ///
    /// - Parameters:
    ///   - question: A question, or the subject of a search.
    ///   - moment: When it is asked; outside of 1900 to 2200 nothing is found.
    ///   - zone: The IANA name of the asker's zone, which decides where days begin; an unknown one counts as UTC.
    ///   - isSubject: Whether the text is no sentence, so that it need not be a question.
    /// - Returns: The first one; nil for none.
    package static func find(
        in question: String, askedAt moment: Timestamp, zone: String, isSubject: Bool = false
    ) -> AsOfCue? {
        let finder = AsOfFinder(question, askedAt: moment, zone: zone, isSubject: isSubject)
        guard let found = finder?.spaced() ?? finder?.written(),
            !QuotedPhrases.find(in: question).contains(where: { $0.range.overlaps(found.range) })
        else { return nil }
        return found
    }

    /// Returns what follows the rest of a question, with the blank that belongs there: French has one before "?".
    private static func joined(_ behind: Substring, _ trimmed: Substring, isSpaced: Bool) -> String {
        guard let first = trimmed.first else { return "" }
        if ".?!？。！)".contains(first) { return String(behind.drop { ",:;、，".contains($0) }) }
        return (isSpaced ? " " : "") + trimmed
    }

    /// Returns a day of which the end is over, in the form of a cue; nil if another one is meant.
    fileprivate static func ended(
        _ day: Int64, hasYear: Bool, _ range: Range<Int>, in calendar: LocalCalendar, askedAt moment: Timestamp
    ) -> AsOfCue? {
        guard let asOf = AsOf(day, in: calendar), asOf.end <= moment, hasYear || moment - asOf.end < reach else {
            return nil
        }
        return AsOfCue(range: range, asOf: asOf)
    }

    /// Returns the question without it; the question itself if nothing is left.
    package func removed(from question: String) -> String {
        let isSign: (Character) -> Bool = { $0.isWhitespace || ",:;、，".contains($0) }
        let before = question.part(utf8: 0..<range.lowerBound).reversed().drop(while: isSign).reversed()
        let behind = question.part(utf8: range.upperBound..<question.utf8.count)
        // "Stand 1.10.:"
        let rest =
            before.isEmpty
            ? String(behind.drop { isSign($0) || $0 == "." })
            : String(before) + Self.joined(behind, behind.drop(while: isSign), isSpaced: question.utf8.contains(0x20))
        return TextAnalyzer.tokens(of: rest, language: .other).isEmpty ? question : rest
    }
}

/// Reads one question.
private struct AsOfFinder {
    private let question: String
    private let moment: Timestamp
    private let zone: String
    private let calendar: LocalCalendar
    private let today: Int64
    private let tokens: [TextToken]
    private let isSubject: Bool

    init?(_ question: String, askedAt moment: Timestamp, zone: String, isSubject: Bool) {
        calendar = LocalCalendar(zone: zone)
        guard let today = calendar.day(of: moment) else { return nil }
        (self.question, self.moment, self.zone, self.isSubject) = (question, moment, zone, isSubject)
        self.today = today
        tokens = TextAnalyzer.tokens(of: question, language: .other).filter { $0.kind == .word }
    }

    // MARK: Languages with blanks

    func spaced() -> AsOfCue? {
        for place in tokens.indices {
            for language in Language.all {
                guard let (lead, isOfClause) = lead(at: place, language.asOf),
                    !isOfClause || beginsClause(place),
                    let cue = cue(from: place, lead, language), isApart(cue.range, place, language.asOf)
                else { continue }
                return cue
            }
        }
        return nil
    }

    /// Returns the place behind the longest phrase at a place, and whether it counts at the beginning of a clause only.
    private func lead(at place: Int, _ words: AsOfWords) -> (end: Int, isOfClause: Bool)? {
        for count in (1...AsOfWords.phraseLength).reversed() where place + count < tokens.count {
            let phrase = tokens[place..<(place + count)].map(\.word).joined(separator: " ")
            if words.leads.contains(phrase) { return (place + count, false) }
            if words.clauseLeads.contains(phrase) { return (place + count, true) }
        }
        return nil
    }

    /// More characters than a day has, with its weekday and articles.
    private static let dayLength = 80

    /// Reads the day behind a phrase.
    private func cue(from place: Int, _ lead: Int, _ language: Language) -> AsOfCue? {
        let start = tokens[lead - 1].range.upperBound
        // A word that announces a day makes "1.10." one.
        let announced = language.asOf.dayLead
        // The day follows at once: reading all of a long question behind each phrase took seconds.
        let rest = announced + String(question.part(utf8: start..<question.utf8.count).prefix(Self.dayLength))
        let lexicon = DateWords.lexicon(of: language.language)
        let words = DateToken.all(in: rest, TextAnalyzer.tokens(of: rest, language: .other), lexicon.words)
        let parser = DateParser(tokens: words, lexicon: lexicon, today: today, zone: zone)
        guard let date = parser.all().first, date.unit == .day, date.bound == nil, date.hours == nil,
            date.minutesBack == nil, date.days.count == 1, date.tokens.lowerBound <= parser.skipArticles(1)
        else { return nil }
        let shift = start - announced.utf8.count
        let hasYear = words[date.tokens].contains { token in
            token.word.utf8.count == 4 && token.word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        return .ended(
            date.days.lowerBound, hasYear: hasYear, tokens[place].range.lowerBound..<(date.range.upperBound + shift),
            in: calendar, askedAt: moment)
    }

    private func beginsClause(_ place: Int) -> Bool {
        guard place > 0 else { return true }
        return gap(tokens[place - 1].range.upperBound..<tokens[place].range.lowerBound).contains {
            ",;:(–—".contains($0)
        }
    }

    private func gap(_ range: Range<Int>) -> Substring { question.part(utf8: range) }

    /// Whether a phrase ends the question, or begins it before a comma or a question, or is between commas.
    private func isApart(_ range: Range<Int>, _ place: Int, _ words: AsOfWords) -> Bool {
        let next = tokens.first { $0.range.lowerBound >= range.upperBound }
        guard let next else { return isAsked(tokens.first?.word, words) }
        let behind = gap(range.upperBound..<next.range.lowerBound)
        let isParted = behind.contains { ",;:)–—?".contains($0) }
        guard beginsClause(place) else {
            // "When was the launch as of 1 October? I forgot."
            return behind.contains("?") && isAsked(tokens.first?.word, words)
        }
        if place > 0 { return isParted && isAsked(tokens.first?.word, words) }
        // "At what time", "in which room".
        let first = tokens.filter { $0.range.lowerBound >= range.upperBound }.prefix(2)
        return isSubject || first.contains { words.openings.contains($0.word) }
    }

    private func isAsked(_ first: String?, _ words: AsOfWords) -> Bool {
        isSubject || TextAnalyzer.isQuestion(question) || first.map(words.openings.contains) ?? false
    }

    // MARK: Japanese

    /// 10月1日時点で, 昨日現在の.
    func written() -> AsOfCue? {
        let characters = Array(question)
        guard isSubject || TextAnalyzer.isQuestion(question) || question.contains("か。") || question.hasSuffix("か")
        else { return nil }
        var offset = 0
        for place in characters.indices {
            let start = offset
            offset += characters[place].utf8.count
            guard let (day, hasYear, end) = writtenDay(characters, place) else { continue }
            let joint = end < characters.count && characters[end] == "の" ? end + 1 : end
            guard let last = Self.marks.lazy.compactMap({ Self.match($0, characters, joint) }).first else { continue }
            let tail = Self.particles.lazy.compactMap { Self.match($0, characters, last) }.first ?? last
            let length = characters[place..<tail].reduce(0) { $0 + $1.utf8.count }
            if let cue = AsOfCue.ended(
                day, hasYear: hasYear, start..<(start + length), in: calendar, askedAt: moment)
            {
                return cue
            }
        }
        return nil
    }

    private static let marks = ["時点", "現在"]
    private static let particles = ["での", "では", "で", "の", "には", "に"]
    private static let relativeDays: [(String, Int64)] = [("一昨日", -2), ("おととい", -2), ("昨日", -1), ("きのう", -1)]

    private static func match(_ word: String, _ characters: [Character], _ place: Int) -> Int? {
        let wanted = Array(word)
        guard place + wanted.count <= characters.count, characters[place..<(place + wanted.count)].elementsEqual(wanted)
        else { return nil }
        return place + wanted.count
    }

    /// Returns the day at a place, whether its year is written, and the place behind it.
    private func writtenDay(_ characters: [Character], _ place: Int) -> (day: Int64, hasYear: Bool, end: Int)? {
        for (word, step) in Self.relativeDays {
            if let end = Self.match(word, characters, place) { return (today + step, false, end) }
        }
        guard place == 0 || Self.digit(characters[place - 1]) == nil, var (first, end) = number(characters, place)
        else { return nil }
        var year: Int64?
        if end < characters.count, characters[end] == "年" {
            guard let (month, last) = number(characters, end + 1) else { return nil }
            (year, first, end) = (first, month, last)
        }
        guard end < characters.count, characters[end] == "月", let (day, last) = number(characters, end + 1),
            last < characters.count, characters[last] == "日"
        else { return nil }
        if let year {
            return NumericDate.day(year: year, month: first, number: day).map { ($0, true, last + 1) }
        }
        let thisYear = CivilMonth(day: today).year
        for year in [thisYear, thisYear - 1] {
            if let found = NumericDate.day(year: year, month: first, number: day), found <= today {
                return (found, false, last + 1)
            }
        }
        return nil
    }

    private func number(_ characters: [Character], _ place: Int) -> (Int64, end: Int)? {
        var (value, end) = (Int64(0), place)
        while end < characters.count, end - place < 4, let digit = Self.digit(characters[end]) {
            value = value * 10 + digit  // bounded: four digits
            end += 1
        }
        return end > place ? (value, end) : nil
    }

    /// A digit, also a wide one.
    private static func digit(_ character: Character) -> Int64? {
        guard character.unicodeScalars.count == 1,
            character.unicodeScalars.first?.properties.generalCategory == .decimalNumber
        else { return nil }
        return character.wholeNumberValue.map(Int64.init)
    }
}
