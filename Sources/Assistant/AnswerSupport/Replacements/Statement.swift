import ChatCore
import TextAnalysis

/// A sentence of a message, with what decides whether a later one replaces it.
struct Statement: Sendable {
    /// How strongly it says that something changed.
    enum Cue: Int, Comparable, Sendable {
        case none, weak, strong

        static func < (left: Cue, right: Cue) -> Bool { left.rawValue < right.rawValue }
    }

    /// The place of its message in the list.
    let message: Int
    let source: ReadSource
    let range: Range<Int>
    /// Its words.
    let places: Range<Int>
    var cue = Cue.none
    /// Whether it says that something will not happen.
    var isEnding = false
    /// Whether it says that something was decided otherwise.
    var isReversal = false
    /// Whether it corrects what was said, as "Correction: 15:00" and "*47" do.
    var isCorrection = false
    /// Whether nothing but "then" before its first word says that it changes something.
    var isConclusion = false
    /// Whether it asks, proposes, wishes, or makes a condition.
    var isOpen = false
    /// Whether it counts once others accept it.
    var isProposal = false
    /// Whether it chooses something in a word or two: "then Paylark", "yes, spruce".
    var isChoice = false
    /// Whether it asks somebody to do something.
    var isRequest = false
    /// Whether it says that something was decided.
    var isDecision = false
    /// The words that say who does something.
    var roles: Set<Int> = []
    /// The words that a phrase of change, time or place is made of.
    var marked: Set<Int> = []
    /// The words that say what it is about.
    var subject: [Int] = []
    /// Those of them that may be about anything: "planned".
    var plain: Set<Int> = []
    /// The words that are said to be no longer so.
    var former: Set<Int> = []
    /// The words that name a place, in order.
    var placeNames: [Range<Int>] = []
    /// What the sentences before it in its message are about.
    var before: [ReadWord] = []
    /// What the name of its conversation says.
    var topic: [ReadWord] = []
    /// Whether it says too little of what it is about, as "It's now 3.90" does.
    var needsContext = false

    var reading: TextReading { source.reading }

    /// Whether it says that something changed, and not only asks or proposes so.
    var saysChange: Bool { (cue > .none || !former.isEmpty) && !isOpen }

    func words(_ list: some Sequence<Int>) -> [ReadWord] { list.map { reading.words[$0] } }

    /// Where words are, in UTF-8 bytes of the text; for none the whole sentence.
    func bytes(_ words: Range<Int>) -> Range<Int> {
        guard let first = words.first, let last = words.last else { return range }
        return reading.words[first].range.lowerBound..<reading.words[last].range.upperBound
    }

    var days: [StatedDays] {
        source.days.filter { !$0.isSentDay && range.contains($0.range.lowerBound) }.map(withoutTime)
    }

    /// "12 October" of "12 October at 14:00".
    private func withoutTime(_ days: StatedDays) -> StatedDays {
        let written = reading.times.map(\.range).filter { $0 != days.range && $0.lowerBound > days.range.lowerBound }
        guard let time = written.filter(days.range.overlaps).min(by: { $0.lowerBound < $1.lowerBound }) else {
            return days
        }
        let own = places.map { reading.words[$0] }.filter {
            $0.range.lowerBound >= days.range.lowerBound && $0.range.upperBound <= time.lowerBound
        }
        guard let last = own.last(where: { $0.hasDigit || $0.weight > 0 || $0.isCapitalised || $0.isIdeographic })
        else {
            return days
        }
        var short = StatedDays(
            range: days.range.lowerBound..<last.range.upperBound, spans: days.spans, isSentDay: days.isSentDay)
        (short.hasYear, short.isBare, short.word) = (days.hasYear, days.isBare, days.word)
        return short
    }

    var times: [StatedTime] {
        reading.times.filter { range.contains($0.range.lowerBound) }
            + allQuantities.filter(isHour).map { hour in
                StatedTime(range: hour.range, minute: Int(hour.values.first ?? 0) * 60, isExact: true)
            }
    }
    var quantities: [Quantity] { allQuantities.filter { !isHour($0) && !isYear($0) } }
    var names: [StatedName] { reading.names.filter { range.contains($0.range.lowerBound) } }

    private var allQuantities: [Quantity] { reading.quantities.filter { range.contains($0.range.lowerBound) } }

    /// "11h" is a time, or as many hours.
    private func isHour(_ quantity: Quantity) -> Bool {
        guard reading.language == .french, let hour = quantity.values.first, hour >= 1, hour <= 24 else { return false }
        return reading.text.part(utf8: quantity.range).hasSuffix("h") && hour == hour.rounded()
    }

