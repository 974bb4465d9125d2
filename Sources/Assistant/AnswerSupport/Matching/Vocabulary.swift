/// The different words of the sources of one answer: what they resemble is computed once for each, not at each place.
struct Vocabulary {
    private(set) var words: [ReadWord] = []
    /// The sides of each word, see ``TextReading/sides``.
    private(set) var sides: [[Int]] = []
    /// The number of each word of each source.
    private(set) var numbers: [[Int]] = []
    /// The sources that have each word.
    private(set) var owners: [[Int]] = []
    private var byWord: [String: [Int]] = [:]
    private var byStem: [String: [Int]] = [:]
    private var byEnds: [Ends: [Int]] = [:]
    private var byScalar: [Unicode.Scalar: [Int]] = [:]

    private struct Key: Hashable {
        let word: String
        let stem: String
        let sides: [Int]
    }

    /// The first or last two bytes of a word: words without common ones do not resemble each other.
    private struct Ends: Hashable {
        let first: UInt8
        let second: UInt8
        let isStart: Bool
    }

    init(_ sources: [ReadSource]) {
        var known: [Key: Int] = [:]
        for (place, source) in sources.enumerated() {
            numbers.append(
                source.reading.words.enumerated().map { column, word in
                    let own = source.reading.sides[column] ?? []
                    let key = Key(word: word.word, stem: word.stem, sides: own)
                    if let number = known[key] { return number }
                    known[key] = words.count
                    add(word, own)
                    return words.count - 1
                })
            for number in Set(numbers[place]) { owners[number].append(place) }
        }
    }

    private mutating func add(_ word: ReadWord, _ own: [Int]) {
        let number = words.count
        words.append(word)
        sides.append(own)
        owners.append([])
        byWord[word.word, default: []].append(number)
        byStem[word.stem, default: []].append(number)
        for scalar in Set(word.scalars) { byScalar[scalar, default: []].append(number) }
        for ends in Self.ends(of: word) { byEnds[ends, default: []].append(number) }
    }

    private static func ends(of word: ReadWord) -> [Ends] {
        let letters = word.letters
        guard letters.count >= 3, !word.hasDigit else { return [] }
        return [
            Ends(first: letters[0], second: letters[1], isStart: true),
            Ends(first: letters[letters.count - 2], second: letters[letters.count - 1], isStart: false),
        ]
    }

    /// How alike a word is to one of the vocabulary.
    struct Likeness {
        let number: Int
        let value: Float
    }

    /// Returns the words that a word resembles as it is written, in order.
    ///
    /// - Complexity: O(*k*) in the words that have a beginning, an end or a sign in common with it.
    func likeness(of word: ReadWord) -> [Likeness] {
        var candidates = byWord[word.word] ?? []
        candidates += byStem[word.stem] ?? []
        for scalar in Set(word.scalars) { candidates += byScalar[scalar] ?? [] }
        for ends in Self.ends(of: word) { candidates += byEnds[ends] ?? [] }
        candidates.sort()
        var found: [Likeness] = []
        for (place, number) in candidates.enumerated() where place == 0 || candidates[place - 1] != number {
            let value = WordLikeness.of(word, words[number])
            if value > 0 { found.append(Likeness(number: number, value: value)) }
        }
        return found
    }
}

/// The words of one sentence beside a vocabulary.
struct SentenceLikeness {
    /// For each word of the sentence the words that it resembles as it is written.
    let written: [[Vocabulary.Likeness]]
    /// The same with the other words of one side of a pair of opposites; empty for words without weight.
    let weighed: [[Vocabulary.Likeness]]

    init(_ sentence: TextReading, _ vocabulary: Vocabulary) {
        var known: [String: [Vocabulary.Likeness]] = [:]
        let written = sentence.words.map { word in
            let key = word.word == word.stem ? word.word : "\(word.word) \(word.stem)"
            if let found = known[key] { return found }
            let found = vocabulary.likeness(of: word)
            known[key] = found
            return found
        }
        let sided = vocabulary.sides.indices.filter { !vocabulary.sides[$0].isEmpty }
        self.written = written
        weighed = sentence.words.indices.map { row in
            guard sentence.words[row].weight > 0 else { return [] }
            guard let sides = sentence.sides[row] else { return written[row] }
            return Self.adding(written[row], sided.filter { vocabulary.sides[$0].contains(where: sides.contains) })
        }
    }

    /// Words of one side are near enough: "running" and "on".
    private static func adding(_ found: [Vocabulary.Likeness], _ near: [Int]) -> [Vocabulary.Likeness] {
        var values = Dictionary(found.map { ($0.number, $0.value) }, uniquingKeysWith: max)
        for number in near { values[number] = max(values[number] ?? 0, 0.8) }
        return values.map { Vocabulary.Likeness(number: $0.key, value: $0.value) }.sorted { $0.number < $1.number }
    }

    /// Returns the places of words of a source that a word resembles as it is written.
    func places(like row: Int, atLeast least: Float, in numbers: [Int]) -> [Int] {
        let wanted = Set(written[row].lazy.filter { $0.value >= least }.map(\.number))
        return wanted.isEmpty ? [] : numbers.indices.filter { wanted.contains(numbers[$0]) }
    }
}
