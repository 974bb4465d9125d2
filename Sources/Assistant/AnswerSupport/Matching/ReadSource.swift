import ChatCore

/// A source that was read once for all sentences.
struct ReadSource: Sendable {
    let reading: TextReading
    /// The days that its text names, and the one on which it was sent.
    let days: [StatedDays]
    /// The sender's number among the people known.
    let sender: String
    /// What the readings of days of other texts depend on.
    let dayKey: Int
    /// Its place in the list of all sources.
    let place: Int
    /// Its words with digits.
    let digitWords: Set<String>
    /// Its words that are numbers.
    let digits: Set<Double>
    /// The day on which it was sent; nil outside of 1900 to 2200.
    var sentDay: Int64? { days.first(where: \.isSentDay)?.spans.first?.lowerBound }
    /// Whether its text names a day.
    let namesDay: Bool

    init(reading: TextReading, days: [StatedDays], sender: String, dayKey: Int, place: Int) {
        (self.reading, self.sender) = (reading, sender)
        self.days = days.map { day in
            var day = day
            day.word = reading.place(of: day.range.lowerBound)
            return day
        }
        namesDay = days.contains { !$0.isSentDay }
        (self.dayKey, self.place) = (dayKey, place)
        digitWords = Set(reading.words.lazy.filter(\.hasDigit).map(\.word))
        digits = Set(reading.words.lazy.compactMap { Double($0.word) })
    }
}

/// A sentence of an answer that was read once for all sources.
struct ReadSentence: Sendable {
    let reading: TextReading
    /// Its days as they are meant on the days of the sources: by ``ReadSource/dayKey``.
    var days: [Int: [StatedDays]]
    /// The places of its days, whatever they mean.
    let dayRanges: [Range<Int>]
}
