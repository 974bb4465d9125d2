import ChatCore
package import TextAnalysis

/// Reads what messages state about a subject, and which statements later ones replace.
///
/// A statement is a sentence with a date, a time, an amount, a place, a person in charge or a decision. Questions, and
/// proposals that nobody accepted, state nothing. Everything is read from the given messages at each call, so nothing
/// must be erased with them.
package struct TimelineReader: Sendable {
    private let people: [String]
    private let language: TextLanguage

    /// - Parameters:
    ///   - people: Names of further people of the conversations.
    ///   - language: That of texts whose own is unknown.
    package init(people: [String] = [], language: TextLanguage = .english) {
        (self.people, self.language) = (people, language)
    }

    /// Returns what messages state about a subject.
    ///
    /// - Parameters:
    ///   - subject: A few words, or a question about it.
    ///   - messages: Those that the asker may see, in any order; see ``ReplacementLimits`` for what is read.
    ///   - known: The places of messages that are about the subject, whatever their words.
    /// - Returns: The statements, newest first: one that replaces others comes before them.
    /// - Complexity: As ``ReplacementFinder/replacements(in:)``.
    package func statements(
        about subject: String, in messages: [DatedMessage], known: Set<Int> = []
    ) -> [TimelineStatement] {
        let pairs = StatementPairs(reading: messages, people: people, language: language, subject: subject)
        let subject = SubjectWords(pairs.subject)
        var found = pairs.statements.indices.flatMap { order in
            pairs.statements[order].indices.compactMap { place in
                FoundStatement(pairs, order: order, place: place, subject: subject, known: known)
            }
        }
        let replacements = pairs.replacements()
        Self.link(&found, by: replacements)
        return found.filter { $0.isAbout && !$0.values.isEmpty }.map(\.result).sorted { left, right in
            let (first, second) = (pairs.messages[left.place.message], pairs.messages[right.place.message])
            if first.sentAt != second.sentAt { return first.sentAt > second.sentAt }
            if left.place.message != right.place.message { return left.place.message > right.place.message }
            return left.place.range.lowerBound < right.place.range.lowerBound
        }
    }

    /// Notes which statements are replaced; what replaces a statement about the subject, or is replaced by one, is about
    /// the subject too.
    private static func link(_ found: inout [FoundStatement], by replacements: [Replacement]) {
        let places = Dictionary(
            found.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        var links: [(older: Int, newer: Int)] = []
        for replacement in replacements {
            guard let older = places[replacement.older] else { continue }
            found[older].replace(replacement)
            // A person may name a message that states nothing.
            guard let newer = places[replacement.newer] else {
                found[older].isLinked(as: replacement.kind)
                continue
            }
            links.append((older, newer))
            for place in [older, newer] { found[place].isLinked(as: replacement.kind) }
            found[newer].moved(from: found[older])
        }
        // bounded: each round adds a statement
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for link in links where found[link.older].isAbout != found[link.newer].isAbout {
                (found[link.older].isAbout, found[link.newer].isAbout, hasChanged) = (true, true, true)
            }
        }
    }
}

/// The words that say what a timeline is about.
struct SubjectWords {
    private let words: [(word: ReadWord, weight: Float)]
    private let total: Float

    /// The share of the words from which a statement is about the subject.
    private static let enough: Float = 0.5
    /// How much "planned" or "date" counts beside words that say more.
    private static let plainWeight: Float = 0.3

    init(_ reading: TextReading?) {
        guard let reading else {
            (words, total) = ([], 0)
            return
        }
        let changes = Language.of(reading.language).changes
        let marks = changes.plain.union(changes.strong).union(changes.weak).union(changes.endings).union(changes.roles)
        words = reading.words.filter { $0.weight > 0 }.map { word in
            (word, marks.contains(word.word) ? word.weight * Self.plainWeight : word.weight)
        }
        total = words.reduce(0) { $0 + $1.weight }
    }

    /// How much a word counts that only the conversation's name has.
    private static let topicShare: Float = 0.4

    /// Whether enough of the subject is in a sentence of a conversation.
    func isIn(_ sentence: [ReadWord], topic: [ReadWord]) -> Bool {
        guard total > 0 else { return false }
        let held = words.reduce(Float(0)) { sum, wanted in
            if Self.has(sentence, wanted.word) { return sum + wanted.weight }
            return Self.has(topic, wanted.word) ? sum + wanted.weight * Self.topicShare : sum
        }
        return held >= Self.enough * total
    }

