import ChatCore

/// Looks up the meaning of the word at a place of a text; nil for other words and after the end of the text.
protocol DateReading {
    var tokens: [DateToken] { get }
    var lexicon: DateLexicon { get }
}

extension DateReading {
    var words: DateWords { lexicon.words }

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

    /// Returns the same for a word after its noun.
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

    /// Returns 1 for Monday to 7 for Sunday, for a full name.
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

/// How dates are written in numbers: 2025-12-03, 3.12.2025, 12/3/25.
enum NumericDate {
    /// Returns the day of a date of three numbers; nil outside 1900 to 2199.
    ///
    /// - Parameters:
    ///   - first: A year of four digits, or a day or month.
    ///   - second: A month or day.
    ///   - third: A day, or a year of two or four digits.
    ///   - sign: The text between them.
    ///   - hasMonthFirst: Whether dates with slashes have the month first in the writer's language.
    /// - Returns: Days since 1970.
    static func day(_ first: Int64, _ second: Int64, _ third: Int64, sign: Character, hasMonthFirst: Bool) -> Int64? {
        if first >= 1900 { return day(year: first, month: second, number: third) }
        let (number, month) = dayAndMonth(first, second, sign: sign, hasMonthFirst: hasMonthFirst)
        return day(year: third < 100 ? 2000 + third : third, month: month, number: number)
    }

    /// Whether people of a zone write the month before the day, 12/3 for the 3rd of December.
    static func hasMonthFirst(in zone: String) -> Bool {
        zonesWithMonthFirst.contains(zone) || regionsWithMonthFirst.contains(where: zone.hasPrefix)
    }

    private static let zonesWithMonthFirst: Set<String> = [
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix",
        "America/Detroit", "America/Boise", "America/Menominee", "America/Anchorage", "America/Juneau",
        "America/Sitka", "America/Nome", "America/Adak", "America/Puerto_Rico", "America/Toronto", "America/Vancouver",
        "America/Edmonton", "America/Winnipeg", "America/Regina", "America/Halifax", "America/Moncton",
        "America/St_Johns", "Pacific/Honolulu", "Pacific/Guam", "Asia/Tokyo", "Japan", "Asia/Seoul", "ROK",
        "Asia/Shanghai", "PRC", "Asia/Taipei", "Asia/Manila",
    ]
    private static let regionsWithMonthFirst = [
        "America/Indiana/", "America/Kentucky/", "America/North_Dakota/", "US/", "Canada/",
    ]

    /// Tells a day and its month apart; a number above 12 is no month.
    static func dayAndMonth(
        _ first: Int64, _ second: Int64, sign: Character, hasMonthFirst: Bool
    ) -> (number: Int64, month: Int64) {
        let isMonthFirst = sign == "/" && (hasMonthFirst && first <= 12 || second > 12)
        return isMonthFirst ? (second, first) : (first, second)
    }

    /// Returns a day of the years 1900 to 2199, in days since 1970; nil if it does not exist.
    static func day(year: Int64, month: Int64, number: Int64) -> Int64? {
        guard (1...12).contains(month), (1900..<2200).contains(year) else { return nil }
        return CivilMonth(year: year, month: month).day(number)
    }
}
