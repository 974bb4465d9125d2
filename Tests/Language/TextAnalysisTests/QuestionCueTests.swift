import ChatCore
import Testing
import TextAnalysis

@Suite struct QuestionCueTests {
    static let people = [
        Participant(id: "u-ada", displayName: "Ada Lovelace", aliases: ["countess", "AL"]),
        Participant(id: "u-mel", displayName: "Melanie"),
        Participant(id: "u-jon", displayName: "Jonathan Swift"),
        Participant(id: "u-will", displayName: "Will Smith"),
        Participant(id: "u-anna1", displayName: "Anna Schmidt"),
        Participant(id: "u-anna2", displayName: "Anna Meyer"),
        Participant(id: "u-may", displayName: "May"),
        Participant(id: "u-jürgen", displayName: "Jürgen Müller"),
        Participant(id: "rhodry", displayName: "rhodry_2409"),
        Participant(id: "u-pm", displayName: "Project Manager"),
        Participant(id: "u-tanaka", displayName: "田中 太郎"),
        Participant(id: "u-sato", displayName: "佐藤花子"),
        Participant(id: "u-chris1", displayName: "Christina"),
        Participant(id: "u-chris2", displayName: "Christopher"), Participant(id: "u-pw", displayName: "pw"),
    ]
    static let names = NameIndex(people)

    /// Writes the mentions as `words=ids/kind`.
    static func read(_ question: String) -> String {
        names.cues(in: question).mentions.map { mention in
            "\(question.part(utf8: mention.range))=\(mention.people.map(\.rawValue).joined(separator: "+"))/\(mention.kind)"
        }.joined(separator: "; ")
    }

    @Test(arguments: [
        ("What did Ada Lovelace say?", "Ada Lovelace=u-ada/fullName"),
        ("what did ada lovelace say?", "ada lovelace=u-ada/fullName"),
        ("WHAT DID ADA LOVELACE SAY", "ADA LOVELACE=u-ada/fullName"),
        ("What did Ada say?", "Ada=u-ada/part"),
        ("what did ada say?", "ada=u-ada/part"),
        ("What is Ada's plan?", "Ada's=u-ada/part"),
        ("What is Ada’s plan?", "Ada’s=u-ada/part"),
        ("Was ist Adas Plan?", "Adas=u-ada/part"),
        ("What did the countess say?", "countess=u-ada/alias"),
        ("What did AL say?", "AL=u-ada/alias"),
        ("what did al say?", ""),
        ("What did Mel say?", "Mel=u-mel/nickname"),
        ("what did mel say?", ""),
        ("Mel's plan?", "Mel's=u-mel/nickname"),
        ("Melt the cheese?", ""),
        ("Did Jon and Mel agree?", "Jon=u-jon/nickname; Mel=u-mel/nickname"),
        ("When did Chris move?", ""),
        ("When did Christopher move?", "Christopher=u-chris2/fullName"),
        ("What did Anna say?", "Anna=u-anna1+u-anna2/part"),
        ("What did Anna Meyer say to Anna?", "Anna Meyer=u-anna2/fullName; Anna=u-anna1+u-anna2/part"),
        ("When will it ship?", ""),
        ("Will it ship?", ""),
        ("What did Will say?", "Will=u-will/part"),
        ("What did will smith say?", "will smith=u-will/fullName"),
        ("WHEN WILL IT SHIP?", ""),
        ("What did May say?", "May=u-may/fullName"),
        ("may we come?", ""),
        ("Was sagt Jurgen Muller?", "Jurgen Muller=u-jürgen/fullName"),
        ("Was sagt JÜRGEN?", "JÜRGEN=u-jürgen/part"),
        ("What errors does rhodry_2409 have ?", "rhodry_2409=rhodry/fullName"),
        ("What does rhodry have?", "rhodry=rhodry/part"),
        ("What about 2409?", ""),
        ("What did the project manager say?", "project manager=u-pm/fullName"),
        ("What does pw build?", "pw=u-pw/fullName"),
        ("ask @ada", "@ada=u-ada/mention"),
        ("ask @u-ada, please", "@u-ada=u-ada/mention"),
        ("ask @mel", "@mel=u-mel/mention"),
        ("ask @will.", "@will=u-will/mention"),
        ("<@U-MEL> said what?", "@U-MEL=u-mel/mention"),
        ("mail me@ada.example", "@ada=u-ada/mention"),
        ("田中さんは何と言いましたか", "田中さん=u-tanaka/part"),
        ("田中太郎は?", "田中太郎=u-tanaka/fullName"),
        ("佐藤は何を?", "佐藤=u-sato/nickname"),
        ("佐藤花子は?", "佐藤花子=u-sato/fullName"),
        ("What Did Ada Say About May", "Ada=u-ada/part"),
        ("", ""),
    ])
    func findsPeopleByName(question: String, expected: String) {
        #expect(Self.read(question) == expected)
    }