    /// "The fair 2026" counts nothing.
    private func isYear(_ quantity: Quantity) -> Bool {
        guard quantity.unit == nil, let year = quantity.values.first, (1900...2199).contains(year) else { return false }
        let text = reading.text.part(utf8: quantity.range)
        return text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether it states a day, a time, an amount or a place.
    var hasValues: Bool { !days.isEmpty || !times.isEmpty || !quantities.isEmpty || !placeNames.isEmpty }

    /// The words of the subject that say something of it.
    var telling: [Int] { subject.filter { !plain.contains($0) } }

    /// The telling words of the clauses with a value or a word for a change: "Käthe writes to the owners" is not what
    /// was moved.
    private(set) var core: Set<Int> = []

    mutating func findCore() {
        let values = RangeSet8(
            days.map(\.range) + times.map(\.range) + quantities.map(\.range) + placeNames.map(bytes))
        let clauses = Set(
            places.filter { marked.contains($0) || values.overlaps(reading.words[$0].range) }
                .map { reading.words[$0].clause })
        let found = telling.filter { clauses.contains(reading.words[$0].clause) }
        core = Set(found.isEmpty ? telling : found)
    }

    /// Whether words of a range are said to be no longer so, or not so: "we do not sail on the 12th".
    func isFormer(_ range: Range<Int>) -> Bool {
        if former.contains(where: { reading.words[$0].range.overlaps(range) }) { return true }
        guard reading.language != .japanese,
            let place = places.first(where: { reading.words[$0].range.overlaps(range) })
        else { return false }
        return reading.negations.contains { negation in
            (place - 7..<place).contains(negation) && reading.words[negation].clause == reading.words[place].clause
        }
    }

    /// Whether it says that something is not so, beside former values.
    var isNegated: Bool {
        isEnding
            || reading.negations.contains { place in
                places.contains(place) && !(place + 1..<place + 5).contains(where: former.contains)
            }
    }

    /// Whether a name of ``placeNames`` is one: "in the runbook" is no place.
    func isProperPlace(_ name: Range<Int>) -> Bool {
        let rooms = Language.of(reading.language).changes.rooms
        // "To give Dirk 2.90".
        if let first = name.first, first > places.lowerBound, reading.words[first - 1].word == "to",
            !reading.words[first].isCapitalised, !rooms.contains(reading.words[first].word)
        {
            return false
        }
        return reading.words[name].contains {
            $0.isIdeographic || $0.isCapitalised || $0.hasDigit || rooms.contains($0.word)
        }
    }

    /// Whether a place is behind a word for a change: "moves to Gdańsk".
    var movesPlace: Bool { placeNames.contains { isProperPlace($0) && marked.contains($0.lowerBound - 2) } }

    /// Whether it says more of a place than that something is there: "the hotel in Porto gave our rooms away".
    func isTold(_ name: Range<Int>) -> Bool {
        guard reading.language == .english, let proper = name.last(where: { reading.words[$0].isCapitalised }),
            places.contains(proper + 1)
        else { return false }
        let (last, next) = (reading.words[proper], reading.words[proper + 1])
        return next.clause == last.clause && next.weight >= 0.5 && !next.isCapitalised && !next.hasDigit
            && !marked.contains(proper + 1) && !plain.contains(proper + 1)
    }

    /// Whether it says who does something.
    var hasRole: Bool { !roles.isEmpty }

    /// Whether the writer speaks of herself.
    var isOfWriter: Bool { reading.writers.contains(where: places.contains) }
}

extension Statement {
    /// The weight of a subject from which it says by itself what it is about.
    private static let enough: Float = 1.5

    /// Takes over what the sentence before it says of its subject, and of a change.
    mutating func follow(_ other: Statement?) {
        needsContext = words(telling).reduce(0) { $0 + $1.weight } < Self.enough
        guard let other else { return }
        before = Array((other.words(other.telling) + other.before).prefix(ReplacementLimits.subjectCount))
        if other.isCorrection, hasValues {
            isCorrection = needsContext
            if cue < .strong { cue = needsContext || cue == .weak ? .strong : .weak }
        } else if needsContext, other.cue == .strong, !other.hasValues, !other.isOpen, hasValues {
            cue = .strong
        }
    }
}

/// Divides messages into statements.
struct StatementReader {
    private let reading: TextReading
    private let source: ReadSource
    private let words: ChangeWords
    private let times: Set<String>
    private let message: Int

