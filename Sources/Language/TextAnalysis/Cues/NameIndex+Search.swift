package import ChatCore

extension NameIndex {
    /// Returns the names of people in `question`, and the question without them.
    ///
    /// At each place the longest name counts, of equally long ones the most certain kind. An ambiguous first name
    /// returns all people with that name; a nickname counts only if just one person can be meant.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - excluding: Parts that are not names, such as dates ("in May"), in UTF-8 bytes.
    ///   - isOrdinaryWord: Whether a folded word is common in the texts other than as a name, apart from the names that
    ///     ``Language`` lists as words.
    /// - Returns: The mentions in order, without overlap.
    package func cues(
        in question: String, excluding: [Range<Int>] = [],
        isOrdinaryWord: (String) -> Bool = { _ in false }
    ) -> PeopleCues {
        let reader = NameReader(question: question, excluding: excluding)
        var mentions: [PersonMention] = []
        var place = 0
        while place < reader.tokens.count {
            guard let found = longest(at: place, in: reader, isOrdinaryWord: isOrdinaryWord) else {
                place += 1
                continue
            }
            mentions.append(
                PersonMention(
                    people: Set(found.people.map { ids[$0] }).sorted(), kind: found.kind,
                    range: reader.range(of: place..<(place + found.count))))
            place += found.count
        }
        return PeopleCues(
            mentions: mentions, namesAsker: reader.words.nameAsker(in: reader.tokens.map(\.word)),
            textWithoutNames: question.removing(mentions.map(\.range)))
    }

    /// Returns those whose name, or a part of it, is a folded word, or begins with it and nobody else's does.
    package func people(called word: String) -> [UserID] {
        var people = Set((entries[word] ?? []).filter { $0.tokens.count == 1 }.map(\.person))
        if case .one(let person) = prefixes[word] { people.insert(person) }
        return people.map { ids[$0] }.sorted()
    }

    private struct Match {
        let kind: PersonMention.Kind
        let count: Int
        let people: [Int]
    }

    private func longest(at place: Int, in reader: NameReader, isOrdinaryWord: (String) -> Bool) -> Match? {
        let token = reader.tokens[place]
        guard !reader.isExcluded(place) else { return nil }
        let isHandle = reader.followsAt(place)
        if isHandle, let handle = handle(at: place, in: reader) { return handle }
        let isMarked = isHandle || reader.isMarked(place)
        if let match = written(token.word, at: place, in: reader, isMarked: isMarked, isOrdinaryWord) {
            return isHandle ? Match(kind: .mention, count: match.count, people: match.people) : match
        }
        if let genitive = germanGenitive(at: place, in: reader) { return genitive }
        return nickname(at: place, in: reader, isHandle: isHandle, isOrdinaryWord)
    }

    /// The id of a person after "@".
    private func handle(at place: Int, in reader: NameReader) -> Match? {
        let (text, count) = reader.run(from: place)
        guard let people = handles[text.lowercased()] else { return nil }
        return Match(kind: .mention, count: count, people: people)
    }

    /// A name that begins with the token as it is written.
    private func written(
        _ first: String, at place: Int, in reader: NameReader, isMarked: Bool, _ isOrdinaryWord: (String) -> Bool
    ) -> Match? {
        let fitting = (entries[first] ?? []).filter { entry in
            guard reader.stands(entry.tokens, at: place) else { return false }
            if entry.tokens.count > 1 || isMarked { return true }
            let isLong = first.count >= (entry.kind == .fullName ? 2 : 3)
            return isLong && !reader.words.isWord(first) && !isOrdinaryWord(first)
        }
        guard let count = fitting.map(\.tokens.count).max() else { return nil }
        let best = fitting.filter { $0.tokens.count == count }
        guard let kind = best.map(\.kind).min() else { return nil }
        return Match(kind: kind, count: count, people: best.map(\.person))
    }

