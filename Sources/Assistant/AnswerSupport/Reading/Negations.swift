import TextAnalysis

/// The words of a text that negate, and those that are said not to be the case.
struct Negations {
    /// The places of negating words.
    private(set) var places: [Int] = []
    /// The places of rejected words.
    private(set) var rejected: Set<Int> = []

    /// How many words behind "not" and "instead of" are rejected.
    private static let reach = 6

    init(text: String, words: [ReadWord], claim: ClaimWords, language: TextLanguage) {
        if language == .japanese {
            readJapanese(text, words, claim)
        } else {
            readSpaced(text, words, claim, isFrench: language == .french)
        }
    }

    private mutating func readSpaced(_ text: String, _ words: [ReadWord], _ claim: ClaimWords, isFrench: Bool = false) {
        let bytes = Array(text.utf8)
        for (place, word) in words.enumerated() {
            let isNegation =
                claim.negations.contains(word.word) && !isLetterAlone(word, bytes)
                || isFrench && word.word == "plus" && followsNe(place, words)
                || isFrench && word.word == "personne" && place + 1 < words.count
                    && ["ne", "n"].contains(words[place + 1].word)
            // "No longer" and "not yet" negate once.
            if isNegation, !(places.last.map { $0 + 1 == place } ?? false) { places.append(place) }
            // "He did not push it" rejects nothing; "tomorrow, not Thursday" does.
            let isFirst = place > 0 && words[place - 1].clause != word.clause
            let isContrast = isNegation && place > 0 && (isFirst || claim.contrasts.contains(words[place - 1].word))
            let phrase = place > 0 ? "\(words[place - 1].word) \(word.word)" : ""
            let isRejection = claim.rejections.contains(word.word) || claim.rejections.contains(phrase)
            guard isContrast || isRejection else { continue }
            var count = 0
            for next in words.indices[(place + 1)...].prefix(Self.reach) {
                let candidate = words[next]
                let isNumber = candidate.word.utf8.contains { (0x30...0x39).contains($0) }
                guard candidate.clause == word.clause, count < 2 else { break }
                // ", no se vota" rejects nothing.
                guard isRejection || !isFirst || isNumber || candidate.isCapitalised else { break }
                if isNumber || candidate.weight >= 0.5 || candidate.isCapitalised {
                    rejected.insert(next)
                    count += 1
                }
            }
        }
    }

    /// "Plus" negates behind "ne".
    private func followsNe(_ place: Int, _ words: [ReadWord]) -> Bool {
        words[max(0, place - 4)..<place].contains { $0.word == "ne" || $0.word == "n" }
    }

    /// "T" negates only in "don't".
    private func isLetterAlone(_ word: ReadWord, _ bytes: [UInt8]) -> Bool {
        guard word.word.utf8.count == 1 else { return false }
        let before = word.range.lowerBound > 0 ? bytes[word.range.lowerBound - 1] : 0
        return before != UInt8(ascii: "'") && before != 0x99
    }

    private mutating func readJapanese(_ text: String, _ words: [ReadWord], _ claim: ClaimWords, isFrench: Bool = false)
    {
        let finder = PhraseFinder(text: text, words: words)
        var found: Set<Int> = []
        for phrase in claim.negations { found.formUnion(finder.places(of: phrase)) }
        // "Must not go without" and "only" are no negations of what is said.
        for phrase in [
            "なければ", "なくては", "しかない", "かもしれない", "だけでなく", "必ず", "まず", "忘れず", "少なく", "はず", "かまいません", "構いません", "すみません",
        ] {
            found.subtract(finder.places(of: phrase))
        }
        places = found.sorted()
        for phrase in claim.rejections {
            for place in finder.places(of: phrase) {
                for before in words.indices[..<place].suffix(3) where words[before].clause == words[place].clause {
                    rejected.insert(before)
                }
            }
        }
    }
}
