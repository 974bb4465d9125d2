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
