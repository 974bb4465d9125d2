import ChatCore

extension QuestionPlan {
    /// Returns how many of the quoted phrases stand in a text, word for word.
    func phraseCount(in text: String) -> Int {
        guard !phrases.isEmpty else { return 0 }
        let words = TextAnalysis.tokens(of: text, language: .other).map(\.word)
        return phrases.count { phrase in
            guard let first = phrase.first, phrase.count <= words.count else { return false }
            return words.indices.contains { start in
                words[start] == first && words[start...].starts(with: phrase)
            }
        }
    }

    /// Whether candidates are compared with the question by their texts.
    var looksAtTexts: Bool { !phrases.isEmpty || !days.isEmpty }

    /// Returns whether a text names one of the days in numbers: "14.9.", "Sept 14th", "2026-09-14".
    package func namesDay(in text: String) -> Bool {
        guard !days.isEmpty, text.utf8.contains(where: Self.isDigit) else { return false }
        return days.contains { day in
            // Asked on that day, a date without a year is that of its year.
            let asked = Timestamp(microseconds: day.upperBound.microseconds - 1)
            let dates = DateExpressions.find(in: text, askedAt: asked, zone: zone)
            return dates.contains { date in
                date.unit == .day && date.start == day.lowerBound
                    && text.part(utf8: date.range).utf8.contains(where: Self.isDigit)
            } || namesShortly(asked, in: text)
        }
    }

    /// Returns whether a text names a day as "14.9.", which in a question may be any number and in a list is a date.
    private func namesShortly(_ moment: Timestamp, in text: String) -> Bool {
        guard let number = DayClock(zone: zone).day(of: moment) else { return false }
        let date = Timestamp.civilDate(dayNumber: number)
        let tokens = TextAnalysis.tokens(of: text, language: .other)
        return zip(tokens, tokens.dropFirst()).contains { day, month in
            Int64(day.word) == date.day && Int64(month.word) == date.month
                && text.part(utf8: day.range.upperBound..<month.range.lowerBound) == "."
                && text.utf8.dropFirst(month.range.upperBound).first == UInt8(ascii: ".")
                && text.utf8.dropFirst(month.range.upperBound + 1).first.map(Self.isDigit) != true
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
