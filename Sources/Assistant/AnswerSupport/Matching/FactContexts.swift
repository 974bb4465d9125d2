/// Compares the words around facts of a sentence with the words around places of sources.
///
/// The words around a place are compared once with all words of the sentence; each fact then weighs them by their
/// distance from it.
final class FactContexts {
    private let sentence: TextReading
    private let sources: [ComparedSource]
    /// The words of the sentence that say what a fact is about.
    private let rows: [Row]
    private let knownNumbers: [String: Int]
    /// The best word near a place for each of ``rows``, by place.
    private var near: [Int: [Float]] = [:]
    private var weights: [Int: Weights] = [:]
    /// The number of the row whose number each word of a source is; -1 for other words.
    private var numbers: [Int: [Int]] = [:]
    /// The pairs of words that were compared.
    private(set) var pairCount = 0

    private struct Row {
        let place: Int
        let weight: Float
        /// Numbers resemble only the same numbers; nil for other words.
        let number: Int?
    }

    private struct Weights {
        let each: [Float]
        let total: Float
    }

    /// Words before and behind a place that are looked at.
    private static let reach = 24
    /// Places of a fact that are looked at.
    private static let placeLimit = 24

    init(_ sentence: TextReading, _ sources: [ComparedSource]) {
        (self.sentence, self.sources) = (sentence, sources)
        var known: [String: Int] = [:]
        rows = sentence.words.enumerated().compactMap { place, word in
            let isNumber = word.weight == 0 && word.word.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard word.weight >= 0.2 || isNumber else { return nil }
            if isNumber, known[word.word] == nil { known[word.word] = known.count }
            return Row(place: place, weight: isNumber ? 0.8 : word.weight, number: isNumber ? known[word.word] : nil)
        }
        knownNumbers = known
    }

    /// Returns how well the words around the best place of the sources resemble those around a fact: 0...1.
    func context(of fact: FactPlaces, _ places: [FactPlaces.Place]) -> Float {
        let own = weights(around: fact.word)
        guard own.total > 0 else { return 0 }
        var best: Float = 0
        for place in places.prefix(Self.placeLimit) where place.weight > best {
            let strengths = strengths(near: place)
            var sum: Float = 0
            for (row, weight) in own.each.enumerated() { sum += weight * strengths[row] }
            best = max(best, (place.word < 0 ? 0.6 : 1) * place.weight * sum / own.total)
        }
        return best
    }

    private func weights(around fact: Int) -> Weights {
        if let known = weights[fact] { return known }
        let segment = sentence.words[fact].segment
        var total: Float = 0
        let each = rows.map { row -> Float in
            guard row.place != fact else { return 0 }
            let distance = Float((row.place - fact).magnitude)
            let weight = row.weight * (sentence.words[row.place].segment == segment ? 1 : 0.25) / (1 + distance / 6)
            total += weight
            return weight
        }
        let found = Weights(each: each, total: total)
        weights[fact] = found
        return found
    }

    private func strengths(near place: FactPlaces.Place) -> [Float] {
        let key = place.key
        if let known = near[key] { return known }
        let found = place.word < 0 ? whole(place.source) : around(place.word, in: place.source)
        near[key] = found
        return found
    }

    /// A message as a whole.
    private func whole(_ source: Int) -> [Float] {
        rows.map { max(sources[source].match.best[$0.place], answered($0.place, source)) }
    }

    private func around(_ word: Int, in number: Int) -> [Float] {
        let source = sources[number]
        let words = source.reading.words
        guard words.indices.contains(word) else { return rows.map { _ in 0 } }
        let own = words[word]
        let window = max(0, word - Self.reach)..<min(words.count, word + Self.reach + 1)
        pairCount += rows.count * window.count
        let shares = window.map { column -> Float in
            guard column != word else { return 0 }
            let share: Float =
                words[column].segment == own.segment ? 1 : words[column].clause == own.clause ? 0.7 : 0.45
            return share / (1 + Float((column - word).magnitude) / 8)
        }
        let given = givenNumbers(of: number)
        return source.match.withStrengths { strengths in
            rows.map { row in
                var strongest = 0.6 * answered(row.place, number)
                if let wanted = row.number {
                    for (index, column) in window.enumerated() where given[column] == wanted {
                        strongest = max(strongest, shares[index])
                    }
                } else if source.match.best[row.place] > 0 {
                    let start = row.place * source.match.count + window.lowerBound
                    for index in shares.indices { strongest = max(strongest, strengths[start + index] * shares[index]) }
                }
                return strongest
            }
        }
    }

    private func givenNumbers(of source: Int) -> [Int] {
        if let given = numbers[source] { return given }
        let given = sources[source].reading.words.map { $0.hasDigit ? knownNumbers[$0.word] ?? -1 : -1 }
        numbers[source] = given
        return given
    }

    /// Returns how well a word resembles one of the question that a message answers: the message right before it.
    private func answered(_ row: Int, _ source: Int) -> Float {
        guard source > 0, sources[source - 1].source.place + 1 == sources[source].source.place,
            sources[source - 1].reading.isQuestion, !sources[source].reading.isQuestion
        else { return 0 }
        return sources[source - 1].match.best[row]
    }
}
