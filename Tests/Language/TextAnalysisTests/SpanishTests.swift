import ChatCore
import Testing
import TextAnalysis

@Suite struct SpanishTests {
    @Test(arguments: [
        "No sé por qué lo dices, pero es muy bueno", "¿Quién viene mañana?", "Gracias, nos vemos el lunes",
        "Vale, yo llamo al banco", "¿Dónde están las cajas?", "Hoy no puedo",
    ])
    func isRecognised(text: String) {
        #expect(LanguageGuess.language(of: text) == .spanish)
    }

    static let stems = StemmerTests.pairs(
        """
        caballo caball, caballos caball, casa casa, casas cas, cajas caj, cestas cest, cesta cest, reunión reunion
        reuniones reunion, meses mes, voces voz, luces luz, luz luz, clientes client, cliente client, verdura verdur
        verduras verdur, tomates tomat, tomate tomat, azules azul, azul azul, semana seman, semanas seman, niños nin
        pedido ped, furgoneta furgonet, furgonetas furgonet, año ano, pez pez, peces pez, jueves juev, intereses interes
        """)

    @Test(arguments: stems.filter { $0.word != "casa" && $0.word != "pedido" })
    func stemsAsSavoyDoes(word: String, stem: String) {
        #expect(TextAnalyzer.terms(of: word, language: .spanish) == [stem])
    }

    @Test(arguments: [
        ("¿Qué se decidió sobre las furgonetas?", "decidi furgonet"), ("reunion", "reunion"), ("Reunión", "reunion"),
        ("¿Cuánto cuestan las cestas?", "cuestan cest"),
    ])
    func questionsLoseTheirStopWords(question: String, expected: String) {
        #expect(TextAnalyzer.terms(of: question, languages: [.spanish]).map(\.term).joined(separator: " ") == expected)
    }

    /// Asked on Wednesday, 14 June 2023.
    @Test(arguments: [
        ("¿Quién vino ayer?", "ayer=2023-06-13/2023-06-14"),
        ("¿Quién vino anteayer?", "anteayer=2023-06-12/2023-06-13"),
        ("¿Quién viene mañana?", "mañana=2023-06-15/2023-06-16"),
        ("¿Quién viene pasado mañana?", "pasado mañana=2023-06-16/2023-06-17"),
        ("¿Quién llamó ayer por la tarde?", "ayer por la tarde=2023-06-13T12:00/2023-06-13T21:00"),
        ("¿Quién llamó esta mañana?", "esta mañana=2023-06-14T05:00/2023-06-14T12:00"),
        ("¿Quién trabaja por la mañana?", ""),
        ("¿Qué pasó anoche?", "anoche=2023-06-13T18:00/2023-06-14T06:00"),
        ("¿Qué pasó la semana pasada?", "semana pasada=2023-06-05/2023-06-12"),
        ("¿Qué hay la semana que viene?", "semana que viene=2023-06-19/2023-06-26"),
        ("¿Qué hay la próxima semana?", "próxima semana=2023-06-19/2023-06-26"),
        ("¿Quién estuvo el mes pasado?", "mes pasado=2023-05-01/2023-06-01"),
        ("¿Quién estuvo este fin de semana?", "este fin de semana=2023-06-17/2023-06-19"),
        ("¿Quién vino el jueves pasado?", "jueves pasado=2023-06-08/2023-06-09"),
        ("¿Quién viene el jueves que viene?", "jueves que viene=2023-06-15/2023-06-16"),
        ("¿Quién vino el martes?", "martes=2023-06-13/2023-06-14"),
        ("¿Qué se decidió el 3 de octubre?", "3 de octubre=2022-10-03/2022-10-04"),
        ("¿Qué se decidió el 3 de octubre de 2021?", "3 de octubre de 2021=2021-10-03/2021-10-04"),
        ("¿Qué se decidió el martes 6 de junio?", "martes 6 de junio=2023-06-06/2023-06-07"),
        ("¿Qué pasó el día 8?", "8=2023-06-08/2023-06-09"),
        ("¿Quién llegó hace dos semanas?", "hace dos semanas=2023-05-28/2023-06-04"),
        ("¿Quién llegó hace un par de días?", "hace un par de días=2023-06-12/2023-06-13"),
        ("¿Qué hay de nuevo desde el lunes?", "desde el lunes=2023-06-12/2023-06-15"),
        ("¿Quién escribió antes del 5 de mayo?", "antes del 5 de mayo=…/2023-05-05"),
        ("¿Qué vendimos en mayo?", "mayo=2023-05-01/2023-06-01"),
        ("¿Qué vendimos en mayo de 2022?", "mayo de 2022=2022-05-01/2022-06-01"),
        ("¿Qué vendimos a principios de mayo?", "principios de mayo=2023-05-01/2023-05-11"),
        ("¿Qué vendimos el verano pasado?", "verano pasado=2022-06-01/2022-09-01"),
        ("¿Qué vendimos en las dos últimas semanas?", "dos últimas semanas=2023-05-31/2023-06-15"),
        ("¿Qué hace la furgoneta?", ""),
    ])
    func readsDates(question: String, expected: String) throws {
        #expect(try DateExpressionTests.read(question, askedAt: "2023-06-14T12:00:00Z") == expected)
    }

