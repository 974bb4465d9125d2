import ChatCore
import TextAnalysis

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
