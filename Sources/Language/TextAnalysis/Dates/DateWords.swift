/// The words of dates in one language, or in several together.
struct DateWords: Sendable {
    enum Unit: Sendable { case hour, day, week, weekend, month, quarter, year }
    enum Bound: Sendable { case since, before, until, after }

    /// January to December; empty when months have numbers.
    var months: [String] = []
    /// Other spellings and abbreviations, with the number of the month.
    var otherMonths: [String: Int] = [:]
    /// Names of months that mean nothing else.
    var plainMonths: Set<String> = []
    /// Monday to Sunday.
    var weekdays: [String] = []
    var otherWeekdays: [String: Int] = [:]
    var units: [String: Unit] = [:]
    /// Days from today.
    var days: [String: Int64] = [:]
    /// Words of ``days`` that are also nouns ("Morgen"), with the words after which they are nouns.
    var dayNouns: [String: Set<String>] = [:]
    /// Whether nouns have capitals, and names of months.
    var hasCapitalNouns = false
    var capitalisesMonths = false
    /// Evenings and nights, in days from today.
    var nights: [String: Int64] = [:]
    /// Hours on the clock of a day, beyond 24 on the next.
    var dayParts: [String: Range<Int>] = [:]
    /// Words that may be between a day and its part.
    var dayPartLeads: Set<String> = []
    /// -1 for "last", 0 for "this", 1 for "next".
    var modifiers: [String: Int64] = [:]
    /// Endings of a modifier: "letzt" and "letzten".
    var modifierEndings: [String] = []
    /// The same after the noun: "semaine prochaine".
    var laterModifiers: [String: Int64] = [:]
    /// The first month of a season.
    var seasons: [String: Int64] = [:]
    var seasonLeads: Set<String> = []
    var numbers: [String: Int64] = [:]
    /// Numbers that are not known exactly.
    var few: Set<String> = []
    var couples: Set<String> = []
    /// "Of" between a number and its noun, or between a day and its month.
    var ofs: Set<String> = []
    var ordinalEndings: [String] = []
    /// The days of a part of a month; 31 for its end.
    var monthParts: [String: ClosedRange<Int64>] = [:]
    var bounds: [String: Bound] = [:]
    var articles: Set<String> = []
    /// "From" and "to" of a span.
    var spanLeads: Set<String> = []
    var spanJoints: Set<String> = []
    /// "Vor" zwei Wochen, two weeks "ago".
    var agoLeads: Set<String> = []
    var agos: Set<String> = []
    /// Between a week and its weekday: "next week on Friday".
    var weekdayLeads: Set<String> = []
    var weekendLeads: Set<String> = []
    /// Words that announce a month or a year.
    var monthLeads: Set<String> = []
    /// Between a month and its day: "May the 8th".
    var dayArticles: Set<String> = []
    /// Between a month and its year: "mayo de 2025".
    var yearLeads: Set<String> = []
    /// Words that announce "8.5.", "5/8", "the 8th", "am 8." and "le 8".
    var dottedLeads: Set<String> = []
    var slashedLeads: Set<String> = []
    var ordinalLeads: Set<String> = []
    var dottedOrdinalLeads: Set<String> = []
    var bareOrdinalLeads: Set<String> = []
    var zones = ZoneWords()
    /// "Not", "except".
    var negations: Set<String> = []
    /// "Every".
    var recurring: Set<String> = []
    /// Words between it and its noun: "every other Friday".
    var recurringFillers: Set<String> = []
    /// "Daily", "Fridays".
    var recurringDays: Set<String> = []
    var due = DueWords()
    /// Keys of more than one word that are read as one; see ``collectPhrases()``.
    private(set) var phrases: Set<String> = []
    /// Their first words.
    private(set) var phraseStarts: Set<String> = []
    /// First words of the keys of more than one word in all tables.
    private(set) var phraseBeginnings: Set<String> = []
    /// Words with which a due date may begin beside those of ``DateCue``: "the", "before", "end".
    private(set) var beginnings: Set<String> = []
}