    init(_ source: ReadSource, message: Int) {
        self.source = source
        self.message = message
        reading = source.reading
        words = Language.of(source.reading.language).changes
        times = Language.of(source.reading.language).times
    }

    private var isIdeographic: Bool { reading.language == .japanese }

    func all() -> [Statement] {
        guard !reading.words.isEmpty else { return [] }
        var statements: [Statement] = []
        var first = 0
        for range in SentenceRanges.of(reading.text).prefix(ReplacementLimits.statementCount) {
            var last = first
            while last < reading.words.count, reading.words[last].range.lowerBound < range.upperBound { last += 1 }
            if last > first { statements.append(statement(range, first..<last)) }
            first = last
        }
        for place in statements.indices { statements[place].follow(place > 0 ? statements[place - 1] : nil) }
        return statements
    }

    private func statement(_ range: Range<Int>, _ places: Range<Int>) -> Statement {
        var statement = Statement(message: message, source: source, range: range, places: places)
        let phrases = PhrasePlaces(reading, places, range)
        let strong = phrases.alone(words.strong)
        let endings = phrases.alone(words.endings)
        let split = words.split.filter { phrases.has($0.0, before: $0.1) }
        statement.isEnding = !endings.isEmpty || !split.isEmpty
        let weak = phrases.alone(words.weak)
        let corrections = phrases.of(words.corrections)
        statement.isCorrection = !corrections.isEmpty || isMarkedCorrection(range)
        let announced = phrases.of(words.announcements).filter { isFirstOfClause($0.lowerBound, places) }
        let isStrong = !strong.isEmpty || !announced.isEmpty || statement.isEnding || statement.isCorrection
        statement.isConclusion = !isStrong && weak.isEmpty && phrases.begins(with: words.conclusions)
        statement.cue = isStrong ? .strong : weak.isEmpty && !statement.isConclusion ? .none : .weak
        let roles = phrases.of(words.roles)
        statement.roles = Set(roles.joined())
        statement.isDecision = !phrases.of(words.decisions).isEmpty
        statement.isRequest = !phrases.of(words.requests).isEmpty
        statement.isReversal = !phrases.of(words.reversals).isEmpty
        let isAsked = places.contains { reading.words[$0].isAsked }
        statement.isProposal = !phrases.of(words.proposals).isEmpty || isAsked && statement.cue == .strong
        statement.isOpen = isAsked || statement.isProposal || hasCondition(places)
        statement.marked = Set((strong + corrections + announced + endings + weak + roles).joined())
        statement.plain = Set((phrases.of(words.plain) + phrases.of(words.acceptances)).joined())
        let taken = RangeSet8(
            (statement.days.map(\.range) + statement.times.map(\.range) + statement.quantities.map(\.range)))
        statement.former = former(statement, phrases)
        statement.placeNames = placeNames(statement, phrases, taken)
        if statement.cue == .weak, isBeforeValue(phrases.of(words.now), statement) { statement.cue = .strong }
        let inPlaces = Set(statement.placeNames.filter(statement.isProperPlace).joined())
        statement.subject = Array(
            places.filter {
                reading.words[$0].weight >= 0.5 && !statement.marked.contains($0) && !inPlaces.contains($0)
                    && !statement.former.contains($0) && !taken.overlaps(reading.words[$0].range)
            }.prefix(ReplacementLimits.subjectCount))
        statement.isChoice =
            !statement.isOpen && (1...2).contains(statement.subject.count)
            && phrases.begins(with: words.acceptances.union(words.conclusions))
        statement.plain.formUnion(statement.subject.filter { isWeekday(reading.words[$0].word) })
        statement.findCore()
        return statement
    }

    /// "Mondays", "freitags".
    private func isWeekday(_ word: String) -> Bool {
        times.contains(word) || times.contains(String(word.dropLast()))
    }

    /// "*47" corrects a number; "*47*" stresses it.
    private func isMarkedCorrection(_ range: Range<Int>) -> Bool {
        let text = reading.text.part(utf8: range)
        guard text.hasPrefix("*"), let next = text.dropFirst().first, next.isLetter || next.isNumber else {
            return false
        }
        return !text.dropFirst().contains("*")
    }

    /// "Now on 12 October" says that a value changed; "now we have 12 guests" may say that some came.
    private func isBeforeValue(_ marks: [Range<Int>], _ statement: Statement) -> Bool {
        let values = RangeSet8(
            statement.days.map(\.range) + statement.times.map(\.range)
                + statement.quantities.filter { $0.unit?.isMoney ?? false }.map(\.range))
        return marks.contains { mark in
            (mark.upperBound..<min(mark.upperBound + 3, statement.places.upperBound)).contains { place in
                reading.words[place].clause == reading.words[mark.upperBound - 1].clause
                    && values.overlaps(reading.words[place].range)
            }
        }
    }

