/// The names of months, folded.
enum MonthNames {
    private static let english = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let german = [
        "januar", "februar", "marz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
        "dezember",
    ]
    private static let numbers: [String: Int] = {
        var numbers: [String: Int] = ["sept": 9, "maerz": 3, "okt": 10, "dez": 12, "janner": 1, "jaenner": 1, "mrz": 3]
        for (place, name) in (english + german).enumerated() {
            numbers[name] = place % 12 + 1
            if place < 12 { numbers[String(name.prefix(3))] = place + 1 }
        }
        return numbers
    }()
    /// Names that mean nothing but a month.
    private static let plain: Set<String> = [
        "january", "february", "july", "september", "october", "november", "december", "januar", "februar", "marz",
        "maerz", "juli", "oktober", "dezember",
    ]

    static func contains(_ word: String) -> Bool { numbers[word] != nil }

    /// Returns 1 to 12.
    static func number(_ word: String) -> Int? { numbers[word] }

    static func isPlain(_ word: String) -> Bool { plain.contains(word) }

    static func name(_ number: Int, in language: TextLanguage) -> String? {
        names(language)?[number - 1]
    }

    private static func names(_ language: TextLanguage) -> [String]? {
        switch language {
        case .english: english
        case .german: german
        case .japanese, .other: nil
        }
    }
}

/// The names of weekdays, folded.
enum WeekdayNames {
    private static let english = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let german = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]

    /// Returns 1 for Monday to 7 for Sunday.
    static func number(_ word: String) -> Int? {
        if word == "sonnabend" { return 6 }
        return (english.firstIndex(of: word) ?? german.firstIndex(of: word)).map { $0 + 1 }
    }

    static func name(_ number: Int, in language: TextLanguage) -> String? {
        switch language {
        case .english: english[number - 1]
        case .german: german[number - 1]
        case .japanese, .other: nil
        }
    }
}

/// What the words of a date mean; all folded.
enum DateWord {
    enum Unit { case hour, day, week, weekend, month, quarter, year }

    /// Part of a day: hours on its clock, beyond 24 on the next.
    struct DayPart { let hours: Range<Int> }

    static let units: [String: Unit] = [
        "hour": .hour, "hours": .hour, "stunde": .hour, "stunden": .hour,
        "day": .day, "days": .day, "tag": .day, "tage": .day, "tagen": .day,
        "week": .week, "weeks": .week, "woche": .week, "wochen": .week,
        "weekend": .weekend, "weekends": .weekend, "wochenende": .weekend, "wochenenden": .weekend,
        "month": .month, "months": .month, "monat": .month, "monats": .month, "monate": .month, "monaten": .month,
        "quarter": .quarter, "quarters": .quarter, "quartal": .quarter, "quartals": .quarter, "quartalen": .quarter,
        "year": .year, "years": .year, "jahr": .year, "jahrs": .year, "jahres": .year, "jahre": .year, "jahren": .year,
    ]

    /// Days from today.
    static let days: [String: Int64] = [
        "today": 0, "yesterday": -1, "tomorrow": 1, "heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1,
        "ubermorgen": 2, "uebermorgen": 2,
    ]

    static let dayParts: [String: DayPart] = [
        "morning": DayPart(hours: 5..<12), "noon": DayPart(hours: 11..<14), "afternoon": DayPart(hours: 12..<18),
        "evening": DayPart(hours: 17..<24), "night": DayPart(hours: 18..<30),
        "fruh": DayPart(hours: 5..<12), "frueh": DayPart(hours: 5..<12), "morgen": DayPart(hours: 5..<12),
        "vormittag": DayPart(hours: 8..<12), "mittag": DayPart(hours: 11..<14), "nachmittag": DayPart(hours: 12..<18),
        "abend": DayPart(hours: 17..<24), "nacht": DayPart(hours: 18..<30),
    ]

    private static let modifiers: [String: Int64] = [
        "last": -1, "previous": -1, "past": -1, "letzt": -1, "vergangen": -1, "vorig": -1,
        "this": 0, "current": 0, "dies": 0, "aktuell": 0, "laufend": 0,
        "next": 1, "coming": 1, "nachst": 1, "naechst": 1, "kommend": 1,
    ]

    /// Returns -1 for "last", 0 for "this", 1 for "next" and their German forms, with any ending.
    static func modifier(_ word: String) -> Int64? {
        if let step = modifiers[word] { return step }
        for ending in ["en", "er", "es", "em", "e"] where word.hasSuffix(ending) {
            if let step = modifiers[String(word.dropLast(ending.count))], word.count > 4 { return step }
        }
        return nil
    }

    /// The months of a season, the first of them 1 to 12.
    static let seasons: [String: Int64] = [
        "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "fruhling": 3, "fruehling": 3, "fruhjahr": 3,
        "fruehjahr": 3, "sommer": 6, "herbst": 9,
    ]

    private static let numbers: [String: Int64] = [
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "ein": 1, "eine": 1, "einem": 1, "einer": 1,
        "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "fuenf": 5, "sechs": 6, "sieben": 7, "acht": 8,
        "neun": 9, "zehn": 10, "elf": 11, "zwolf": 12, "zwoelf": 12,
    ]
    static let few: Set<String> = ["few", "several", "some", "paar", "einigen", "wenigen", "mehreren"]

    /// Returns a number in digits, up to four, or in words up to twelve.
    static func number(_ word: String) -> Int64? {
        numbers[word] ?? digits(word)
    }

    /// Returns a number of up to four digits.
    static func digits(_ word: String) -> Int64? {
        word.utf8.count <= 4 && word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(word) : nil
    }

    /// Returns the day of a month written as "8" or "8th".
    static func dayNumber(_ word: String) -> Int64? {
        var word = word
        for ending in ["st", "nd", "rd", "th"] where word.hasSuffix(ending) { word.removeLast(2) }
        guard word.utf8.count <= 2, let number = digits(word), (1...31).contains(number) else { return nil }
        return number
    }

    /// Returns a year in four digits.
    static func year(_ word: String) -> Int64? {
        guard let number = digits(word), (1900...2199).contains(number) else { return nil }
        return number
    }

    /// A part of a month: its first and last day, nil for the end.
    static let monthParts: [String: ClosedRange<Int64>] = [
        "early": 1...10, "beginning": 1...10, "start": 1...10, "anfang": 1...10, "mid": 11...20, "middle": 11...20,
        "mitte": 11...20, "late": 21...31, "end": 21...31, "ende": 21...31,
    ]

    enum Bound { case since, before, until, after }

    static let bounds: [String: Bound] = [
        "since": .since, "seit": .since, "before": .before, "vor": .before, "until": .until, "till": .until,
        "bis": .until, "after": .after, "nach": .after,
    ]

    static let articles: Set<String> = ["the", "of", "dem", "der", "den", "des", "zum", "zur", "in", "im", "am", "on"]
}
