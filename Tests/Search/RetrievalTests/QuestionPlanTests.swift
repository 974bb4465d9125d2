import ChatCore
import Retrieval
import TestSupport
import Testing
import TextAnalysis

@Suite struct QuestionPlanTests {
    private static let people = [
        Person(userID: "ada", names: ["Ada Lovelace"], conversations: [ConversationNumber(rawValue: 1)]),
        Person(
            userID: "mel", names: ["Melanie Brook"],
            conversations: [ConversationNumber(rawValue: 1), ConversationNumber(rawValue: 2)]),
        Person(
            userID: "rob", names: ["Robert Pears"], aliases: ["Bobby"],
            conversations: [ConversationNumber(rawValue: 3)]),
        Person(userID: "may", names: ["May Wells"], conversations: [ConversationNumber(rawValue: 4)]),
    ]

    private static func plan(
        _ question: String, after previous: [String] = [], zone: String? = nil, askedAt: Timestamp? = nil,
        languages: [TextLanguage] = [.english], isOrdinaryWord: (String) -> Bool = { _ in false },
        settings: RetrievalSettings = RetrievalSettings()
    ) -> QuestionPlan {
        let request = SearchRequest(
            question: question, scope: SearchScope(asker: "ada", conversations: .all), limit: 5,
            previousQuestions: previous, timeZone: zone, askedAt: askedAt)
        // A Sunday afternoon: 2025-06-15T15:06:40Z.
        return QuestionPlan(
            question, of: request, people: people, conversations: [PermittedConversation](), languages: languages,
            isOrdinaryWord: isOrdinaryWord, settings: settings, at: .second(0))
    }

    @Test func namesAreCuesAndNotEmbedded() {
        let plan = Self.plan("What did Robert Pears say about the pier?")

        #expect(plan.speakers == ["rob"])
        #expect(plan.company == [ConversationNumber(rawValue: 3)])
        #expect(plan.embedded == "What did say about the pier?")
        #expect(plan.standalone == "What did Robert Pears say about the pier?")
        #expect(Set(plan.terms).isSuperset(of: ["robert", "pears", "pier"]))
        #expect(!plan.terms.contains("what") && !plan.terms.contains("the"))
    }

    @Test func namesStayInTheEmbeddedTextWhereThatIsWanted() {
        let plan = Self.plan("What did Robert say?", settings: .with { $0.dense.dropsNames = false })

        #expect(plan.embedded == "What did Robert say?")
        #expect(plan.speakers == ["rob"])
    }

    @Test(
        arguments: [
            ("What did Mel paint?", "mel", true),
            ("What did Bobby paint?", "rob", true),
            // The name itself needs no other.
            ("What did Melanie paint?", "mel", false),
        ] as [(String, UserID, Bool)])
    func otherNamesBringTheRealOne(question: String, person: UserID, areAdded: Bool) {
        let plan = Self.plan(question)

        #expect(plan.speakers == [person])
        let real = Self.people.filter { $0.userID == person }.flatMap(\.names)
            .flatMap { TextAnalyzer.terms(of: $0, language: .other) }
        #expect(Set(plan.terms).isSuperset(of: real) == areAdded)
        #expect(Set(plan.terms).count == plan.terms.count)
    }

    @Test func partsOfNamesThatAreOrdinaryNameNobody() {
        let question = "What did the pears cost?"

        #expect(Self.plan(question, isOrdinaryWord: { _ in false }).speakers == ["rob"])
        #expect(Self.plan(question, isOrdinaryWord: { $0 == "pears" }).speakers.isEmpty)
    }

    @Test func datesAreNoNames() {
        let dated = Self.plan("What happened in May?")
        let named = Self.plan("What did May say?")

        #expect(dated.speakers.isEmpty && dated.company.isEmpty)
        #expect(dated.times.count == 1)
        #expect(dated.embedded == "What happened in May?")
        #expect(named.speakers == ["may"])
        #expect(named.times.isEmpty)
    }

    @Test func datesCountFromTheAskersDay() throws {
        let berlin = Self.plan("What happened yesterday?", zone: "Europe/Berlin")
        let later = Self.plan("What happened yesterday?", askedAt: .second(86_400))
        let day: Int64 = 86_400_000_000
        let midnight = Timestamp.second(-54_400).microseconds  // 2025-06-15T00:00:00Z

        #expect(
            berlin.times
                == [
                    Timestamp(
                        microseconds: midnight - day - 7_200_000_000)..<Timestamp(
                            microseconds: midnight - 7_200_000_000)
                ])
        #expect(later.times == [Timestamp(microseconds: midnight)..<Timestamp(microseconds: midnight + day)])
    }

    @Test func aTextNamesADayHoweverItIsWritten() {
        // The last one before the day of the question, in 2024.
        let plan = Self.plan("Who is on call on 14 September?", zone: "Europe/Berlin")

        for text in [
            "Rota for September: 7.9. Ben, 14.9. Tomasz", "14.09.2024", "moved to 2024-09-14", "14 September it is",
            "Sept 14th", "am 14. September",
        ] { #expect(plan.namesDay(in: text), "\(text)") }
        for text in ["15.9. Ben", "14.8. Ben", "14.9.2023", "see you today", "in September", "14 boats", ""] {
            #expect(!plan.namesDay(in: text), "\(text)")
        }
        #expect(!Self.plan("Who was on call in September?").namesDay(in: "14 September"))
    }

    @Test func theAskerIsMeantByI() {
        let plan = Self.plan("Where did I park the car?")

        #expect(plan.speakers == ["ada"])
        #expect(plan.company == [ConversationNumber(rawValue: 1)])
        #expect(Self.plan("Where is the car parked?").speakers.isEmpty)
    }

    @Test func whatAFollowUpLeavesOutIsCarriedOver() {
        let previous = ["What did Robert say about the pier?"]

        let plan = Self.plan("And when?", after: previous)
        let alone = Self.plan("And when?", after: previous, settings: .with { $0.carriesOver = false })
        let own = Self.plan("Which yachts were given berth twenty-three in Punta Serena?", after: previous)

        #expect(plan.isCarriedOver)
        #expect(plan.speakers == ["rob"])
        #expect(plan.terms.contains("pier"))
        #expect(plan.standalone.hasPrefix("And when?") && plan.standalone.contains("Robert"))
        #expect(plan.wanted == [.time])
        #expect(!alone.isCarriedOver && alone.standalone == "And when?" && alone.speakers.isEmpty)
        #expect(!own.isCarriedOver && own.speakers.isEmpty && !own.terms.contains("pier"))
    }

    @Test func theLanguageIsTheQuestionsOrThatOfTheMessages() {
        #expect(Self.plan("Wo ist das Boot von gestern und wann kommt es?").language == .german)
        #expect(Self.plan("Where is the boat and when will it come?").language == .english)
        #expect(Self.plan("Punta Serena", languages: [.german, .english]).language == .german)
        #expect(Self.plan("Punta Serena", languages: []).language == .english)
    }

    @Test func wordsAreAskedForInEveryLanguageOfTheMessages() {
        let both = Self.plan("Häuser boats", languages: [.english, .german]).terms

        let expected =
            TextAnalyzer.terms(of: "Häuser", language: .german) + TextAnalyzer.terms(of: "boats", language: .english)
        #expect(Set(both).isSuperset(of: expected))
    }
}
