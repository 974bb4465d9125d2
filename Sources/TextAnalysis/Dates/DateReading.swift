/// Looks up what the word at a place of a text means; nil for other words and beyond the text.
protocol DateReading {
    var tokens: [DateToken] { get }
    var words: DateWords { get }
}

extension DateReading {
    func word(_ place: Int) -> String? {
        tokens.indices.contains(place) ? tokens[place].word : nil
    }

    func unit(_ place: Int) -> DateWords.Unit? {
        word(place).flatMap { words.units[$0] }
    }

    /// Returns -1 for "last", 0 for "this", 1 for "next".
    func modifier(_ place: Int) -> Int64? {
        word(place).flatMap { words.modifier($0) }
    }

    /// Returns the same for a word that stands behind its noun.
    func laterModifier(_ place: Int) -> Int64? {
        word(place).flatMap { words.laterModifiers[$0] }
    }

    func bound(_ place: Int) -> DateWords.Bound? {
        word(place).flatMap { words.bounds[$0] }
    }

    /// Returns 1 to 12.
    func monthNumber(_ place: Int) -> Int? {
        word(place).flatMap { words.month($0) }
    }

    /// Returns 1 for Monday to 7 for Sunday, for a name that is written out.
    func fullWeekday(_ place: Int) -> Int? {
        word(place).flatMap { words.weekday($0) }
    }

    /// Returns the day of a month written as "8" or "8th".
    func dayNumber(_ place: Int) -> Int64? {
        word(place).flatMap { words.dayNumber($0) }
    }

    /// Returns a number in digits or in words.
    func countWord(_ place: Int) -> Int64? {
        word(place).flatMap { words.number($0) }
    }
}
