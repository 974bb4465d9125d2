package import ChatCore

/// The cues in a question beside its content: people, times, conversations, and quoted phrases.
package struct QuestionCues: Equatable, Sendable {
    /// The named people, and the text to embed.
    package let people: PeopleCues
    /// The dates, which only ever boost.
    package let dates: [DateExpression]
    /// The conversations named.
    package let conversations: [ConversationMention]
    /// The quoted phrases.
    package let phrases: [QuotedPhrase]

    /// Reads a question; dates are found first, so that "in May" does not name May.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - names: The people in scope.
    ///   - conversations: The conversations in scope.
    ///   - moment: When it is asked.
    ///   - zone: The IANA name of the asker's zone.
    ///   - isOrdinaryWord: Whether a folded word is usual in the texts at hand other than as a name.
    package init(
        reading question: String, names: NameIndex, conversations: ConversationNames, askedAt moment: Timestamp,
        zone: String, isOrdinaryWord: (String) -> Bool = { _ in false }
    ) {
        dates = DateExpressions.find(in: question, askedAt: moment, zone: zone)
        people = names.cues(in: question, excluding: dates.map(\.range), isOrdinaryWord: isOrdinaryWord)
        self.conversations = conversations.mentions(in: question, isOrdinaryWord: isOrdinaryWord)
        phrases = QuotedPhrases.find(in: question)
    }

    /// The parts of the question without stop words, for ``TextAnalyzer/terms(of:languages:keeping:)``.
    package var namedRanges: [Range<Int>] {
        people.mentions.map(\.range) + conversations.map(\.range) + phrases.map(\.range)
    }
}
