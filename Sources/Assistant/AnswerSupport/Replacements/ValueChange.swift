import ChatCore
import TextAnalysis

/// What a later statement says instead of an earlier one.
struct ValueChange {
    let kind: Replacement.Kind
    /// Whether the later statement says of the earlier value that it no longer counts.
    let namesFormer: Bool
    /// Whether a word such as "now" is enough.
    var isClear = true
    /// Whether only an answer to the earlier message may change it.
    var needsReply = false
    /// Where the earlier statement states what was changed, in UTF-8 bytes; empty if that is all of it.
    var ranges: [Range<Int>] = []

    /// Returns the changes between two statements, the best first; empty without one.
    static func all(_ older: Statement, _ newer: Statement) -> [ValueChange] {
        let comparison = ValueComparison(older: older, newer: newer)
        let values = [comparison.time, comparison.amount, comparison.date, comparison.person, comparison.place]
            .compactMap(\.self)
        // The same on another day in another town is something else, unless it moved there.
        if !newer.movesPlace, values.count > 1, values.contains(where: { $0.kind == .place && !$0.namesFormer }),
            !values.contains(where: \.namesFormer)
        {
            return []
        }
        return values.filter(\.namesFormer) + values.filter { !$0.namesFormer }
            + (values.isEmpty ? [comparison.decision].compactMap(\.self) : [])
    }
}

/// Compares the values of two statements.
struct ValueComparison {
    let older: Statement
    let newer: Statement

    /// Returns the change between values of one kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - given: The values of the earlier statement that count there.
    ///   - values: The values of the later one.
    ///   - isFormer: Whether a later value is said to be no longer so.
    ///   - isSame: Whether two values are the same.
    ///   - range: Where a value of the earlier statement is written.
    /// - Returns: The change; nil if there is none.
    private func change<Value>(
        _ kind: Replacement.Kind, from given: [Value], to values: [Value], isFormer: (Value) -> Bool,
        isSame: (Value, Value) -> Bool, range: (Value) -> Range<Int>
    ) -> ValueChange? {
        guard !given.isEmpty, !values.isEmpty else { return nil }
        let (former, others) = (values.filter(isFormer), values.filter { !isFormer($0) })
        let fresh = others.filter { value in !given.contains { isSame($0, value) } }
        let kept = others.count - fresh.count
        let namesFormer = former.contains { value in given.contains { isSame($0, value) } }
        // "Not the 20th but the 27th" replaces no 12th.
        if !former.isEmpty, !namesFormer { return nil }
        let replaced = given.filter { value in
            namesFormer ? former.contains { isSame(value, $0) } : !others.contains { isSame(value, $0) }
        }
        // Each earlier value is named again: "Friday" stays so, whatever else is said.
        if kind == .date, former.isEmpty, replaced.isEmpty { return nil }
        let change = ValueChange(kind: kind, namesFormer: namesFormer || kept > 0, ranges: replaced.map(range))
        if fresh.isEmpty { return namesFormer && newer.cue > .none ? change : nil }
        return kept > 0 && newer.cue < .strong ? nil : change
    }

    var date: ValueChange? {
        let given = replaceable(older.days.filter { !older.isFormer($0.range) && Self.isExact($0) })
        if newer.cue == .strong, let moved = newer.days.first(where: { beginsWith(given, $0) }) {
            return ValueChange(
                kind: .date, namesFormer: true, ranges: given.filter { beginsWith([$0], moved) }.map(\.range))
        }
        let days = newer.days.filter(Self.isExact)
        // A day and a month are no values of the same kind, unless "not in January" is said of 1 January.
        let lengths = Set(given.map(Self.length))
        let isNamed = days.contains { day in newer.isFormer(day.range) && given.contains { isSameDay($0, day) } }
        return change(
            .date, from: given, to: isNamed ? days : days.filter { lengths.contains(Self.length($0)) },
            isFormer: { newer.isFormer($0.range) }, isSame: isSameDay, range: \.range)
    }

    /// Without "this morning" and "until the end of October" if others are stated, or the later one does not name them.
    private func replaceable(_ days: [StatedDays]) -> [StatedDays] {
        let changes = Language.of(older.reading.language).changes
        return days.filter { day in
            let words = older.places.map { older.reading.words[$0] }.filter { $0.range.overlaps(day.range) }
            let isVague = words.contains { changes.ends.contains($0.word) } && !words.contains(where: \.hasDigit)
            let isSentDay =
                days.count > 1
                && day.spans.contains { span in span.count == 1 && span.lowerBound == older.source.sentDay }
            return !isSentDay && (!isVague || newer.days.contains { newer.isFormer($0.range) && isSameDay(day, $0) })
        }
    }