    /// Said on Wednesday, 22 October 2025 at 9:15 in Berlin.
    @Test(arguments: [
        DuePhrase("para mañana", "2025-10-23T23:59:59"),
        DuePhrase("pasado mañana", "2025-10-24T23:59:59"),
        DuePhrase("hoy mismo, por favor", "2025-10-22T23:59:59"),
        DuePhrase("antes del viernes", "2025-10-23T23:59:59"),
        DuePhrase("es para el viernes", "2025-10-24T23:59:59"),
        DuePhrase("el jueves que viene", "2025-10-23T23:59:59"),
        DuePhrase("el próximo jueves", "2025-10-23T23:59:59"),
        DuePhrase("el jueves de la semana que viene", "2025-10-30T23:59:59"),
        DuePhrase("la semana que viene", "2025-10-31T23:59:59"),
        DuePhrase("la próxima semana", "2025-10-31T23:59:59"),
        DuePhrase("a finales de mes", "2025-10-31T23:59:59"),
        DuePhrase("antes de fin de mes", "2025-10-31T23:59:59"),
        DuePhrase("este fin de semana", "2025-10-26T23:59:59"),
        DuePhrase("el 3 de noviembre", "2025-11-03T23:59:59"),
        DuePhrase("el 3 de noviembre de 2026", "2026-11-03T23:59:59"),
        DuePhrase("antes del día 15", "2025-11-14T23:59:59"),
        DuePhrase("en dos semanas", "2025-11-05T23:59:59"),
        DuePhrase("dentro de 5 días hábiles", "2025-10-29T23:59:59"),
        DuePhrase("dentro de dos horas", "2025-10-22T11:15:00"),
        DuePhrase("en media hora", "2025-10-22T09:45:00"),
        DuePhrase("mañana a las 17:30", "2025-10-23T17:30:00"),
        DuePhrase("el viernes a las 5 de la tarde", "2025-10-24T17:00:00"),
        DuePhrase("el viernes a las 9 de la mañana", "2025-10-24T09:00:00"),
        DuePhrase("el viernes a las 17h", "2025-10-24T17:00:00"),
        DuePhrase("mañana por la mañana", "2025-10-23T12:00:00"),
        DuePhrase("se tarda 2 horas", nil), DuePhrase("por la mañana no puedo", nil),
        DuePhrase("ayer por la tarde", nil),
        DuePhrase("todos los lunes", nil), DuePhrase("cada lunes", nil), DuePhrase("el lunes pasado", nil),
        DuePhrase("hace dos semanas", nil),
    ])
    func readsDueDates(phrase: DuePhrase) throws {
        try DueDateTests().phrase(phrase)
    }

    @Test(arguments: [
        ("¿Qué dijo Begoña?", "Begoña=u-begona/fullName"), ("¿qué dijo begoña?", "begoña=u-begona/fullName"),
        ("¿cuándo sale el sol?", ""), ("¿Qué dijo Sol?", "Sol=u-sol/fullName"),
    ])
    func findsNames(question: String, expected: String) {
        let names = NameIndex([
            Participant(id: "u-begona", displayName: "Begoña"), Participant(id: "u-sol", displayName: "Sol"),
        ])
        let mentions = names.cues(in: question).mentions.map { mention in
            "\(question.part(utf8: mention.range))=\(mention.people.map(\.rawValue).joined())/\(mention.kind)"
        }
        #expect(mentions.joined(separator: "; ") == expected)
    }

    @Test(arguments: [("¿Dónde dejé mi caja?", true), ("¿Quién me llamó?", true), ("¿Quién llamó?", false)])
    func noticesTheAsker(question: String, expected: Bool) {
        #expect(NameIndex([]).cues(in: question).namesAsker == expected)
    }

    @Test(arguments: [
        ("¿Cuándo empieza el piloto de Hamburgo con pagos de tarjeta?", true),
        ("¿Cuándo empieza el piloto de Hamburgo?", false), ("¿Y la furgoneta del almacén de Hamburgo?", false),
        ("¿Quién dijo eso sobre la furgoneta del almacén central?", false), ("¿Por qué?", false),
    ])
    func knowsWhatStandsAlone(question: String, expected: Bool) {
        #expect(QuestionDependence.standsAlone(question) == expected)
    }
}
