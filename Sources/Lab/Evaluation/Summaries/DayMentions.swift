import TextAnalysis

/// The days that a folded text names, by day and month.
struct DayMentions {
    /// A day of any year.
    struct Day: Hashable {
        var month: Int
        var day: Int
    }

    private var found: Set<Day> = []

    /// Finds days next to the name of a month, and both ends of a span: `5 to 7 November`.
    init(_ folded: String) {
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(Self.withoutOrdinal)
        for (place, word) in words.enumerated() {
            guard let month = Self.months[word] else { continue }
            for beside in [words[..<place].reversed(), Array(words[(place + 1)...])] {
                for word in beside.prefix(Self.reach) {
                    if let day = Int(word), (1...31).contains(day) {
                        found.insert(Day(month: month, day: day))
                    } else if !Self.joining.contains(word), Int(word) == nil {
                        break
                    }
                }
            }
        }
    }

    /// How many words beside a month are read, for spans such as `Thursday 5 to Saturday 7 November`.
    private static let reach = 4

    func contains(_ day: Day) -> Bool { found.contains(day) }

    /// Whether a text has a day in digits: `2026-10-27`, `27.10.`, `27/10`, `10/27`, `10月27日`.
    func writes(_ day: Day, in folded: String) -> Bool {
        let (m, d) = (day.month, day.day)
        func padded(_ number: Int) -> [String] { number < 10 ? ["\(number)", "0\(number)"] : ["\(number)"] }
        let spellings = padded(m).flatMap { month in
            padded(d).flatMap { day in
                ["-\(month)-\(day)", "\(day).\(month).", "\(day)/\(month)", "\(month)/\(day)", "\(month)月\(day)日"]
            }
        }
        return spellings.contains { spelling in
            folded.ranges(of: spelling).contains { range in
                let isOpen = spelling.first?.isNumber != true || folded[..<range.lowerBound].last?.isNumber != true
                return isOpen && (spelling.hasSuffix(".") || folded[range.upperBound...].first?.isNumber != true)
            }
        }
    }

    private static func withoutOrdinal(_ word: Substring) -> String {
        for ending in ordinalEndings where word.hasSuffix(ending) && Int(word.dropLast(ending.count)) != nil {
            return String(word.dropLast(ending.count))
        }
        return String(word)
    }

    private static let ordinalEndings = Language.all.flatMap(\.ordinalEndings)

    /// Words that may be between a day and its month.
    private static let joining = Language.all.reduce(into: Set<String>()) { $0.formUnion($1.wordsBesideMonths) }

    private static let months = Language.all.reduce(into: [String: Int]()) { months, language in
        months.merge(language.monthNumbers) { first, _ in first }
    }
}

extension DayMentions.Day {
    /// Reads `2026-11-12`; nil for anything else.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /\d{4}-(\d{2})-(\d{2})/), let month = Int(match.1), let day = Int(match.2)
        else { return nil }
        self.init(month: month, day: day)
    }
}