/// The words of dates in one place, so that a copy of a reader does not copy them.
final class DateLexicon: Sendable {
    let words: DateWords

    fileprivate init(_ words: DateWords) { self.words = words }
}

/// The words of due dates beyond those of ``DateWords``.
struct DueWords: Sendable {
    /// A part of a longer span.
    enum Part: Sendable { case beginning, early, middle, end }
    /// A half of the day on the clock.
    enum Half: Sendable { case am, pm, night }

    /// Days from today.
    var days: [String: Int64] = [:]
    var past: Set<String> = []
    var before: Set<String> = []
    /// Words after which something begins that has no end: "after Friday", "since Monday".
    var after: Set<String> = []
    /// "Or".
    var alternatives: Set<String> = []
    /// "Between", whose second day follows an "and".
    var betweens: Set<String> = []
    var conjunctions: Set<String> = []
    /// "This" afternoon.
    var todayLeads: Set<String> = []
    var todayParts: Set<String> = []
    /// Words that may be between a day and a time.
    var joints: Set<String> = []
    /// Words that announce a date which is ambiguous alone.
    var leads: Set<String> = []
    /// Words that announce "am 8.".
    var dottedOrdinalLeads: Set<String> = []
    /// After these words the name of a month means its end.
    var monthLeads: Set<String> = []
    var shortWeekdays: [String: Int] = [:]
    /// Abbreviations that are also words: they count only with a capital, and with a dot or after one of the leads.
    var rareShortWeekdays: [String: Int] = [:]
    var shortWeekdayLeads: Set<String> = []
    /// A word with the meaning of "next" that begins like these means the coming one.
    var coming: [String] = []
    /// Phrases for weeks, in weeks from this.
    var weeks: [String: Int64] = [:]
    /// Phrases behind a day that make it later, in weeks: "Friday week", "mardi en huit".
    var weeksLater: [String: Int64] = [:]
    var parts: [String: Part] = [:]
    /// Words for the end of a span.
    var ends: [String: DateWords.Unit] = [:]
    var articles: Set<String> = []
    /// Words that begin a distance.
    var distances: Set<String> = []
    /// The one among them that may follow a weekday: "Friday in two weeks".
    var weekdayDistances: Set<String> = []
    /// Words that may be between such a word and the number.
    var fillers: Set<String> = []
    /// "Two weeks from now", "a week after Friday".
    var fromNow: Set<String> = []
    var distanceJoints: Set<String> = []
    /// Between two numbers: "2 to 3".
    var countJoints: Set<String> = []
    /// Words before and after "day" that make it a working day.
    var working: Set<String> = []
    var workingBehind: Set<String> = []
    var workingDays: Set<String> = []
    /// Days of a unit that has no other name.
    var longUnits: [String: Int64] = [:]
    /// Days of the letters in "3d", "2w".
    var dayLetters: [String: Int64] = [:]
    /// Minutes of a unit that is shorter than a day.
    var minutes: [String: Int64] = [:]
    var halves: Set<String> = []
    var halfFillers: Set<String> = []
    /// "And" in "an hour and a half", and "half" if no article is between them.
    var halfJoints: Set<String> = []
    var halvesBehind: Set<String> = []
    /// Minutes of hours whose number is one word with its half: "anderthalb".
    var halfHours: [String: Int64] = [:]
    /// Times of day that need no day, in minutes.
    var times: [String: Int] = [:]
    /// Parts of the day that count only next to a day; the minutes of their end.
    var dayParts: [String: Int] = [:]
    /// Phrases for the end of a day without the words of ``dayEndFillers``: "end of the day" is "end day".
    var dayEnds: [String: Int] = [:]
    var dayEndFillers: Set<String> = []
    /// Words after an hour: "17 Uhr".
    var clocks: Set<String> = []
    /// Letters between hour and minute, or after the hour: "17h30".
    var clockLetters: Set<String> = []
    /// Words before an hour next to a day: "Friday at 5".
    var hourLeads: Set<String> = []
    /// Hour leads after which "am" is not a half of the day: "um 5 am Freitag".
    var plainHourLeads: Set<String> = []
    /// Phrases after an hour: "de la tarde".
    var dayHalves: [String: Half] = [:]
    /// Words before an hour that is said as "17.30" or "1730".
    var exactHourLeads: Set<String> = []
    /// Words after a number that is an amount: "12.50 euros".
    var amounts: Set<String> = []
    /// Minutes before or after the hour that follows: "half past".
    var minuteLeads: [String: Int64] = [:]
    /// The same after the hour: "et demie".
    var minuteTails: [String: Int64] = [:]
}