    private static func has(_ words: [ReadWord], _ wanted: ReadWord) -> Bool {
        words.contains { WordLikeness.of(wanted, $0) >= 0.75 }
    }
}

/// A statement, while it is decided whether it belongs to a timeline.
private struct FoundStatement {
    let place: Replacement.Statement
    let statement: Statement
    private(set) var values: [StatedValue]
    var isAbout: Bool
    var replacedBy: Replacement.Statement?

    /// Returns nil for a sentence that states nothing: a question, or a proposal that nobody accepted.
    init?(_ pairs: StatementPairs, order: Int, place: Int, subject: SubjectWords, known: Set<Int>) {
        let own = pairs.statements[order]
        statement = own[place]
        guard !statement.isOpen || pairs.isAccepted(order) else { return nil }
        self.place = .init(message: statement.message, range: statement.range)
        values = StatementValues(statement, senderName: pairs.messages[statement.message].senderName).all()
        isAbout =
            known.contains(statement.message)
            || subject.isIn(Self.words(of: own, at: place), topic: pairs.topics[statement.message] ?? [])
    }

    /// The words of a sentence; of one that names no subject, also those of the sentence before it.
    private static func words(of statements: [Statement], at place: Int) -> [ReadWord] {
        let statement = statements[place]
        let words = statement.words(statement.places)
        guard place > 0, statement.subject.allSatisfy(statement.plain.contains) else { return words }
        let before = statements[place - 1]
        return words + before.words(before.places)
    }

    var result: TimelineStatement { TimelineStatement(place: place, values: values, replacedBy: replacedBy) }

    /// Notes what replaces it, and which of its values.
    mutating func replace(_ replacement: Replacement) {
        replacedBy = replacement.newer
        let isReplaced = values.map { value in
            value.kind != .decision && replacement.values.contains { $0.overlaps(value.range) }
        }
        // Without a known value all of it is replaced, because nothing says what still counts.
        let isAll = !isReplaced.contains(true) || zip(values, isReplaced).allSatisfy { $0.kind == .decision || $1 }
        for place in values.indices { values[place].isReplaced = isAll || isReplaced[place] }
    }

    /// A statement without a value that is replaced, or replaces one, is a decision.
    mutating func isLinked(as kind: Replacement.Kind) {
        guard values.isEmpty || kind == .decision && !values.contains(where: { $0.kind == .decision }) else { return }
        values.append(StatedValue(kind: kind, range: statement.range, isReplaced: replacedBy != nil))
    }

    /// "Moved from the 12th to the 20th" reads as the days from one to the other, but it states the 20th.
    mutating func moved(from older: FoundStatement) {
        let given = older.statement.days.flatMap(\.spans).filter { $0.count == 1 }.map(\.lowerBound)
        for days in statement.days {
            guard let span = days.spans.first(where: { $0.count > 1 && given.contains($0.lowerBound) }),
                let place = values.firstIndex(where: { $0.kind == .date && $0.range == days.range })
            else { continue }
            let ends = [span.upperBound...span.upperBound] + days.spans.filter { $0.count == 1 }
            values[place].value = StatementValues.meant(ends, sentOn: statement.source.sentDay)
                .map { Timestamp.iso8601(dayNumber: $0.lowerBound) }
        }
    }
}

/// Reads the values of a statement that count: not those that it says are no longer so.
struct StatementValues {
    private let statement: Statement
    private let senderName: String

    init(_ statement: Statement, senderName: String) {
        (self.statement, self.senderName) = (statement, senderName)
    }

    func all() -> [StatedValue] {
        var values = days + times + amounts + places + people
        // "Now" and "only" alone decide nothing.
        let isChange = statement.saysChange && (statement.cue == .strong || !statement.former.isEmpty)
        if values.isEmpty && isChange || statement.isDecision {
            values.append(StatedValue(kind: .decision, range: statement.range))
        }
        return values.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    }

    private var days: [StatedValue] {
        statement.days.filter { !statement.isFormer($0.range) }.map { days in
            let value = Self.meant(days.spans, sentOn: statement.source.sentDay).map { span in
                let ends = [span.lowerBound, span.upperBound].prefix(span.count)
                return ends.map { Timestamp.iso8601(dayNumber: $0) }.joined(separator: "/")
            }
            return StatedValue(kind: .date, range: days.range, value: value)
        }
    }