    @Test func dateWordsNameNobodyWhenExcluded() {
        let question = "What did Ada do in May?"

        let cues = Self.names.cues(in: question, excluding: [19..<22])

        #expect(cues.people == ["u-ada"])
        #expect(Self.names.cues(in: question).people == ["u-ada", "u-may"])
    }

    @Test func readsAllCuesOfAQuestionAtOnce() throws {
        let question = "What did Will write about \"the who\" in #general in May?"
        let moment = try #require(Timestamp(iso8601: "2023-06-14T12:00:00Z"))

        let cues = QuestionCues(
            reading: question, names: Self.names, conversations: ConversationNamesTests.names, askedAt: moment,
            zone: "UTC")

        #expect(cues.people.people == ["u-will"])
        #expect(cues.people.textWithoutNames == "What did write about \"the who\" in #general in May?")
        #expect(cues.dates.map { String(question.part(utf8: $0.range)) } == ["May"])
        #expect(cues.conversations.map(\.conversations) == [["c1"]])
        #expect(cues.phrases.map(\.text) == ["the who"])
        let terms = TextAnalyzer.terms(of: question, languages: [.english], keeping: cues.namedRanges)
        #expect(terms.map(\.term) == ["will", "write", "the", "who", "gener", "mai"])
    }

    @Test func theCallerSaysWhichWordsAreOrdinary() {
        let cues = Self.names.cues(in: "what did ada say to melanie?", isOrdinaryWord: { $0 == "ada" })

        #expect(cues.people == ["u-mel"])
        #expect(Self.names.cues(in: "What did the project cost?").people == ["u-pm"])
        #expect(Self.names.cues(in: "What did the project cost?", isOrdinaryWord: { $0 == "project" }).people.isEmpty)
    }

    @Test(
        arguments: [
            ("ada", ["u-ada"]), ("anna", ["u-anna1", "u-anna2"]), ("mel", ["u-mel"]), ("chris", []),
            ("countess", ["u-ada"]), ("project", ["u-pm"]), ("plan", []), ("", []),
        ] as [(String, [UserID])])
    func tellsWhoIsCalledByAWord(word: String, people: [UserID]) {
        #expect(Self.names.people(called: word) == people)
    }

    @Test func everybodyIsListedOnce() {
        #expect(Self.names.cues(in: "Mel, Ada, Melanie and ada").people == ["u-mel", "u-ada"])
    }

    @Test(arguments: [
        ("When did Melanie go to the support group?", "When did go to the support group?"),
        ("What is Ada's plan?", "What is plan?"),
        ("Where is Mel?", "Where is?"),
        ("Is it Ada, Mel or May?", "Is it, or?"),
        ("Ada", "Ada"),
        ("@ada?", "@ada?"),
        ("no  names   here", "no  names   here"),
        ("田中さんは何と言いましたか", "は何と言いましたか"),
    ])
    func takesNamesOutOfTheTextToEmbed(question: String, expected: String) {
        #expect(Self.names.cues(in: question).textWithoutNames == expected)
    }

    @Test(arguments: [
        ("What did I promise?", true), ("where is my laptop", true), ("Was habe ich versprochen?", true),
        ("Wo ist mein Laptop?", true), ("Who wrote to me?", true), ("I'm late for what?", true),
        ("Tell me what Ada said", false), ("Can you show me the plan?", false), ("Sag mir, was Ada will", false),
        ("What did Ada tell me?", true), ("What did Ada say?", false), ("version i.2?", true), ("", false),
    ])
    func noticesWhenTheAskerIsMeant(question: String, expected: Bool) {
        #expect(Self.names.cues(in: question).namesAsker == expected)
    }

    @Test func aHostileQuestionTakesLinearTime() {
        let question = String(repeating: "@Ada's \"", count: 4_000)

        #expect(Self.names.cues(in: question).mentions.count == 4_000)
        #expect(QuotedPhrases.find(in: question).count == 2_000)
    }

    @Test(
        arguments: [
            ("Who said \"ship it\" first?", ["ship it"]),
            ("Wer sagte „wird schon“ und “fine”?", ["wird schon", "fine"]),
            ("«bonjour» »hallo« 「日本」『本』 ‹a›", ["bonjour", "hallo", "日本", "本", "a"]),
            ("run `make db` first", ["make db"]),
            ("Who said ‘done’?", ["done"]),
            ("Ada's and Mel's plans", []),
            ("an \"open one", []), ("\"\" and \"!?\"", []),
            ("5\" and 6\" pipes \"x\"", ["and 6", "x"]),
            ("", []),
        ] as [(String, [String])])
    func findsQuotedPhrases(question: String, expected: [String]) {
        let phrases = QuotedPhrases.find(in: question)

        #expect(phrases.map { $0.text.trimmingWhitespace() } == expected.map { $0 })
        #expect(phrases.allSatisfy { question.part(utf8: $0.range) == $0.text })
    }

