import ChatCore
import Testing
import TextAnalysis

@Suite struct QuestionDependenceTests {
    @Test(arguments: [
        "When does the Hamburg pilot go live?",
        "Who ordered the gauges for berth 23?",
        "What did Priya say about IT budget planning?",
        "Is there a spare key for the harbour office?",
        "Which boats arrive in Kiel this week?",
        "what did mara decide on the billing module",
        "Wann beginnt der Pilot in Hamburg mit Kartenzahlung?",
        "Gibt es einen Termin für die Abnahme der Boote in Kiel?",
        "Wann haben Sie Hafen Süderelbe das Angebot geschickt?",
        "Welche Boote kommen diesen Freitag nach Kiel?",
        "火曜日のハンブルク試験で誰が水位計を交換しましたか",
        "¿Cuándo empieza el piloto de Hamburgo con pagos de tarjeta?",
    ])
    func standsAlone(question: String) {
        #expect(QuestionDependence.standsAlone(question))
    }

    @Test(arguments: [
        "", "?", "Why?", "When was it moved?", "Who decided to move it to Tuesday in the end?",
        "And in Kiel, who ordered the gauges for berth 23?", "but who paid the deposit for Kiel marina stand",
        "What about the card payments in the billing module?", "Which gauges lost radio contact … and when?",
        "Who ordered the gauges, the rope, the paint...", "Where does she keep the spare key for the office?",
        "IT lost radio contact during which storm surge drill?", "Did Yusuf say the same about Kiel marina prices?",
        "Who proposed that date for the Hamburg pilot?", "Did they pay the deposit for this boat in Kiel?",
        "Who lives there, near the harbour office in Kiel?", "When does the pilot start?",
        "Und wann beginnt der Pilot in Hamburg mit Kartenzahlung?", "Wer hat dafür das Angebot in Kiel geschrieben?",
        "Was ist mit der Kartenzahlung im Hamburger Pilot?", "Sie hat wem den Schlüssel für das Büro gegeben?",
        "Hat Yusuf diesen Schlüssel für das Büro in Kiel?", "Wann wurde das entschieden?", "彼は東京に行きましたか",
        "それはハンブルク試験の水位計の交換後ですか", "いつですか",
    ])
    func leansOnWhatWasSaid(question: String) {
        #expect(!QuestionDependence.standsAlone(question))
    }
}
