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
