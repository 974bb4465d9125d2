import ChatCore
import TextAnalysis

/// Finds the people that a text names: those known, and words that are written as names.
struct StatedNames {
    let text: String
    let words: [ReadWord]
    let language: TextLanguage
    private let times: Set<String>

    init(text: String, words: [ReadWord], language: TextLanguage) {
        (self.text, self.words, self.language) = (text, words, language)
        times = Language.of(language).times
    }

    func all(_ index: NameIndex) -> [StatedName] {
        var names: [StatedName] = []
        for mention in index.cues(in: text).mentions {
            guard let person = mention.people.first else { continue }
            names.append(StatedName(range: mention.range, name: person.rawValue, isSure: true))
        }
        let known = RangeSet8(names.map(\.range))
        for place in words.indices where !known.overlaps(words[place].range) {
            guard let isSure = unknownName(place) else { continue }
            names.append(StatedName(range: words[place].range, name: words[place].word, isSure: isSure))
        }
        return names
    }

    /// Whether a word that no known person has for a name is one; nil if it is not.
    private func unknownName(_ place: Int) -> Bool? {
        let word = words[place]
        if word.isIdeographic { return honorific(behind: place) ? true : nil }
        guard word.isCapitalised, word.weight >= 1, word.word.utf8.count > 1, !isTime(word.word) else { return nil }
        let before = place > 0 ? words[place - 1].word : ""
        switch language {
        case .german:
            if Self.titles.contains(before) { return true }
            // Nouns have capitals too; names have no article.
            return Self.germanLeads.contains(before) ? nil : false
        case .japanese: return nil
        default: return word.isFirst ? false : true
        }
    }

    /// "Mondays", "Mon".
    private func isTime(_ word: String) -> Bool {
        return times.contains(word) || times.contains(String(word.dropLast())) || Self.shortDays.contains(word)
    }

    private static let shortDays: Set<String> = [
        "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
    ]

    private func honorific(behind place: Int) -> Bool {
        guard Script(words[place].word) != .hiragana else { return false }
        let end = words[place].range.upperBound
        return Self.honorifics.contains { text.part(utf8: end..<end + $0.utf8.count) == $0 }
            || Self.hanHonorifics.contains { words[place].word.hasSuffix($0) && words[place].word.count > $0.count }
    }

    private static let honorifics = ["さん", "くん", "ちゃん"]
    private static let hanHonorifics = ["先生", "様", "氏"]
    private static let titles: Set<String> = ["frau", "herr", "herrn", "dr", "prof"]
    private static let germanLeads: Set<String> = [
        "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "kein", "keine",
        "keinen", "im", "am", "zum", "zur", "vom", "beim", "ins", "ans", "mein", "meine", "sein", "seine", "ihr",
        "ihre", "unser", "unsere", "diese", "dieser", "dieses", "viele", "mehr", "noch",
    ]
}
