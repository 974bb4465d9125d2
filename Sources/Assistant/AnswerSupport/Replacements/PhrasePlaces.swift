import ChatCore
import TextAnalysis

/// Finds phrases among the words of a sentence.
struct PhrasePlaces {
    private let reading: TextReading
    private let places: Range<Int>
    private let range: Range<Int>
    private let bytes: [UInt8]

    init(_ reading: TextReading, _ places: Range<Int>, _ range: Range<Int>) {
        (self.reading, self.places, self.range) = (reading, places, range)
        bytes = reading.language == .japanese ? Array(reading.text.utf8) : []
    }

    /// Returns the words of each phrase of a list that is in the sentence.
    func of(_ phrases: Set<String>) -> [Range<Int>] {
        guard !phrases.isEmpty else { return [] }
        return reading.language == .japanese ? written(phrases) : spaced(phrases)
    }

    /// As ``of(_:)`` without parts of hyphenated words: "keyboard-moves".
    func alone(_ phrases: Set<String>) -> [Range<Int>] {
        let found = of(phrases)
        guard reading.language != .japanese else { return found }
        return found.filter { !isHyphen(before: $0.lowerBound) && !isHyphen(before: $0.upperBound) }
    }

    private func isHyphen(before place: Int) -> Bool {
        guard place > places.lowerBound, place < places.upperBound else { return false }
        let (end, start) = (reading.words[place - 1].range.upperBound, reading.words[place].range.lowerBound)
        return start == end + 1 && reading.text.part(utf8: end..<start) == "-"
    }

    private func spaced(_ phrases: Set<String>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for place in places {
            var phrase = ""
            for next in place..<min(place + ChangeWords.phraseLength, places.upperBound) {
                if next > place { phrase += " " }
                phrase += reading.words[next].word
                if phrases.contains(phrase) { found.append(place..<next + 1) }
            }
        }
        return found
    }

    /// Whether one of the phrases of a list is at the beginning of the sentence.
    func begins(with phrases: Set<String>) -> Bool {
        guard reading.language != .japanese else {
            let text = reading.text.part(utf8: range).drop(while: \.isWhitespace)
            return phrases.contains { text.hasPrefix($0) }
        }
        return of(phrases).contains { $0.lowerBound == places.lowerBound }
    }

    private func written(_ phrases: Set<String>) -> [Range<Int>] {
        phrases.flatMap { phrase in
            let wanted = Array(phrase.utf8)
            var found: [Range<Int>] = []
            guard let first = wanted.first, range.count >= wanted.count else { return found }
            for start in range.lowerBound...(range.upperBound - wanted.count) where bytes[start] == first {
                guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { continue }
                let from = places.first { reading.words[$0].range.upperBound > start } ?? places.upperBound
                let to = places.first { reading.words[$0].range.lowerBound >= start + wanted.count }
                found.append(from..<max(from, to ?? places.upperBound))
            }
            return found
        }
    }

    /// Whether one phrase is at most eight words before another.
    func has(_ first: String, before second: String) -> Bool {
        let firsts = of([first])
        guard !firsts.isEmpty else { return false }
        return of([second]).contains { later in
            firsts.contains { $0.upperBound <= later.lowerBound && later.lowerBound - $0.upperBound < 8 }
        }
    }
}