extension DateWords {
    /// The words of texts whose language is not known.
    static let assumed: DateLexicon = {
        var words = Language.assumed.reduce(into: DateWords()) { $0.add(of($1)) }
        words.collectPhrases()
        return DateLexicon(words)
    }()
    private static let none = DateLexicon(DateWords())
    private static let byLanguage: [TextLanguage: DateLexicon] = Language.all.reduce(into: [:]) { words, language in
        var dates = language.dates
        dates.collectPhrases()
        words[language.language] = DateLexicon(dates)
    }

    /// The words of one language.
    static func of(_ language: TextLanguage) -> DateWords { lexicon(of: language).words }

    static func lexicon(of language: TextLanguage) -> DateLexicon { byLanguage[language] ?? none }

    private mutating func collectPhrases() {
        let keys = [
            Array(units.keys), Array(dayParts.keys), Array(laterModifiers.keys), Array(agoLeads), Array(due.clocks),
        ]
        phrases = Set(keys.joined().filter { $0.contains(" ") })
        phraseStarts = Set(phrases.map { String($0.prefix { $0 != " " }) })
        let tables: [[String]] = [
            Array(days.keys), Array(zones.names.keys), Array(zones.cities.keys), Array(Zones.names.keys),
            Array(due.days.keys), Array(due.weeks.keys), Array(due.ends.keys), Array(due.dayHalves.keys),
            Array(due.minuteLeads.keys), Array(due.minuteTails.keys), Array(due.weeksLater.keys),
        ]
        phraseBeginnings = ZonePlaces.phraseBeginnings.union(
            tables.joined().lazy.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })
        collectBeginnings()
    }

    private mutating func collectBeginnings() {
        let sets = [
            articles, dayArticles, negations, recurring, agoLeads, few, couples, spanLeads, due.before, due.after,
            due.articles, due.distances, due.halfFillers, due.halves, due.todayLeads, due.betweens, due.past,
        ]
        beginnings = sets.reduce(into: Set(phrases).union(phraseStarts)) { $0.formUnion($1) }
        beginnings.formUnion(numbers.keys)
        for table in [Array(days.keys), Array(due.days.keys), Array(due.weeks.keys), Array(due.ends.keys)] {
            beginnings.formUnion(table.map { String($0.prefix { $0 != " " }) })
        }
        beginnings.formUnion(due.minuteLeads.keys.map { String($0.prefix { $0 != " " }) })
        beginnings.formUnion(due.parts.keys)
        beginnings.formUnion(due.dayEnds.keys.map { String($0.prefix { $0 != " " }) })
    }

    /// Adds the words of another language; the first meaning of a word wins.
    private mutating func add(_ other: DateWords) {
        func join<Value>(_ table: inout [String: Value], _ other: [String: Value]) {
            table.merge(other) { first, _ in first }
        }
        for (place, name) in other.months.enumerated() where months.isEmpty == false {
            otherMonths[name] = otherMonths[name] ?? place + 1
        }
        for (place, name) in other.weekdays.enumerated() where weekdays.isEmpty == false {
            otherWeekdays[name] = otherWeekdays[name] ?? place + 1
        }
        if months.isEmpty { months = other.months }
        if weekdays.isEmpty { weekdays = other.weekdays }
        join(&otherMonths, other.otherMonths)
        join(&otherWeekdays, other.otherWeekdays)
        join(&units, other.units)
        join(&days, other.days)
        join(&dayNouns, other.dayNouns)
        join(&nights, other.nights)
        join(&dayParts, other.dayParts)
        join(&modifiers, other.modifiers)
        join(&laterModifiers, other.laterModifiers)
        join(&seasons, other.seasons)
        join(&numbers, other.numbers)
        join(&monthParts, other.monthParts)
        join(&bounds, other.bounds)
        hasCapitalNouns = hasCapitalNouns || other.hasCapitalNouns
        capitalisesMonths = capitalisesMonths || other.capitalisesMonths
        modifierEndings += other.modifierEndings
        ordinalEndings += other.ordinalEndings
        addSets(of: other)
        zones.add(other.zones)
        due.add(other.due)
    }

    private mutating func addSets(of other: DateWords) {
        plainMonths.formUnion(other.plainMonths)
        dayPartLeads.formUnion(other.dayPartLeads)
        seasonLeads.formUnion(other.seasonLeads)
        few.formUnion(other.few)
        couples.formUnion(other.couples)
        ofs.formUnion(other.ofs)
        articles.formUnion(other.articles)
        spanLeads.formUnion(other.spanLeads)
        spanJoints.formUnion(other.spanJoints)
        agoLeads.formUnion(other.agoLeads)
        agos.formUnion(other.agos)
        weekdayLeads.formUnion(other.weekdayLeads)
        weekendLeads.formUnion(other.weekendLeads)
        monthLeads.formUnion(other.monthLeads)
        dayArticles.formUnion(other.dayArticles)
        yearLeads.formUnion(other.yearLeads)
        dottedLeads.formUnion(other.dottedLeads)
        slashedLeads.formUnion(other.slashedLeads)
        ordinalLeads.formUnion(other.ordinalLeads)
        dottedOrdinalLeads.formUnion(other.dottedOrdinalLeads)
        bareOrdinalLeads.formUnion(other.bareOrdinalLeads)
        negations.formUnion(other.negations)
        recurring.formUnion(other.recurring)
        recurringFillers.formUnion(other.recurringFillers)
        recurringDays.formUnion(other.recurringDays)
    }
}