    /// "If it rains", but not "as if": it is the first word of a clause.
    private func hasCondition(_ places: Range<Int>) -> Bool {
        places.contains { place in
            let word = reading.words[place]
            guard words.conditions.contains(word.word) else { return false }
            return isFirstOfClause(place, places) && place + 1 < places.upperBound
                && reading.words[place + 1].clause == word.clause
        }
    }

    private func isFirstOfClause(_ place: Int, _ places: Range<Int>) -> Bool {
        place == places.lowerBound || reading.words[place - 1].clause != reading.words[place].clause
    }

    /// The words behind "instead of" and "not", in Japanese those before.
    private func former(_ statement: Statement, _ phrases: PhrasePlaces) -> Set<Int> {
        var former = reading.rejected.filter(statement.places.contains)
        let changes = Set(phrases.of(words.strong).map(\.lowerBound))
        if statement.cue == .strong { former.formUnion(moved(statement, phrases)) }
        for mark in phrases.of(words.formerMarks) {
            // "It was moved to the 27th", "it was then moved": what follows is the new value.
            let isPassive = mark.count == 1 && words.passives.contains(reading.words[mark.lowerBound].word)
            if isPassive, (mark.upperBound...mark.upperBound + 1).contains(where: changes.contains) { continue }
            if isIdeographic {
                former.formUnion(before(mark.lowerBound, statement))
                continue
            }
            let clause = reading.words[mark.upperBound - 1].clause
            var count = 0
            for place in mark.upperBound..<min(mark.upperBound + 6, statement.places.upperBound) {
                let word = reading.words[place]
                guard word.clause == clause, count < 2 else { break }
                let isValue = word.hasDigit || word.weight >= 0.5 || word.isCapitalised
                let isDay = statement.days.contains { $0.range.overlaps(word.range) }
                // "Not" before a verb rejects no value.
                if isValue || isDay { (_, count) = (former.insert(place), count + 1) }
            }
        }
        return former
    }

    /// The words of the first of two values: "from 3.50 € to 4.20 €".
    private func moved(_ statement: Statement, _ phrases: PhrasePlaces) -> [Int] {
        let values = (statement.times.map(\.range) + statement.quantities.map(\.range))
            .sorted { $0.lowerBound < $1.lowerBound }
        let (starts, ends) = (phrases.of(words.origins), phrases.of(words.targets))
        guard !starts.isEmpty, !ends.isEmpty, values.count > 1 else { return [] }
        return zip(values, values.dropFirst()).flatMap { first, second -> [Int] in
            let own = statement.places.filter { reading.words[$0].range.overlaps(first) }
            let other = statement.places.filter { reading.words[$0].range.overlaps(second) }
            guard let place = own.first, let last = own.last, let next = other.first, let end = other.last,
                last < next
            else { return [] }
            let isMove =
                isIdeographic
                ? has(starts, in: last..<next) && has(ends, in: end..<end + 2)
                : has(starts, in: place - 2..<place) && has(ends, in: last + 1..<next)
            return isMove && next - last <= 3 ? own : []
        }
    }

    private func has(_ marks: [Range<Int>], in places: Range<Int>) -> Bool {
        marks.contains { $0.overlaps(places) || $0.isEmpty && places.contains($0.lowerBound) }
    }

    private func before(_ end: Int, _ statement: Statement) -> [Int] {
        guard end < reading.words.count else { return [] }
        let clause = reading.words[end].clause
        var found: [Int] = []
        for place in (statement.places.lowerBound..<max(end, statement.places.lowerBound)).reversed().prefix(4) {
            let word = reading.words[place]
            guard word.clause == clause, !(word.isIdeographic && Script(word.word) == .hiragana && !found.isEmpty)
            else { break }
            found.append(place)
        }
        return found
    }

    /// Whether a word is of a number that numbers no room.
    private func isMeasured(_ word: ReadWord, _ statement: Statement) -> Bool {
        statement.quantities.contains {
            $0.range.overlaps(word.range) && ($0.unit != nil || $0.values.contains { $0 != $0.rounded() })
        }
    }

