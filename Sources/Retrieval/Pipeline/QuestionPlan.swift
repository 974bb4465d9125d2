package import ChatCore
package import TextAnalysis

/// What a question looks for.
package struct QuestionPlan: Sendable {
    /// The question as it stands alone.
    package var standalone = ""
    /// What is embedded.
    package var embedded = ""
    /// What the lexical index is asked for.
    package var terms: [String] = []
    /// Whose messages are meant.
    package var speakers: Set<UserID> = []
    /// Where they take part.
    package var company: Set<ConversationNumber> = []
    /// What kind of answer is wanted.
    package var wanted: WantedAnswer = []
    /// The times that are named.
    package var times: [Range<Timestamp>] = []
    /// Of these, the single days.
    package var days: [Range<Timestamp>] = []
    /// The zone in which they are meant.
    package var zone = "UTC"
    /// The conversations that are named.
    package var conversations: Set<ConversationID> = []
    /// The words of each quoted phrase, folded.
    package var phrases: [[String]] = []
    /// The question's language.
    package var language = TextLanguage.english
    /// Whether words of earlier questions were added.
    package var isCarriedOver = false

    package init() {}

    /// Reads the cues of a question.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - request: What it is asked with.
    ///   - people: Everybody who may be named.
    ///   - names: Their names; nil for those to be collected here.
    ///   - conversations: Where it is asked; nothing tells them apart when there is but one.
    ///   - languages: Those that messages in scope are indexed under.
    ///   - isOrdinaryWord: Whether a folded word is usual in those messages other than as a name.
    ///   - settings: Which cues count.
    ///   - moment: The present time.
    package init(
        _ question: String, of request: SearchRequest, people: [Person], names: NameIndex? = nil,
        conversations: some Collection<PermittedConversation>, languages: [TextLanguage],
        isOrdinaryWord: (String) -> Bool = { _ in false }, settings: RetrievalSettings, at moment: Timestamp
    ) {
        let index = names ?? NameIndex(people.map(Participant.init))
        standalone = question
        if settings.carriesOver, !request.previousQuestions.isEmpty {
            let carried = FollowUp.standalone(question, after: request.previousQuestions, names: index)
            (standalone, isCarriedOver) = (carried.text, !carried.added.isEmpty)
        }
        language = LanguageGuess.language(of: standalone) ?? languages.first ?? .english
        let read = QuestionCues(
            reading: standalone, names: index,
            conversations: ConversationNames(conversations.map { ($0.id, $0.displayName) }),
            askedAt: request.askedAt ?? moment, zone: request.timeZone ?? "UTC", isOrdinaryWord: isOrdinaryWord)
        zone = request.timeZone ?? "UTC"
        times = read.dates.map { $0.start..<$0.end }
        days = read.dates.filter { $0.unit == .day }.map { $0.start..<$0.end }
        self.conversations = Set(read.conversations.flatMap(\.conversations))
        phrases = read.phrases.map { TextAnalyzer.tokens(of: $0.text, language: .other).map(\.word) }
        let cues = read.people
        speakers = Set(cues.mentions.flatMap(\.people))
        if cues.namesAsker { speakers.insert(request.scope.asker) }
        company = people.filter { speakers.contains($0.userID) }.reduce(into: []) { $0.formUnion($1.conversations) }
        wanted = WantedAnswer(standalone)
        embedded = settings.dense.dropsNames ? cues.textWithoutNames : standalone
        terms = TextAnalyzer.terms(
            of: standalone, languages: languages + [.other], keeping: read.namedRanges
        ).map(\.term)
        // Whoever is called by another name is found by the one that messages bear.
        let called = cues.mentions.filter { $0.kind == .nickname || $0.kind == .alias }.flatMap(\.people)
        let names = people.filter { called.contains($0.userID) }.flatMap(\.names)
        for term in names.flatMap({ TextAnalyzer.terms(of: $0, language: .other) }) where !terms.contains(term) {
            terms.append(term)
        }
    }
}

extension Participant {
    /// The person as names in questions mean it.
    init(_ person: Person) {
        // Of several names the longest says most, and its parts count too.
        let shown = person.names.max { $0.count < $1.count } ?? person.userID.rawValue
        self.init(
            id: person.userID, displayName: shown, aliases: person.names.filter { $0 != shown } + person.aliases)
    }
}

extension QuestionPlan {
    /// Returns how many of the quoted phrases stand in a text, word for word.
    func phraseCount(in text: String) -> Int {
        guard !phrases.isEmpty else { return 0 }
        let words = TextAnalyzer.tokens(of: text, language: .other).map(\.word)
        return phrases.count { phrase in
            guard let first = phrase.first, phrase.count <= words.count else { return false }
            return words.indices.contains { start in
                words[start] == first && words[start...].starts(with: phrase)
            }
        }
    }

    /// Whether candidates are compared with the question by their texts.
    var looksAtTexts: Bool { !phrases.isEmpty || !days.isEmpty }

    /// Returns whether a text names one of the days in numbers: "14.9.", "Sept 14th", "2026-09-14".
    package func namesDay(in text: String) -> Bool {
        guard !days.isEmpty, text.utf8.contains(where: Self.isDigit) else { return false }
        return days.contains { day in
            // Asked on that day, a date without a year is that of its year.
            let asked = Timestamp(microseconds: day.upperBound.microseconds - 1)
            let dates = DateExpressions.find(in: text, askedAt: asked, zone: zone)
            return dates.contains { date in
                date.unit == .day && date.start == day.lowerBound
                    && text.part(utf8: date.range).utf8.contains(where: Self.isDigit)
            } || namesShortly(asked, in: text)
        }
    }

    /// Returns whether a text names a day as "14.9.", which in a question may be any number and in a list is a date.
    private func namesShortly(_ moment: Timestamp, in text: String) -> Bool {
        guard let number = DayClock(zone: zone).day(of: moment) else { return false }
        let date = Timestamp.civilDate(dayNumber: number)
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        return zip(tokens, tokens.dropFirst()).contains { day, month in
            Int64(day.word) == date.day && Int64(month.word) == date.month
                && text.part(utf8: day.range.upperBound..<month.range.lowerBound) == "."
                && text.utf8.dropFirst(month.range.upperBound).first == UInt8(ascii: ".")
                && text.utf8.dropFirst(month.range.upperBound + 1).first.map(Self.isDigit) != true
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