extension DueWords {
    fileprivate mutating func add(_ other: DueWords) {
        func join<Value>(_ table: inout [String: Value], _ other: [String: Value]) {
            table.merge(other) { first, _ in first }
        }
        join(&days, other.days)
        join(&shortWeekdays, other.shortWeekdays)
        join(&rareShortWeekdays, other.rareShortWeekdays)
        join(&weeks, other.weeks)
        join(&weeksLater, other.weeksLater)
        join(&parts, other.parts)
        join(&ends, other.ends)
        join(&longUnits, other.longUnits)
        join(&dayLetters, other.dayLetters)
        join(&minutes, other.minutes)
        join(&halfHours, other.halfHours)
        join(&times, other.times)
        join(&dayParts, other.dayParts)
        join(&dayEnds, other.dayEnds)
        join(&dayHalves, other.dayHalves)
        join(&minuteLeads, other.minuteLeads)
        join(&minuteTails, other.minuteTails)
        coming += other.coming
        addSets(of: other)
    }

    private mutating func addSets(of other: DueWords) {
        past.formUnion(other.past)
        before.formUnion(other.before)
        after.formUnion(other.after)
        alternatives.formUnion(other.alternatives)
        betweens.formUnion(other.betweens)
        conjunctions.formUnion(other.conjunctions)
        todayLeads.formUnion(other.todayLeads)
        todayParts.formUnion(other.todayParts)
        joints.formUnion(other.joints)
        leads.formUnion(other.leads)
        monthLeads.formUnion(other.monthLeads)
        dottedOrdinalLeads.formUnion(other.dottedOrdinalLeads)
        shortWeekdayLeads.formUnion(other.shortWeekdayLeads)
        articles.formUnion(other.articles)
        distances.formUnion(other.distances)
        weekdayDistances.formUnion(other.weekdayDistances)
        fillers.formUnion(other.fillers)
        fromNow.formUnion(other.fromNow)
        distanceJoints.formUnion(other.distanceJoints)
        countJoints.formUnion(other.countJoints)
        working.formUnion(other.working)
        workingBehind.formUnion(other.workingBehind)
        workingDays.formUnion(other.workingDays)
        halves.formUnion(other.halves)
        halfFillers.formUnion(other.halfFillers)
        halfJoints.formUnion(other.halfJoints)
        halvesBehind.formUnion(other.halvesBehind)
        dayEndFillers.formUnion(other.dayEndFillers)
        clocks.formUnion(other.clocks)
        clockLetters.formUnion(other.clockLetters)
        hourLeads.formUnion(other.hourLeads)
        plainHourLeads.formUnion(other.plainHourLeads)
        exactHourLeads.formUnion(other.exactHourLeads)
        amounts.formUnion(other.amounts)
    }
}