    /// The words behind "in", and those of "room 5".
    private func placeNames(_ statement: Statement, _ phrases: PhrasePlaces, _ taken: RangeSet8) -> [Range<Int>] {
        var names: [Range<Int>] = []
        for mark in phrases.of(words.placeMarks) {
            if isIdeographic {
                let found = before(mark.lowerBound, statement)
                if let first = found.min(), let last = found.max() { names.append(first..<last + 1) }
                continue
            }
            let clause = reading.words[mark.upperBound - 1].clause
            var (first, last) = (Int?.none, mark.upperBound)
            for place in mark.upperBound..<min(mark.upperBound + 4, statement.places.upperBound) {
                let word = reading.words[place]
                guard word.clause == clause else { break }
                let isRoomNumber = first != nil && word.hasDigit && !isMeasured(word, statement)
                if taken.overlaps(word.range), !isRoomNumber { break }
                let counts = word.weight >= 0.5 || word.isCapitalised || isRoomNumber
                if counts, !statement.marked.contains(place), !statement.plain.contains(place) {
                    (first, last) = (first ?? place, place + 1)
                } else if first != nil {
                    break
                }
            }
            if let first { names.append(first..<last) }
        }
        for place in statement.places
        where words.rooms.contains(reading.words[place].word) && !names.contains(where: { $0.contains(place) }) {
            let next = place + 1
            guard next < statement.places.upperBound, reading.words[next].hasDigit || reading.words[next].isCapitalised
            else { continue }
            names.append(place..<next + 1)
        }
        return names
    }
}

/// Finds phrases among the words of a sentence.
struct PhrasePlaces {
    private let reading: TextReading
    private let places: Range<Int>
    private let range: Range<Int>
    private let bytes: [UInt8]

    init(_ reading: TextReading, _ places: Range<Int>, _ range: Range<Int>) {
        (self.reading, self.places, self.range) = (reading, places, range)
        bytes = reading.language == .japanese ? Array(reading.text.utf8) : []
    }

    /// Returns the words of each phrase of a list that is in the sentence.
    func of(_ phrases: Set<String>) -> [Range<Int>] {
        guard !phrases.isEmpty else { return [] }
        return reading.language == .japanese ? written(phrases) : spaced(phrases)
    }

    /// As ``of(_:)`` without parts of hyphenated words: "keyboard-moves".
    func alone(_ phrases: Set<String>) -> [Range<Int>] {
        let found = of(phrases)
        guard reading.language != .japanese else { return found }
        return found.filter { !isHyphen(before: $0.lowerBound) && !isHyphen(before: $0.upperBound) }
    }

    private func isHyphen(before place: Int) -> Bool {
        guard place > places.lowerBound, place < places.upperBound else { return false }
        let (end, start) = (reading.words[place - 1].range.upperBound, reading.words[place].range.lowerBound)
        return start == end + 1 && reading.text.part(utf8: end..<start) == "-"
    }

    private func spaced(_ phrases: Set<String>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for place in places {
            var phrase = ""
            for next in place..<min(place + ChangeWords.phraseLength, places.upperBound) {
                if next > place { phrase += " " }
                phrase += reading.words[next].word
                if phrases.contains(phrase) { found.append(place..<next + 1) }
            }
        }
        return found
    }

    /// Whether one of the phrases of a list is at the beginning of the sentence.
    func begins(with phrases: Set<String>) -> Bool {
        guard reading.language != .japanese else {
            let text = reading.text.part(utf8: range).drop(while: \.isWhitespace)
            return phrases.contains { text.hasPrefix($0) }
        }
        return of(phrases).contains { $0.lowerBound == places.lowerBound }
    }

    private func written(_ phrases: Set<String>) -> [Range<Int>] {
        phrases.flatMap { phrase in
            let wanted = Array(phrase.utf8)
            var found: [Range<Int>] = []
            guard let first = wanted.first, range.count >= wanted.count else { return found }
            for start in range.lowerBound...(range.upperBound - wanted.count) where bytes[start] == first {
                guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { continue }
                let from = places.first { reading.words[$0].range.upperBound > start } ?? places.upperBound
                let to = places.first { reading.words[$0].range.lowerBound >= start + wanted.count }
                found.append(from..<max(from, to ?? places.upperBound))
            }
            return found
        }
    }

    /// Whether one phrase is at most eight words before another.
    func has(_ first: String, before second: String) -> Bool {
        let firsts = of([first])
        guard !firsts.isEmpty else { return false }
        return of([second]).contains { later in
            firsts.contains { $0.upperBound <= later.lowerBound && later.lowerBound - $0.upperBound < 8 }
        }
    }
}
