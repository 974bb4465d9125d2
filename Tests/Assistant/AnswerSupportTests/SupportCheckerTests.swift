import AnswerSupport
import ChatCore
import Testing
import TextAnalysis

@Suite("SupportChecker")
struct SupportCheckerTests {
    struct Case: Sendable, CustomStringConvertible {
        let language: TextLanguage
        let sender: String
        let message: String
        let sentence: String
        let isSupported: Bool
        var reason: SupportReason?

        var description: String { sentence }
    }

    private static func yes(
        _ language: TextLanguage, _ sender: String, _ message: String, _ sentence: String
    ) -> Case {
        Case(language: language, sender: sender, message: message, sentence: sentence, isSupported: true)
    }

    private static func no(
        _ language: TextLanguage, _ sender: String, _ message: String, _ sentence: String, _ reason: SupportReason
    ) -> Case {
        Case(
            language: language, sender: sender, message: message, sentence: sentence, isSupported: false,
            reason: reason)
    }

    static let cases: [Case] = [
        yes(.english, "Ada", "The pump costs 1,840 euros.", "The pump costs €1840."),
        no(.english, "Ada", "The pump costs 1,840 euros.", "The pump costs 1,480 euros.", .number),
        yes(.english, "Ada", "The review takes 1.5 h.", "The review takes 90 minutes."),
        no(.english, "Ada", "The review takes 1.5 h.", "The review takes 1.5 days.", .number),
        yes(
            .english, "Ada", "The review starts tomorrow at half past six.", "The review starts on 13 October at 18:30."
        ),
        no(.english, "Ada", "The review starts tomorrow at 10:30.", "The review starts on 14 October at 10:30.", .date),
        no(.english, "Ada", "The review starts tomorrow at 10:30.", "The review starts at 11:30.", .time),
        no(.english, "Ada", "The van is rented by Grace.", "The van is rented by Olga.", .name),
        no(.english, "Ada", "The budget was not approved.", "The budget was approved.", .negation),
        no(.english, "Ada", "The gate is closed at night.", "The gate is open at night.", .negation),
        yes(.german, "Jörg", "Die Reifen kosten 412,50 €.", "Die Reifen kosten 412,50 Euro."),
        no(.german, "Jörg", "Die Reifen kosten 412,50 €.", "Die Reifen kosten 421,50 Euro.", .number),
        yes(.german, "Jörg", "Wir brauchen fünfundzwanzig Stühle.", "Es werden 25 Stühle gebraucht."),
        no(.german, "Jörg", "Wir brauchen fünfundzwanzig Stühle.", "Es werden 52 Stühle gebraucht.", .number),
        yes(.german, "Jörg", "Die Probe ist übermorgen um halb zehn.", "Die Probe ist am 14. Oktober um 9:30 Uhr."),
        no(
            .german, "Jörg", "Die Probe ist übermorgen um halb zehn.", "Die Probe ist am 14. Oktober um 10:30 Uhr.",
            .time),
        no(.german, "Jörg", "Der Entwurf ist nicht freigegeben.", "Der Entwurf ist freigegeben.", .negation),
        yes(.french, "Léa", "L'acompte est de 1 240 €.", "L'acompte est de 1240 euros."),
        no(.french, "Léa", "L'acompte est de 1 240 €.", "L'acompte est de 1420 euros.", .number),
        yes(.french, "Léa", "La visite dure une demi-heure.", "La visite dure trente minutes."),
        yes(.french, "Léa", "La réunion est demain à 14h30.", "La réunion est le 13 octobre à 14 h 30."),
        no(.french, "Léa", "Les écrans n'ont pas été livrés.", "Les écrans ont été livrés.", .negation),
        yes(.spanish, "Eva", "La señal es de 1.350 €.", "La señal es de 1350 euros."),
        no(.spanish, "Eva", "La señal es de 1.350 €.", "La señal es de 1530 euros.", .number),
        yes(.spanish, "Eva", "La visita dura media hora.", "La visita dura treinta minutos."),
        no(.spanish, "Eva", "El contrato no está firmado.", "El contrato está firmado.", .negation),
        yes(.japanese, "佐藤", "見積もりは18万4千円です。", "見積もりは184,000円です。"),
        no(.japanese, "佐藤", "見積もりは18万4千円です。", "見積もりは148,000円です。", .number),
        yes(.japanese, "佐藤", "会議は明日の14時半からです。", "会議は10月13日の14:30からです。"),
        no(.japanese, "佐藤", "会議は明日の14時半からです。", "会議は10月13日の15:30からです。", .time),
        no(.japanese, "佐藤", "予算は承認されていません。", "予算は承認されました。", .negation),
    ]