// MARK: - Meanings of single words
extension DateWords {
    /// Returns 1 to 12.
    func month(_ word: String) -> Int? {
        otherMonths[word] ?? months.firstIndex(of: word).map { $0 + 1 }
    }

    /// Returns 1 for Monday to 7 for Sunday.
    func weekday(_ word: String) -> Int? {
        otherWeekdays[word] ?? weekdays.firstIndex(of: word).map { $0 + 1 }
    }

    /// Returns -1 for "last", 0 for "this", 1 for "next", with any ending.
    func modifier(_ word: String) -> Int64? {
        if let step = modifiers[word] { return step }
        for ending in modifierEndings where word.hasSuffix(ending) {
            if let step = modifiers[String(word.dropLast(ending.count))], word.count > 4 { return step }
        }
        return nil
    }

    /// Returns a number in digits, up to four, or in words.
    func number(_ word: String) -> Int64? {
        numbers[word] ?? Self.digits(word)
    }

    /// Returns a number of up to four digits.
    static func digits(_ word: String) -> Int64? {
        word.utf8.count <= 4 && word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(word) : nil
    }

    /// Returns the day of a month written as "8" or "8th".
    func dayNumber(_ word: String) -> Int64? {
        var word = word
        for ending in ordinalEndings where word.hasSuffix(ending) { word.removeLast(ending.count) }
        guard word.utf8.count <= 2, let number = Self.digits(word), (1...31).contains(number) else { return nil }
        return number
    }

    /// Returns a year in four digits.
    static func year(_ word: String) -> Int64? {
        guard let number = digits(word), (1900...2199).contains(number) else { return nil }
        return number
    }
}

extension Language {
    /// The names of months and their abbreviations, folded, with the number of the month.
    package var monthNumbers: [String: Int] {
        Dictionary(dates.months.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
            .merging(dates.otherMonths) { first, _ in first }
    }

    /// The endings of a number that counts in order: "8th".
    package var ordinalEndings: [String] { dates.ordinalEndings }

    /// Words between a month and its day: "5 to 7 November", "Thursday 5 to Saturday 7".
    package var wordsBesideMonths: Set<String> {
        let short = Array(dates.due.shortWeekdays.keys) + Array(dates.due.rareShortWeekdays.keys)
        return Set(dates.weekdays + short).union(dates.spanJoints).union(dates.ofs).union(dates.dayArticles)
    }
}

extension DueWords {
    /// Whether a word with the meaning of "next" means the coming one.
    func isComing(_ word: String) -> Bool { coming.contains { word.hasPrefix($0) } }

    /// Splits `48h`, `30min`, `2d` and `3w`.
    static func short(_ word: String) -> (count: Int64, unit: String)? {
        guard let first = word.utf8.first, (0x30...0x39).contains(first) else { return nil }
        let digits = word.prefix { $0.isNumber }
        let unit = String(word.dropFirst(digits.count))
        guard let count = DateWords.digits(String(digits)), !unit.isEmpty else { return nil }
        return (count, unit)
    }
}