    /// "Adas Vorschlag": the genitive that German writes without an apostrophe.
    private func germanGenitive(at place: Int, in reader: NameReader) -> Match? {
        let word = reader.tokens[place].word
        guard reader.tokens[place].isCapitalised, word.count >= 4,
            let ending = reader.words.genitives.first(where: word.hasSuffix)
        else { return nil }
        let people = (entries[String(word.dropLast(ending.count))] ?? []).filter { $0.tokens.count == 1 }.map(\.person)
        return people.isEmpty ? nil : Match(kind: .part, count: 1, people: people)
    }

    private func nickname(
        at place: Int, in reader: NameReader, isHandle: Bool, _ isOrdinaryWord: (String) -> Bool
    ) -> Match? {
        let token = reader.tokens[place]
        if token.isIdeograph {
            guard place + 1 < reader.tokens.count, reader.tokens[place + 1].isIdeograph,
                case .one(let person) = prefixes[token.word + reader.tokens[place + 1].word]
            else { return nil }
            return Match(kind: .nickname, count: 2, people: [person])
        }
        guard case .one(let person) = prefixes[token.word] else { return nil }
        let isOrdinary =
            reader.words.isWord(token.word) || reader.words.isMonth(token.word) || isOrdinaryWord(token.word)
        guard isHandle || (!isOrdinary && (reader.isMarked(place) || reader.isAddressed(place))) else { return nil }
        return Match(kind: isHandle ? .mention : .nickname, count: 1, people: [person])
    }
}

/// The tokens of a question and the text around them.
struct NameReader {
    let tokens: [NameToken]
    let words: NameReaderWords
    private let bytes: [UInt8]
    private let excluding: [Range<Int>]
    private let hasCapitals: Bool

    init(question: String, excluding: [Range<Int>]) {
        tokens = NameToken.all(in: question)
        words = NameReaderWords(LanguageGuess.readable(in: question))
        bytes = Array(question.utf8)
        self.excluding = excluding
        // In a question in capitals, or with a capital at every word, capitals mean nothing.
        hasCapitals =
            question.unicodeScalars.contains { $0.properties.isLowercase }
            && (tokens.count <= 3 || tokens.contains { !$0.isCapitalised })
    }

    func isExcluded(_ place: Int) -> Bool {
        excluding.contains { $0.overlaps(tokens[place].range) }
    }

    func followsAt(_ place: Int) -> Bool {
        follows("@", place)
    }

    func follows(_ sign: Unicode.Scalar, _ place: Int) -> Bool {
        let start = tokens[place].range.lowerBound
        return start > 0 && bytes[start - 1] == UInt8(ascii: sign)
    }

    /// Whether the writing marks the token as a name: a capital that is not the first of a sentence.
    func isMarked(_ place: Int) -> Bool {
        guard hasCapitals, tokens[place].isCapitalised, place > 0 else { return false }
        let between = bytes[tokens[place - 1].range.upperBound..<tokens[place].range.lowerBound]
        return !between.contains { ".!?:\n".utf8.contains($0) }
    }

    /// Whether a capitalised token at the start of a sentence is followed by a comma or a possessive: "Mel's plan".
    func isAddressed(_ place: Int) -> Bool {
        let rest = bytes[tokens[place].range.upperBound...]
        return hasCapitals && tokens[place].isCapitalised
            && ([","] + Self.possessives).contains { rest.starts(with: $0.utf8) }
    }

    /// Whether these words are here with only signs or one blank between them.
    func stands(_ words: [String], at place: Int) -> Bool {
        guard place + words.count <= tokens.count else { return false }
        for offset in words.indices {
            guard tokens[place + offset].word == words[offset] else { return false }
            guard offset > 0 else { continue }
            let gap = tokens[place + offset - 1].range.upperBound..<tokens[place + offset].range.lowerBound
            if gap.count > 3 { return false }
        }
        return true
    }