    /// "Moved from the 12th to the 20th" reads as the days from one to the other.
    private func beginsWith(_ given: [StatedDays], _ days: StatedDays) -> Bool {
        days.spans.contains { span in
            span.count > 1 && given.contains { $0.spans.contains(span.lowerBound...span.lowerBound) }
        }
    }

    /// A year is no date that can be moved.
    private static func isExact(_ days: StatedDays) -> Bool { days.spans.contains { $0.count <= 31 } }

    private static func length(_ days: StatedDays) -> Int {
        let count = days.spans.map(\.count).min() ?? 0
        return count <= 3 ? 1 : count <= 7 ? 7 : 31
    }

    /// Whether a day of the earlier statement may be one of the later statement.
    func isSameDay(_ first: StatedDays, _ second: StatedDays) -> Bool {
        // "From 16 October" is also the year after that day, which has each other day in it.
        let (one, other) = (Self.short(first), Self.short(second))
        return max(one.match(other), other.match(one)) > 0 || hasSameWeekday(first, second)
    }

    private static func short(_ days: StatedDays) -> StatedDays {
        var days = days
        days.spans.removeAll { $0.count > 31 }
        return days
    }

    /// "Mondays" and "Monday" in two weeks.
    private func hasSameWeekday(_ first: StatedDays, _ second: StatedDays) -> Bool {
        let texts = [(older, first), (newer, second)].map { statement, days in
            String(statement.reading.text.part(utf8: days.range)).lowercased()
        }
        if texts[0] == texts[1], !texts[0].isEmpty { return true }
        guard !texts.contains(where: { $0.unicodeScalars.contains { $0.properties.numericType != nil } }) else {
            return false
        }
        let days = [first, second].map { Set($0.spans.filter { $0.count == 1 }.map { $0.lowerBound % 7 }) }
        return days.allSatisfy { $0.count == 1 } && days[0] == days[1]
    }

    var time: ValueChange? {
        change(
            .time, from: older.times.filter { !older.isFormer($0.range) }, to: newer.times,
            isFormer: { newer.isFormer($0.range) }, isSame: { $0.equals($1) }, range: \.range)
    }

    var amount: ValueChange? {
        let given = older.quantities.filter { !$0.isWeak && !older.isFormer($0.range) }
        let values = newer.quantities.filter { !$0.isWeak }
        for unit in Set(given.map { $0.unit?.dimension }) {
            let (left, right) = (
                given.filter { $0.unit?.dimension == unit }, values.filter { $0.unit?.dimension == unit }
            )
            guard unit != nil || left.contains(where: { first in right.contains { countSame(first, $0) } }) else {
                continue
            }
            guard
                var change = change(
                    isRoom(left) ? .place : .amount, from: left, to: right, isFormer: { newer.isFormer($0.range) },
                    isSame: { $0.equals($1) }, range: \.range)
            else { continue }
            // What is counted and measured changes by itself; prices and terms are set.
            change.isClear = left.contains { $0.unit?.isMoney ?? false } || unit == .time || unit == .months
            return change
        }
        return bareAmount(given, values)
    }

    /// "3.90 instead of 4.20" of what cost 4.20 €, and "*47" as an answer.
    private func bareAmount(_ given: [Quantity], _ values: [Quantity]) -> ValueChange? {
        let bare = values.filter { $0.unit == nil }
        let former = bare.filter { newer.isFormer($0.range) }
        let named = given.filter { value in former.contains { $0.values == value.values } }
        if !named.isEmpty, former.count < bare.count {
            return ValueChange(kind: .amount, namesFormer: true, ranges: named.map(\.range))
        }
        guard newer.isCorrection, former.isEmpty, given.count == 1, let first = given.first, first.unit == nil,
            let fresh = bare.first, fresh.values != first.values
        else { return nil }
        return ValueChange(kind: .amount, namesFormer: false, isClear: false, needsReply: true, ranges: [first.range])
    }

    private func wordBehind(_ quantity: Quantity, in statement: Statement) -> ReadWord? {
        statement.reading.words[statement.places].first { $0.range.lowerBound >= quantity.range.upperBound }
    }

