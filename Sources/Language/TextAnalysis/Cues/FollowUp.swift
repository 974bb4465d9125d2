import ChatCore

/// A question that was completed, without a model, so that it can be understood alone.
package struct StandaloneQuestion: Equatable, Sendable {
    /// The question, followed by a blank and the added words.
    package let text: String
    /// Names and words taken from earlier questions, names first.
    package let added: [String]
}

/// Adds names and rare words of earlier questions to a question that depends on them.
///
/// A question depends on others if it has a pronoun ("Where does she live?") or fewer than 4 content words ("And in
/// Berlin?").
package enum FollowUp {
    /// Only this many earlier questions are read.
    static let questionLimit = 3
    /// At most this many words are added.
    static let wordLimit = 6
    /// Only this many UTF-8 bytes of a question are read.
    static let byteLimit = 2_048

    /// Adds the words that a question leaves out.
    ///
    /// Names are added if the question names nobody or has a pronoun for a person; other words are always added. Words
    /// that were added to an earlier question count as part of it.
    ///
    /// - Parameters:
    ///   - question: The new question.
    ///   - previous: The earlier questions of this conversation, oldest first.
    ///   - names: The people that questions may name.
    ///   - isRare: Whether a folded word of a question distinguishes messages; called for content words only.
    /// - Returns: The question itself if it can be understood alone or is the first one.
    package static func standalone(
        _ question: String, after previous: [String], names: NameIndex, isRare: (String) -> Bool = { _ in true }
    ) -> StandaloneQuestion {
        var context: StandaloneQuestion?
        for earlier in previous.suffix(questionLimit) {
            context = complete(earlier, from: context?.text, names: names, isRare: isRare)
        }
        return complete(question, from: context?.text, names: names, isRare: isRare)
    }

    private static func complete(
        _ question: String, from context: String?, names: NameIndex, isRare: (String) -> Bool
    ) -> StandaloneQuestion {
        let reading = FollowUpReading(question, names: names)
        guard let context, reading.leans else { return StandaloneQuestion(text: question, added: []) }
        let earlier = FollowUpReading(context, names: names)
        var added: [String] = []
        if reading.carriesNames { added += earlier.names.filter { !reading.holds($0) } }
        added += earlier.words.filter { isRare($0.word) && !reading.holds($0.text) }.prefix(wordLimit).map(\.text)
        var seen: Set<String> = []
        added = added.filter { seen.insert($0.lowercased()).inserted }
        let text = added.isEmpty ? question : "\(question) \(added.joined(separator: " "))"
        return StandaloneQuestion(text: text, added: added)
    }
}

/// The analysis of a single question.
private struct FollowUpReading {
    let names: [String]
    let words: [(word: String, text: String)]
    private let folded: Set<String>
    private let hasPronoun: Bool
    private let hasPersonalPronoun: Bool

    init(_ text: String, names index: NameIndex) {
        let question = String(text.part(utf8: 0..<FollowUp.byteLimit))
        let tokens = TextAnalyzer.tokens(of: question, language: .other)
        let cues = index.cues(in: question)
        let languages = LanguageGuess.likely(in: question)
        let content = tokens.filter { token in
            !TextAnalyzer.isStop(token, languages: languages)
                && !cues.mentions.contains { $0.range.overlaps(token.range) }
        }
        // For ideographs only the pairs are words.
        words = content.filter { $0.kind != .unigram }.map { ($0.word, String(question.part(utf8: $0.range))) }
        names = cues.mentions.map { mention in
            let text = question.part(utf8: mention.range)
            return text.drop { $0 == "@" }.split(separator: "'").first.map(String.init) ?? String(text)
        }
        folded = Set(tokens.map(\.word))
        func holds(_ tokens: some Sequence<TextToken>, _ list: (PronounWords) -> Set<String>) -> Bool {
            let words = Language.words(languages) { list($0.pronouns) }
            return tokens.contains { words.contains($0.word) }
        }
        hasPersonalPronoun = holds(tokens, \.personal)
        hasPronoun =
            hasPersonalPronoun || holds(tokens, \.things) || holds(tokens, \.impersonal)
            || holds(tokens.suffix(1), \.demonstratives) || holds(tokens.suffix(1), \.articles)
    }

    var leans: Bool { hasPronoun || words.count + names.count < 4 }

    var carriesNames: Bool { names.isEmpty || hasPersonalPronoun }

    /// Whether all words of a text are in the question.
    func holds(_ text: String) -> Bool {
        TextAnalyzer.tokens(of: text, language: .other).allSatisfy { folded.contains($0.word) }
    }
}
