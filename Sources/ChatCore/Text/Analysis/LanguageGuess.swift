/// Guesses the language of a text from its script and its function words.
///
/// Chat messages are often too short to tell ("ok, cool"); the guess is nil then, and the caller takes what the
/// conversation mostly speaks, or what is configured.
public enum LanguageGuess {
    /// Only so many UTF-8 bytes are looked at.
    static let byteLimit = 4_096

    /// Returns the language of `text`, nil when it cannot be told.
    ///
    /// French, Spanish, Italian, Portuguese and Dutch are told apart from English and German only to be called
    /// ``TextLanguage/other``, so that nobody's stemmer is used on them.
    public static func language(of text: String) -> TextLanguage? {
        let tokens = TextAnalysis.tokens(of: beginning(of: text), language: .other)
        let words = tokens.filter { $0.kind == .word }
        let letters = tokens.filter { $0.kind == .unigram }
        if letters.count > words.count { return languageOfIdeographs(letters) }
        let foreign = words.count { ($0.word.unicodeScalars.first?.value ?? 0) >= 0x370 }
        if foreign * 2 > words.count { return .other }
        return languageOfWords(words.map(\.word), hasUmlauts: hasUmlauts(text))
    }

    /// Returns the language of `text`, and `fallback` when it cannot be told.
    public static func language(of text: String, fallback: TextLanguage) -> TextLanguage {
        language(of: text) ?? fallback
    }

    /// Returns the most frequent of several guesses, nil when there is none; of equals, the first in the order of the cases.
    public static func dominant(of guesses: some Sequence<TextLanguage?>) -> TextLanguage? {
        var counts: [TextLanguage: Int] = [:]
        for case .some(let guess) in guesses { counts[guess, default: 0] += 1 }
        let most = counts.values.max()
        return TextLanguage.allCases.first { counts[$0] != nil && counts[$0] == most }
    }

    private static func beginning(of text: String) -> String {
        text.utf8.count <= byteLimit ? text : String(text.part(utf8: 0..<byteLimit))
    }

    /// Kana makes it Japanese; Han or Hangul alone is none of ours.
    private static func languageOfIdeographs(_ letters: [TextToken]) -> TextLanguage {
        let kana = letters.count { letter in
            letter.word.unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) }
        }
        return kana * 5 >= letters.count ? .japanese : .other
    }

    private static func languageOfWords(_ words: [String], hasUmlauts: Bool) -> TextLanguage? {
        var scores = lists.map { _ in 0 }
        // A word counts once, or "no no no" would be Spanish.
        for word in Set(words) {
            for place in membership[word] ?? [] { scores[place] += 1 }
        }
        if hasUmlauts, let place = lists.firstIndex(where: { $0.language == .german }) { scores[place] += 1 }
        guard let best = scores.max(), best >= 2, best * 8 >= words.count else { return nil }
        let leaders = lists.indices.filter { scores[$0] == best }
        return leaders.count == 1 ? lists[leaders[0]].language : nil
    }

    private static func hasUmlauts(_ text: String) -> Bool {
        text.unicodeScalars.prefix(byteLimit).contains { scalar in
            !scalar.isASCII && "äöüßÄÖÜ".unicodeScalars.contains(scalar)
        }
    }

    private static let lists: [(language: TextLanguage, words: Set<String>)] = [
        (.english, StopWords.english.subtracting(["d", "m", "o", "s", "t", "y", "re", "ma", "so"]).union(["may"])),
        (.german, StopWords.german.subtracting(["so", "an", "man", "um"])),
        (
            .other,
            words("le la les des du un une et est sont dans pour que qui pas sur avec vous nous je il elle ce au")
        ),
        (.other, words("el la los las un una es son en para que no con por se lo del al como mas pero si yo su muy")),
        (.other, words("il lo la gli le un una che di non per con sono del della si mi ma anche come questo piu ho")),
        (.other, words("os as um uma que de do da em para nao com por se mais mas eu ele ela foi isso voce")),
        (.other, words("de het een en van is dat niet op te zijn voor met ik je maar aan ook er bij naar heeft wat")),
    ]

    /// The places in ``lists`` of each word.
    private static let membership: [String: [Int]] = {
        var membership: [String: [Int]] = [:]
        for (place, list) in lists.enumerated() {
            for word in list.words { membership[word, default: []].append(place) }
        }
        return membership
    }()

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(separator: " ").map(String.init))
    }
}
