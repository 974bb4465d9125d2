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