    @Test("compares numbers, days, times, names and negations exactly", arguments: cases)
    func comparesFacts(_ given: Case) async throws {
        let source = Talk.source(
            given.sender, given.message, zone: given.language == .japanese ? "Asia/Tokyo" : "Europe/Berlin")

        let checked = try #require(try await Talk.check(given.sentence, [source], language: given.language))

        #expect((checked.support == .supported) == given.isSupported, "score \(checked.score)")
        if let reason = given.reason { #expect(checked.reasons.contains(reason), "\(checked.reasons)") }
        if given.isSupported { #expect(checked.bestSource == 0) }
    }

    @Test func takesTheSenderForTheOneWhoSpeaks() async throws {
        let sources = [
            Talk.source("Tom Berg", "I paid the deposit for the cottage."),
            Talk.source("Priya Rao", "Then I book the train.", number: 2),
        ]

        let right = try await Talk.check("Tom paid the deposit for the cottage.", sources)
        let wrong = try await Talk.check("Priya paid the deposit for the cottage.", sources)

        #expect(right?.support == .supported)
        #expect(wrong?.support == .contradicted)
        #expect(wrong?.reasons.contains(.name) == true)
    }

    @Test func doesNotTakeAQuestionForAStatement() async throws {
        let sources = [
            Talk.source("Ollie Marsh", "Who has the key for the boat house?"),
            Talk.source("Steph Lund", "Me, it is in my bag.", number: 2),
        ]

        #expect(try await Talk.check("Ollie has the key for the boat house.", sources)?.support != .supported)
    }

    @Test func addsUpWhatSeveralMessagesState() async throws {
        let sources = [
            Talk.source("Ada", "The meeting about the harbour budget is on Friday."),
            Talk.source("Ben", "The meeting takes place in the library.", number: 2),
        ]
        let answer = "The meeting about the harbour budget is on Friday in the library [1][2]."

        let checked = try await SupportChecker(encoder: nil).check(
            answer: answer, citations: Talk.citations(in: answer), sources: sources)

        #expect(checked.map(\.support) == [.supported])
        #expect(checked.first?.citations.map(\.number) == [1, 2])
    }

    @Test func findsTheMessageThatSupports() async throws {
        let sources = [
            Talk.source("Ada", "The van is in the garage."),
            Talk.source("Ben", "The harvest festival begins at 18:30.", number: 2),
        ]

        let checked = try await Talk.check("The harvest festival begins at 18:30.", sources)

        #expect(checked?.bestSource == 1)
    }

    @Test func comparesMeaningsWithAnEncoder() async throws {
        let encoder = GroupEncoder(groups: [
            ["automobile", "car"], ["repaired", "mended"], ["garage", "workshop"], ["quickly", "fast"],
        ])
        let source = Talk.source("Ada", "The car was mended fast in the workshop.")
        let sentence = "The automobile was repaired quickly in the garage."

        let withTokens = try await Talk.check(sentence, [source], encoder: encoder)
        let withWords = try await Talk.check(sentence, [source])

        #expect(withTokens?.support == .supported)
        #expect(withWords?.support != .supported)
    }

    @Test func isUnsupportedWithoutSources() async throws {
        let checked = try await Talk.check("The pump costs 1840 euros.", [])

        #expect(checked?.support == .unsupported)
        #expect(checked?.bestSource == nil)
    }
}