    @Test func aForgottenQuotationMarkHidesNothingFarAway() {
        let question = "\" " + String(repeating: "x ", count: 200) + "who said \"done\"?"

        #expect(QuotedPhrases.find(in: question).map(\.text) == ["done"])
    }

    @Test(arguments: [
        ("Really?", true), ("Really？ ", true), ("حقا؟", true), ("(Really?)", true), ("What?! 😀", true),
        ("\"Why?\"", true), ("Why? Because.", false), ("No.", false), ("", false), ("?", true), ("a?b", false),
        ("ok?👍🏽\n", true), ("5", false),
    ])
    func knowsAQuestionByItsEnd(text: String, expected: Bool) {
        #expect(TextAnalyzer.isQuestion(text) == expected)
    }
}

@Suite struct ConversationNamesTests {
    static let names = ConversationNames([
        (id: "c1", name: "general"), (id: "c2", name: "#pilot-hamburg"), (id: "c3", name: "Tide Planner Team"),
        (id: "c4", name: "Betelgeuse"), (id: "c5", name: nil), (id: "c6", name: "Ops"), (id: "c7", name: "ops"),
    ])

    @Test(arguments: [
        ("What was said in #general?", "#general=c1"),
        ("In general, what was said?", ""),
        ("What is new in the general channel?", "general=c1"),
        ("Was gibt es im Kanal general?", "general=c1"),
        ("What about #pilot-hamburg?", "#pilot-hamburg=c2"),
        ("What about pilot hamburg?", "pilot hamburg=c2"),
        ("Who is in the tide planner team?", "tide planner team=c3"),
        ("What did betelgeuse decide?", "betelgeuse=c4"),
        ("What is #ops up to in #GENERAL?", "#ops=c6+c7; #GENERAL=c1"),
        ("", ""),
    ])
    func findsConversationsByName(question: String, expected: String) {
        let mentions = Self.names.mentions(in: question) { ["general", "ops"].contains($0) }

        let text = mentions.map { mention in
            "\(question.part(utf8: mention.range))=\(mention.conversations.map(\.rawValue).joined(separator: "+"))"
        }
        #expect(text.joined(separator: "; ") == expected)
    }
}

@Suite struct FollowUpTests {
    static let names = NameIndex([
        Participant(id: "a", displayName: "Ada Lovelace"), Participant(id: "m", displayName: "Melanie"),
        Participant(id: "j", displayName: "Jürgen"),
    ])

    @Test(
        arguments: [
            (["When did Ada move to Berlin?"], "Where does she live now?", ["Ada", "move", "Berlin"]),
            (["When did Ada move to Berlin?"], "And Melanie?", ["move", "Berlin"]),
            (["When did Ada move to Berlin?"], "Did Melanie go with her?", ["Ada", "move", "Berlin"]),
            (["What is Ada's favourite restaurant?"], "Why does it close?", ["Ada", "favourite", "restaurant"]),
            (["When did Ada move to Berlin?"], "Which database runs on the staging server today?", []),
            (["Wann ist Jürgen nach Köln gezogen?"], "Warum hat er das gemacht?", ["Jürgen", "Köln", "gezogen"]),
            (["Wann ist Jürgen nach Köln gezogen?"], "Und Melanie?", ["Köln", "gezogen"]),
            (["When did Ada move?", "Why did she leave?"], "And when exactly?", ["Ada", "leave", "move"]),
            (["What was decided?", "", "??"], "Why?", ["decided"]),
            ([], "Why?", []),
            (["東京のホテルは?"], "いつ?", ["東京", "京の", "のホ", "ホテ", "テル", "ルは"]),
        ] as [([String], String, [String])])
    func carriesNamesAndRareWords(previous: [String], question: String, added: [String]) {
        let standalone = FollowUp.standalone(question, after: previous, names: Self.names)

        #expect(standalone.added == added)
        #expect(standalone.text == ([question] + added).joined(separator: " "))
    }

    @Test func carriesOnlyWhatIsRare() {
        let standalone = FollowUp.standalone(
            "Why?", after: ["When did Ada move to Berlin?"], names: Self.names, isRare: { $0 != "move" })

        #expect(standalone.added == ["Ada", "Berlin"])
    }

    @Test func carriesAtMostSixWordsOfThreeQuestions() {
        let long = "Compare alpha beta gamma delta epsilon zeta eta"
        let old = ["Who is Melanie?", "What is red?", "What is green?", "What is blue?"]

        let standalone = FollowUp.standalone("Why?", after: [long], names: Self.names)

        #expect(standalone.added == ["Compare", "alpha", "beta", "gamma", "delta", "epsilon"])
        #expect(FollowUp.standalone("Why?", after: old, names: Self.names).added == ["blue", "green", "red"])
    }
}
