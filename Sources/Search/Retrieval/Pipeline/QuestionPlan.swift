package import ChatCore
package import TextAnalysis

/// What a question looks for.
package struct QuestionPlan: Sendable {
    /// The question in a form that needs no earlier questions.
    package var standalone = ""
    /// The text that is embedded.
    package var embedded = ""
    /// The terms for the lexical index.
    package var terms: [String] = []
    /// The people whose messages are meant.
    package var speakers: Set<UserID> = []
    /// The people who are named, without the asker who says "I".
    var named: Set<UserID> = []
    /// Their names.
    var namesOfNamed = NameIndex([])
    /// The conversations that the speakers are in.
    package var company: Set<ConversationNumber> = []
    /// The kind of answer that is wanted.
    package var wanted: WantedAnswer = []
    /// The times that are named.
    package var times: [Range<Timestamp>] = []
    /// The single days among them.
    package var days: [Range<Timestamp>] = []
    /// The time zone of the times.
    package var zone = "UTC"
    /// The conversations that are named.
    package var conversations: Set<ConversationID> = []
    /// The words of each quoted phrase, folded.
    package var phrases: [[String]] = []
    /// The words in it that signs join (`pump-log`), apart from people, conversations and dates.
    package var joined: [JoinedWord] = []
    /// The part of the question that those make, in 0...1; 1 if one of them can only be a name.
    package var joinedShare = 0.0
    /// The question's language.
    package var language = TextLanguage.english
    /// Whether words of earlier questions were added.
    package var isCarriedOver = false

    package init() {}

    /// Reads the cues of a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - request: The request of the question.
    ///   - people: All people who may be named.
    ///   - names: Their names; nil to collect them here.
    ///   - conversations: The conversations whose names count; empty when there is only one.
    ///   - languages: The languages that messages in scope are indexed under.
    ///   - isOrdinaryWord: Whether a folded word is common in those messages, not only as a name.
    ///   - settings: The cues that count.
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
        self.named = speakers
        if !speakers.isEmpty {
            namesOfNamed = NameIndex(people.filter { speakers.contains($0.userID) }.map(Participant.init))
        }
        if cues.namesAsker { speakers.insert(request.scope.asker) }
        company = people.filter { speakers.contains($0.userID) }.reduce(into: []) { $0.formUnion($1.conversations) }
        wanted = WantedAnswer(standalone)
        embedded = settings.dense.dropsNames ? cues.textWithoutNames : standalone
        let content = TextAnalyzer.terms(
            of: standalone, languages: languages + [.other], keeping: read.namedRanges)
        terms = content.map(\.term)
        let named = cues.mentions.map(\.range) + read.conversations.map(\.range) + read.dates.map(\.range)
        readJoinedWords(beside: content, excluding: named)
        // A person who is called by another name is found by the name that their messages show.
        let called = cues.mentions.filter { $0.kind == .nickname || $0.kind == .alias }.flatMap(\.people)
        let names = people.filter { called.contains($0.userID) }.flatMap(\.names)
        for term in names.flatMap({ TextAnalyzer.terms(of: $0, language: .other) }) where !terms.contains(term) {
            terms.append(term)
        }
    }

    /// Reads the joined words of the question; a name counts whole, an ordinary word by its share of the question.
    private mutating func readJoinedWords(beside content: [QuestionTerm], excluding named: [Range<Int>]) {
        joined = JoinedWord.find(in: standalone, tokens: TextAnalyzer.tokens(of: standalone, language: .other))
            .filter { word in !named.contains { $0.overlaps(word.range) } }
        let whole = joined.filter { word in !joined.contains { $0 != word && $0.range.overlaps(word.range) } }.count
        let others = Set(content.map(\.range).filter { range in !joined.contains { $0.range.overlaps(range) } }).count
        // bounded: counts of words
        joinedShare = joined.contains(where: \.isName) ? 1 : Double(whole) / Double(max(1, whole + others))
    }
}

extension Participant {
    /// Makes a participant of a person, for names in questions.
    init(_ person: Person) {
        // The longest of several names is the most specific, and its parts count too.
        let shown = person.names.max { $0.count < $1.count } ?? person.userID.rawValue
        self.init(
            id: person.userID, displayName: shown, aliases: person.names.filter { $0 != shown } + person.aliases)
    }
}

extension QuestionPlan {
    /// Returns how many of the quoted phrases are in a text, word for word.
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

    /// Returns how much of the question's joined words is in a text, letter for letter: 0...1.
    package func literalMatch(in text: String) -> Double {
        guard !joined.isEmpty else { return 0 }
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        let held = Set(JoinedWord.find(in: text, tokens: tokens).map(\.term))
        let names = joined.filter(\.isName)
        let wanted = Set((names.isEmpty ? joined : names).map(\.term))
        return joinedShare * Double(wanted.intersection(held).count) / Double(wanted.count)
    }

    /// Whether the texts of candidates have to be read for comparison.
    var looksAtTexts: Bool { !phrases.isEmpty || !days.isEmpty || !joined.isEmpty }

    /// Returns whether a text names one of the days in numbers: "14.9.", "Sept 14th", "2026-09-14".
    package func namesDay(in text: String) -> Bool {
        guard !days.isEmpty, text.utf8.contains(where: Self.isDigit) else { return false }
        return days.contains { day in
            // Seen from that day, a date without a year is in that year.
            let asked = Timestamp(microseconds: day.upperBound.microseconds - 1)
            let dates = DateExpressions.find(in: text, askedAt: asked, zone: zone)
            return dates.contains { date in
                date.unit == .day && date.start == day.lowerBound
                    && text.part(utf8: date.range).utf8.contains(where: Self.isDigit)
            } || namesShortly(asked, in: text)
        }
    }

    /// Returns whether a text names a day as "14.9."; in a question that may be any number, but here the date is known.
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