    /// Returns the run without blanks from a token on, as ids are written, and how many tokens it covers.
    func run(from place: Int) -> (text: String, count: Int) {
        let start = tokens[place].range.lowerBound
        let rest = bytes[start...].prefix(UserID.byteLimit)
        var end = rest.firstIndex { $0 <= 0x20 || "@<>()[]{},;?!\"".utf8.contains($0) } ?? rest.endIndex
        while end > start, ".:'".utf8.contains(bytes[end - 1]) { end -= 1 }
        let count = tokens[place...].prefix { $0.range.lowerBound < end }.count
        return (String(decoding: bytes[start..<end], as: UTF8.self), max(count, 1))
    }

    /// Returns the place of some tokens with "@" before and a possessive or honorific after them.
    func range(of places: Range<Int>) -> Range<Int> {
        let start = tokens[places.lowerBound].range.lowerBound - (followsAt(places.lowerBound) ? 1 : 0)
        var end = tokens[places.upperBound - 1].range.upperBound
        for suffix in Self.suffixes where bytes[end...].starts(with: suffix.utf8) {
            let next = end + suffix.utf8.count
            // The letter after the apostrophe must be a separate token.
            if suffix.utf8.count > 1, places.upperBound < tokens.count,
                tokens[places.upperBound].range.lowerBound < next,
                tokens[places.upperBound].range.upperBound > next, !tokens[places.upperBound].isIdeograph
            {
                continue
            }
            end = next
            break
        }
        return start..<end
    }

    private static let possessives = Language.all.flatMap(\.names.possessives)
    private static let suffixes =
        possessives + possessives.map { $0.uppercased() } + ["'", "’"] + Language.all.flatMap(\.names.honorifics)
}

extension String {
    /// Returns the text without some parts and the blanks that they leave; the text itself when no word would be left.
    func removing(_ ranges: [Range<Int>]) -> String {
        guard !ranges.isEmpty else { return self }
        var kept = ""
        var start = 0
        for range in ranges {
            kept += part(utf8: start..<range.lowerBound)
            kept += " "
            start = range.upperBound
        }
        kept += part(utf8: start..<utf8.count)
        guard !TextAnalyzer.tokens(of: kept, language: .other).isEmpty else { return self }
        let words = kept.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.replacing(" ?", with: "?").replacing(" ,", with: ",")
    }
}

/// The words around names in the languages of a question.
struct NameReaderWords {
    let channels: Set<String>
    let genitives: Set<String>
    private let languages: [TextLanguage]
    private let ordinary: Set<String>
    private let months: [DateWords]
    private let asker: Set<String>
    private let askerObjects: Set<String>
    private let requests: Set<String>
    private let requestLeads: Set<String>

    init(_ languages: [TextLanguage]) {
        self.languages = languages
        let all = languages.map(Language.of)
        channels = Language.words(languages) { $0.questions.channels }
        genitives = Set(all.compactMap(\.names.genitive))
        ordinary = Language.words(languages) { $0.names.ordinary }
        months = all.map(\.dates)
        asker = Language.words(languages) { $0.questions.asker }
        askerObjects = Language.words(languages) { $0.questions.askerObjects }
        requests = Language.words(languages) { $0.questions.requests }
        requestLeads = Language.words(languages) { $0.questions.requestLeads }
    }

    /// Whether a folded word is a stop word, or a name that is a word, too.
    func isWord(_ word: String) -> Bool {
        ordinary.contains(word) || languages.contains { StopWords.contains(word, language: $0) }
    }

    /// Whether a folded word names a month.
    func isMonth(_ word: String) -> Bool { months.contains { $0.month(word) != nil } }

    /// Returns whether the words of a question speak of the asker.
    func nameAsker(in tokens: [String]) -> Bool {
        for (place, word) in tokens.enumerated() {
            if asker.contains(word) { return true }
            guard askerObjects.contains(word) else { continue }
            let isRequest =
                place > 0 && requests.contains(tokens[place - 1])
                && (place == 1 || requestLeads.contains(tokens[place - 2]))
            if !isRequest { return true }
        }
        return false
    }
}
