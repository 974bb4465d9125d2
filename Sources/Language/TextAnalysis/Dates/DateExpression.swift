package import ChatCore

/// A date or a time that a question speaks of.
package struct DateExpression: Equatable, Sendable {
    /// The kind of span.
    package enum Unit: String, Sendable {
        /// Part of a day: "this morning", "3 hours ago".
        case hours
        /// One day.
        case day
        /// A week or a weekend, or a day known only by the week.
        case week
        /// A month or a part of one.
        case month
        /// A quarter or a season.
        case season
        /// A year.
        case year
        /// Any other span: "since March", "in the last 10 days".
        case span
    }

    /// Its place in the question, in UTF-8 bytes.
    package let range: Range<Int>
    /// The first moment meant; the earliest possible one when the span has no start.
    package let start: Timestamp
    /// The first moment after those meant.
    package let end: Timestamp
    /// The kind of span.
    package let unit: Unit

    /// Returns whether `moment` is meant.
    package func contains(_ moment: Timestamp) -> Bool {
        start <= moment && moment < end
    }
}

/// Finds dates and times in a question, in the languages with words for them (``Language``).
///
/// The result may only raise a message's rank, because words such as "Friday" can be ambiguous. Conversations are about
/// the past, so a day or month without a year is the latest one that is not in the future. Weeks start on Monday,
/// seasons are those of the northern hemisphere by whole months, and `5/8/2023` has the month first only in American
/// zones.
package enum DateExpressions {
    /// Finds the dates in a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - moment: When it is asked; years before 1900 or after 2200 have no dates.
    ///   - zone: The IANA name of the asker's zone, which decides where days begin; an unknown one counts as UTC.
    /// - Returns: The dates in order, without overlap.
    package static func find(in question: String, askedAt moment: Timestamp, zone: String) -> [DateExpression] {
        let calendar = LocalCalendar(zone: zone)
        guard let today = calendar.day(of: moment) else { return [] }
        let tokens = TextAnalyzer.tokens(of: question, language: .other)
        for lexicon in DateLanguages(question, tokens, zone: zone).lexicons {
            let parser = DateParser(
                tokens: DateToken.all(in: question, tokens, lexicon.words), lexicon: lexicon, today: today, zone: zone)
            let found = parser.all().compactMap {
                $0.inOwnZone(zone).expression(in: calendar, askedAt: moment, today: today)
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns the words by which a message's date is indexed, such as 8, may and 2023.
    ///
    /// They are folded but not stemmed; the index passes them through ``TextAnalyzer/terms(of:language:)`` like all
    /// words.
    ///
    /// - Parameters:
    ///   - moment: When the message was sent; years before 1900 or after 2200 have no words.
    ///   - zone: The IANA name of the zone in which its people say "8 May"; an unknown one counts as UTC.
    ///   - languages: The languages for the names of month and weekday; Japanese has no names.
    ///   - hasWeekday: Whether the weekday is among the words.
    /// - Returns: Day, month, weekday and year in this order.
    package static func dateWords(
        of moment: Timestamp, zone: String, languages: [TextLanguage] = [.english], hasWeekday: Bool = false
    ) -> [String] {
        guard let day = DayClock(zone: zone).day(of: moment) else { return [] }
        return dateWords(ofDay: day, languages: languages, hasWeekday: hasWeekday)
    }

    /// Returns the same words of a day.
    ///
    /// - Parameters:
    ///   - day: As ``DayClock`` counts days.
    ///   - languages: Those in which month and weekday are named.
    ///   - hasWeekday: Whether the weekday is among the words.
    /// - Returns: Day, month, weekday and year in this order.
    package static func dateWords(
        ofDay day: Int64, languages: [TextLanguage], hasWeekday: Bool = false
    ) -> [String] {
        let date = Timestamp.civilDate(dayNumber: day)
        var words = [String(date.day)]
        var seen: Set<String> = []
        for language in languages {
            let names = DateWords.of(language)
            guard !names.months.isEmpty else { continue }
            let month = names.months[Int(date.month) - 1]
            if seen.insert(month).inserted { words.append(month) }
            if hasWeekday { words.append(names.weekdays[LocalCalendar.weekday(of: day) - 1]) }
        }
        return words + [String(date.year)]
    }
}