    /// The days that are meant: of the same day of several years the one next to the message; nil if words such as
    /// "Friday" may mean several days.
    static func meant(_ spans: [ClosedRange<Int64>], sentOn day: Int64?) -> ClosedRange<Int64>? {
        guard let first = spans.first, spans.count > 1 else { return spans.first }
        func date(_ span: ClosedRange<Int64>) -> [Int64] {
            let date = Timestamp.civilDate(dayNumber: span.lowerBound)
            return [date.month, date.day, Int64(span.count)]
        }
        guard let day, spans.allSatisfy({ date($0) == date(first) }) else { return nil }
        return spans.min { ($0.lowerBound - day).magnitude < ($1.lowerBound - day).magnitude }
    }

    private var times: [StatedValue] {
        statement.times.filter { !statement.isFormer($0.range) }.map { time in
            // "At 9" may be in the evening.
            let isSure = time.isExact || time.minute >= 13 * 60
            let value = [time.minute / 60, time.minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(
                separator: ":")
            return StatedValue(kind: .time, range: time.range, value: isSure ? value : nil)
        }
    }

    private var amounts: [StatedValue] {
        let rooms = Language.of(statement.reading.language).changes.rooms
        let taken = RangeSet8(statement.placeNames.map(statement.bytes))
        return statement.quantities.filter { !$0.isWeak && !statement.isFormer($0.range) && !taken.overlaps($0.range) }
            .compactMap { quantity in
                let words = statement.reading.words[statement.places]
                let behind = words.first { $0.range.lowerBound >= quantity.range.upperBound }
                let before = words.last { $0.range.upperBound <= quantity.range.lowerBound }
                // "Room 5" is a place.
                if [behind, before].contains(where: { $0.map { rooms.contains($0.word) } ?? false }) { return nil }
                var range = quantity.range
                if let behind, isCounted(behind, by: quantity) { range = range.lowerBound..<behind.range.upperBound }
                let value = quantity.values.count == 1 ? quantity.values.first.map(Self.number) : nil
                return StatedValue(kind: .amount, range: range, value: value)
            }
    }

    /// Whether a word names what a number counts: "12 gauges", but not "4.20 right away".
    private func isCounted(_ word: ReadWord, by quantity: Quantity) -> Bool {
        guard quantity.unit == nil, word.range.lowerBound - quantity.range.upperBound <= 1,
            word.weight >= 0.5 || word.word == "people",
            quantity.values.allSatisfy({ $0 == $0.rounded() })
        else { return false }
        switch statement.reading.language {
        case .german: return word.isCapitalised
        case .japanese: return word.range.lowerBound == quantity.range.upperBound
        default:
            return !word.isCapitalised && (word.word == "people" || ["s", "x"].contains(where: word.word.hasSuffix))
        }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    }

    private var places: [StatedValue] {
        statement.placeNames.filter { name in
            statement.isProperPlace(name) && !name.contains(where: statement.former.contains)
        }.map { StatedValue(kind: .place, range: statement.bytes(written($0))) }
    }

    /// "Porto" of "in Porto gave".
    private func written(_ name: Range<Int>) -> Range<Int> {
        let rooms = Language.of(statement.reading.language).changes.rooms
        let words = statement.reading.words
        let isName = { (place: Int) in
            words[place].isIdeographic || words[place].isCapitalised || words[place].hasDigit
                || rooms.contains(words[place].word)
        }
        guard let first = name.first(where: isName), let last = name.last(where: isName) else { return name }
        return first..<last + 1
    }

    private var people: [StatedValue] {
        guard statement.hasRole else { return [] }
        let named = statement.names.filter { !statement.isFormer($0.range) && isPerson($0) }.map {
            StatedValue(kind: .person, range: $0.range)
        }
        guard named.isEmpty, !senderName.isEmpty,
            let writer = statement.reading.writers.first(where: statement.places.contains)
        else { return named }
        return [StatedValue(kind: .person, range: statement.reading.words[writer].range, value: senderName)]
    }

    /// Whether a name is one of a person: known, or beside the word for what the person does.
    ///
    /// "Dirk writes German" names one person.
    private func isPerson(_ name: StatedName) -> Bool {
        if name.name.hasPrefix("#") { return true }
        let isBefore = [1, 2].contains { statement.roles.contains(name.word + $0) }
        return isBefore
            || statement.reading.language == .german && [1, 2].contains { statement.roles.contains(name.word - $0) }
    }
}
