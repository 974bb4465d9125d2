import Retrieval
import Testing
import TextAnalysis

@Suite struct MessageMarksTests {
    @Test(
        arguments: [
            ("Where is it?", [.asks, .isQuestion]), ("Wo ist es ?  \n", [.asks, .isQuestion]),
            ("どこですか？", [.asks, .isQuestion]), ("أين هو؟", [.asks, .isQuestion]),
            ("Really? I see.", [.asks]), ("see http://x.y/?a=b", [.asks]), ("I wonder where", []), ("", []),
            ("berth 23", [.holdsNumber]), ("v2 is out", [.holdsNumber]), ("a couple of them", [.holdsNumber]),
            ("Twelve boats", [.holdsNumber]), ("zwölf Boote", [.holdsNumber]), ("dreißig Boote", [.holdsNumber]),
            ("fünf Boote", [.holdsNumber]), ("someone did", []),
            ("back on Monday", [.holdsTime]), ("am Freitag", [.holdsTime]), ("im März", [.holdsTime]),
            ("nächste Woche", [.holdsTime]), ("YESTERDAY", [.holdsTime]), ("daylight", []),
            ("am 3. Oktober?", [.asks, .isQuestion, .holdsNumber, .holdsTime]),
            ("second week", [.holdsNumber, .holdsTime]),
        ] as [(String, MessageMarks)])
    func marksAreReadOffTheText(text: String, marks: MessageMarks) {
        #expect(MessageMarks(text, language: .english) == marks)
        #expect(MessageMarks(text, language: .german) == marks)
    }

    @Test(
        arguments: [
            ("rendez-vous jeudi", .french, [.holdsTime]), ("douze cadres", .french, [.holdsNumber]),
            ("vu hier", .french, [.holdsTime]), ("bin hier", .german, []), ("an apple", .english, []),
            ("nos vemos el jueves", .spanish, [.holdsTime]), ("doce cajas", .spanish, [.holdsNumber]),
            ("¿mañana?", .spanish, [.asks, .isQuestion, .holdsTime]), ("Friday", .other, [.holdsTime]),
        ] as [(String, TextLanguage, MessageMarks)])
    func otherLanguagesHaveTheirOwnWords(text: String, language: TextLanguage, marks: MessageMarks) {
        #expect(MessageMarks(text, language: language) == marks)
    }

    /// They are kept in files.
    @Test func marksHaveTheirBits() {
        let marks: [MessageMarks] = [.isQuestion, .asks, .holdsNumber, .holdsTime]
        #expect(marks.map(\.rawValue) == [1, 2, 4, 8])
    }
}

@Suite struct WantedAnswerTests {
    @Test(
        arguments: [
            ("When did it start?", [.time]), ("Tell me when.", [.time]), ("what time is it", [.time]),
            ("In which year was that?", [.time]), ("What date was it?", [.time]), ("What is the year's plan?", []),
            ("Whenever you like", []), ("What boat, and what for?", []),
            ("How many boats?", [.number]), ("how MUCH was it", [.number]), ("How long is the pier?", [.number]),
            ("How often, how old", [.number]), ("How is it?", []), ("many boats, how?", []),
            ("Wann geht es los?", [.time]), ("Welches Datum war das?", [.time]), ("An welchem Tag?", [.time]),
            ("Um welche Uhrzeit?", [.time]), ("In welchem Monat war das?", [.time]), ("Welches Boot?", []),
            ("Wie viele Boote?", [.number]), ("wie lange noch", [.number]), ("Wieviel kostet es?", [.number]),
            ("Wie alt ist sie?", [.number]), ("Wie geht es?", []),
            ("Quand est-ce que ça commence ?", [.time]), ("Quel jour est-ce que tu viens ?", [.time]),
            ("Combien de cadres faut-il ?", [.number]), ("Où est le cadre ?", []),
            ("¿Cuándo empieza?", [.time]), ("¿Qué día viene?", [.time]), ("¿Cuántas cajas hay?", [.number]),
            ("¿Dónde están las cajas?", []),
            ("When, and how many?", [.time, .number]), ("Wann und wie oft?", [.time, .number]), ("", []),
        ] as [(String, WantedAnswer)])
    func theWordsTellWhatIsWanted(question: String, wanted: WantedAnswer) {
        #expect(WantedAnswer(question) == wanted)
    }
}
