import ChatCore

/// A word of a text; in Japanese a run of one script.
struct ReadWord: Sendable {
    /// Its place in the text, in UTF-8 bytes.
    let range: Range<Int>
    /// Folded.
    let word: String
    /// Its stem; the word itself in Japanese.
    let stem: String
    /// Whether it is written without blanks.
    let isIdeographic: Bool
    /// Whether it begins with a capital; false in scripts without them.
    let isCapitalised: Bool
    /// Whether it is the first word of a sentence.
    let isFirst: Bool
    /// How much a statement depends on it: 0 for stop words and numbers, 1 for most others.
    let weight: Float
    /// The part of the text between commas, conjunctions and other breaks, counted over the text.
    let clause: Int
    /// The part of a clause around "and".
    let segment: Int
    /// Its first bytes, folded, in scripts with blanks; empty in others.
    let letters: [UInt8]
    /// Its characters in scripts without blanks; empty in others.
    let scalars: [Unicode.Scalar]
    /// Whether a digit is among them.
    let hasDigit: Bool
    /// Whether its sentence asks something.
    var isAsked = false
}

/// A quantity that a text states.
struct Quantity: Hashable, Sendable {
    let range: Range<Int>
    /// What its digits may mean: "1.840" is 1840 or 1.84.
    let values: [Double]
    let unit: Unit?
    /// Whether it is an ordinal or a number word up to 3, which texts also use without counting.
    let isWeak: Bool
    /// The place of its first word.
    var word = 0

    /// Whether two texts state the same amount.
    func equals(_ other: Quantity) -> Bool {
        let isKnown = unit != nil && other.unit != nil
        if isKnown, unit?.dimension != other.unit?.dimension { return false }
        let (factor, otherFactor) = isKnown ? (unit?.factor ?? 1, other.unit?.factor ?? 1) : (1, 1)
        return values.contains { value in
            other.values.contains { Self.isSame(value * factor, $0 * otherFactor) }
        }
    }

    /// Whether both count the same kind of thing, or one of them may.
    func isOfKind(_ other: Quantity) -> Bool {
        unit == nil || other.unit == nil || unit?.dimension == other.unit?.dimension
    }

    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        let difference = (left - right).magnitude
        return difference <= 1e-9 * max(left.magnitude, right.magnitude) || difference < 1e-9
    }
}

/// A time of day that a text states.
struct StatedTime: Hashable, Sendable {
    let range: Range<Int>
    /// The minute of the day, 0...1440.
    let minute: Int
    /// Whether the half of the day is said, or follows from the hour.
    let isExact: Bool
    /// The place of its first word.
    var word = 0

    func equals(_ other: StatedTime) -> Bool {
        if minute == other.minute { return true }
        return (!isExact || !other.isExact) && minute % 720 == other.minute % 720
    }
}

/// Days that a text names.
struct StatedDays: Hashable, Sendable {
    let range: Range<Int>
    /// What the words may mean: the coming Friday, or the last one; days since 1970.
    var spans: [ClosedRange<Int64>]
    /// Whether it is the day on which the message was sent, which its text does not name.
    let isSentDay: Bool
    /// Whether a year is written.
    var hasYear = false
    /// Whether only the number of a day is written, whose month is that of another date.
    var isBare = false
    /// The place of its first word.
    var word = 0

    /// How well `source` says that it is these days: 1 if it is as exact, 0.5 if these are within longer ones.
    func match(_ source: StatedDays) -> Float {
        var best: Float = 0
        for span in spans {
            for other in source.spans where span.overlaps(other) {
                let isAsExact = span.lowerBound <= other.lowerBound && other.upperBound <= span.upperBound
                best = max(best, isAsExact ? 1 : 0.5)
            }
        }
        if best == 0, hasYear != source.hasYear, isSameDay(source, withMonth: true) { best = 0.9 }
        if best == 0, isBare || source.isBare, isSameDay(source, withMonth: false) { best = 0.9 }
        return best
    }
}

extension StatedDays {
    /// Whether both may be the same day of a month, or of some month.
    private func isSameDay(_ other: StatedDays, withMonth: Bool) -> Bool {
        let days = other.spans.filter { $0.count == 1 }.map { Timestamp.civilDate(dayNumber: $0.lowerBound) }
        return spans.contains { span in
            guard span.count == 1 else { return false }
            let date = Timestamp.civilDate(dayNumber: span.lowerBound)
            return days.contains { $0.day == date.day && (!withMonth || $0.month == date.month) }
        }
    }
}

/// A place where a text names a person.
struct StatedName: Hashable, Sendable {
    let range: Range<Int>
    /// The person's number among those known, or a folded word for a name that nobody known has.
    let name: String
    /// Whether the name is surely one, so that it must be in a source.
    let isSure: Bool
    /// The place of its first word.
    var word = 0
}
