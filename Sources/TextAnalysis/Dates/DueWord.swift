/// What the words of a due date mean beyond those of ``DateWord``; all folded.
enum DueWord {
    /// Days from today.
    static let days: [String: Int64] = [
        "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1,
        "heute": 0, "morgen": 1, "ubermorgen": 2, "uebermorgen": 2,
    ]

    static let past: Set<String> = ["yesterday", "gestern", "vorgestern"]
    static let recurring: Set<String> = ["every", "each", "jeden", "jede", "jedes", "jeder"]
    static let before: Set<String> = ["before", "vor"]

    /// Words that may stand between a day and a time.
    static let joints: Set<String> = [
        "at", "on", "by", "um", "am", "bis", "the", "of", "in", "before", "until", "till", "spatestens", "spaetestens",
        "latest", "around", "gegen", "vor", "zum", "this",
    ]

    /// Words that announce a date that could be something else by itself.
    static let leads: Set<String> = [
        "on", "by", "until", "till", "before", "due", "for", "from", "am", "bis", "zum", "vom", "ab", "dem", "den",
        "der",
        "vor", "spatestens", "spaetestens", "fallig", "faellig", "deadline",
    ]

    /// Words behind which the name of a month means its end.
    static let monthLeads: Set<String> = ["in", "im", "during", "before", "vor", "by", "until", "till", "bis"]

    private static let shortWeekdays: [String: Int] = [
        "mon": 1, "tue": 2, "tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6,
        "sun": 7,
    ]
    private static let shortGermanWeekdays: [String: Int] = [
        "mo": 1, "di": 2, "mi": 3, "do": 4, "fr": 5, "sa": 6, "so": 7,
    ]

    /// Returns 1 for Monday to 7 for Sunday, for a whole name.
    static func weekday(_ word: String) -> Int? { WeekdayNames.number(word) }

    /// Returns the same for an English abbreviation.
    static func shortWeekday(_ word: String) -> Int? { shortWeekdays[word] }

    /// Returns the same for a German abbreviation; most of them are words too.
    static func shortGermanWeekday(_ word: String) -> Int? { shortGermanWeekdays[word] }

    /// Whether a word with the meaning of "next" means the coming one.
    static func isComing(_ word: String) -> Bool {
        word.hasPrefix("coming") || word.hasPrefix("upcoming") || word.hasPrefix("kommend")
    }

    /// A part of a longer span.
    enum Part { case beginning, early, middle, end }

    static let parts: [String: Part] = [
        "beginning": .beginning, "start": .beginning, "anfang": .beginning, "early": .early, "mid": .middle,
        "middle": .middle, "mitte": .middle, "end": .end, "ende": .end, "late": .end, "close": .end,
    ]

    /// Words for the end of a span.
    static let ends: [String: DateWord.Unit] = [
        "eow": .week, "eom": .month, "eoq": .quarter, "eoy": .year, "monatsende": .month, "quartalsende": .quarter,
        "jahresende": .year,
    ]

    /// Words that begin a distance.
    static let distances: Set<String> = ["in", "within", "binnen", "innerhalb"]
    /// What may stand between such a word and the number.
    static let fillers: Set<String> = [
        "the", "next", "von", "den", "der", "nachsten", "naechsten", "about", "etwa", "ca",
    ]
    static let working: Set<String> = ["business", "working", "work"]
    static let workingDays: Set<String> = [
        "werktagen", "werktage", "werktag", "arbeitstagen", "arbeitstage", "arbeitstag",
    ]

    /// Minutes of a unit that is shorter than a day.
    static let minutes: [String: Int64] = [
        "minute": 1, "minutes": 1, "min": 1, "mins": 1, "minuten": 1, "hour": 60, "hours": 60, "hr": 60, "hrs": 60,
        "h": 60, "stunde": 60, "stunden": 60, "std": 60,
    ]

    /// Times of day that stand by themselves, in minutes.
    static let times: [String: Int] = [
        "noon": 720, "midday": 720, "mittag": 720, "mittags": 720, "lunch": 720, "lunchtime": 720, "midnight": 1_440,
        "mitternacht": 1_440, "eod": 1_440, "cob": 1_020, "eob": 1_020, "feierabend": 1_020,
    ]

    /// Parts of the day that count beside a day only, in minutes at their end.
    static let dayParts: [String: Int] = [
        "morning": 720, "afternoon": 1_080, "evening": 1_440, "night": 1_440, "fruh": 720, "frueh": 720, "morgen": 720,
        "vormittag": 720, "nachmittag": 1_080, "abend": 1_440, "nacht": 1_440,
    ]

    /// Splits `48h`, `30min`, `2d` and `3w`.
    static func short(_ word: String) -> (count: Int64, unit: String)? {
        let digits = word.prefix { $0.isNumber }
        let unit = String(word.dropFirst(digits.count))
        guard let count = DateWord.digits(String(digits)), !unit.isEmpty else { return nil }
        return (count, unit)
    }
}