    /// Whether two numbers without a unit count the same.
    private func countSame(_ first: Quantity, _ second: Quantity) -> Bool {
        guard let left = wordBehind(first, in: older), let right = wordBehind(second, in: newer) else { return false }
        return left.weight > 0 && WordLikeness.of(left, right) >= 0.75
    }

    private func isRoom(_ quantities: [Quantity]) -> Bool {
        let rooms = Language.of(older.reading.language).changes.rooms
        return quantities.contains { wordBehind($0, in: older).map { rooms.contains($0.word) } ?? false }
    }

    // MARK: People and places

    private func people(_ statement: Statement) -> [(name: String, range: Range<Int>)] {
        var people = statement.names.map { (name: $0.name, range: $0.range) }
        if statement.isOfWriter, !statement.source.sender.isEmpty {
            people += statement.reading.writers.filter(statement.places.contains).map {
                (statement.source.sender, statement.reading.words[$0].range)
            }
        }
        return people
    }

    var person: ValueChange? {
        guard
            let change = change(
                .person, from: people(older), to: people(newer), isFormer: { newer.isFormer($0.range) },
                isSame: { $0.name == $1.name }, range: \.range)
        else { return nil }
        guard older.hasRole || newer.hasRole else { return nil }
        let isNamed = people(newer).contains { newer.isFormer($0.range) }
        return older.hasRole && newer.hasRole && newer.cue > .none || isNamed ? change : nil
    }

    var place: ValueChange? {
        let change = change(
            .place, from: older.placeNames.filter { older.isProperPlace($0) && !older.isTold($0) },
            to: newer.placeNames.filter(newer.isProperPlace),
            isFormer: { range in newer.former.contains { range.contains($0) } },
            isSame: { isSamePlace(older.words($0), newer.words($1)) }, range: older.bytes)
        if let change, change.namesFormer { return change }
        // "In Gdańsk, not Porto": the former place has no preposition.
        let former = newer.words(newer.former.sorted()).filter { $0.weight >= 0.5 || $0.isCapitalised }
        let named = older.places.filter { place in
            let word = older.reading.words[place]
            let mayBePlace =
                word.isCapitalised || word.isIdeographic || older.placeNames.contains { $0.contains(place) }
            return mayBePlace && former.contains { WordLikeness.of(word, $0) >= 0.75 }
        }
        let isElsewhere = newer.placeNames.contains { name in !name.contains(where: newer.former.contains) }
        guard !named.isEmpty, isElsewhere else { return change }
        return ValueChange(kind: .place, namesFormer: true, ranges: older.words(named).map(\.range))
    }

    private func isSamePlace(_ left: [ReadWord], _ right: [ReadWord]) -> Bool {
        let shared = left.filter { word in right.contains { WordLikeness.of(word, $0) >= 0.75 } }
        return shared.count >= min(left.count, right.count)
    }

    // MARK: Decisions

    /// "No flyers after all", "steel instead of carbon".
    var decision: ValueChange? {
        let former = newer.words(newer.former.sorted()).filter { $0.weight >= 0.5 && !$0.hasDigit }
        // "From 3.90 instead of 4.20" takes back a value, not what others decided.
        let hasFormerValue =
            newer.quantities.map(\.range).contains(where: newer.isFormer)
            || newer.times.map(\.range).contains(where: newer.isFormer)
            || newer.days.map(\.range).contains(where: newer.isFormer)
        if former.isEmpty, hasFormerValue { return nil }
        let given = older.words(older.places).filter { $0.weight >= 0.5 }
        let isNamed = former.contains { word in given.contains { WordLikeness.of(word, $0) >= 0.75 } }
        if isNamed, newer.cue == .strong { return ValueChange(kind: .decision, namesFormer: true) }
        if newer.isNegated != older.isNegated, newer.cue == .strong {
            return ValueChange(kind: .decision, namesFormer: false)
        }
        guard newer.isReversal, hasOther(older, newer), hasOther(newer, older) else { return nil }
        return ValueChange(kind: .decision, namesFormer: false, isClear: false)
    }

    /// Whether a statement has content that another lacks.
    private func hasOther(_ statement: Statement, _ other: Statement) -> Bool {
        let words = other.words(other.places)
        return (statement.subject + statement.placeNames.joined()).contains { place in
            let word = statement.reading.words[place]
            return word.weight >= 0.5 && !words.contains { WordLikeness.of(word, $0) >= 0.75 }
        }
    }
}
