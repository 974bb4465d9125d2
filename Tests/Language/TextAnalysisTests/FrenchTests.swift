import ChatCore
import Testing
import TextAnalysis

@Suite struct FrenchTests {
    @Test(arguments: [
        "Nous avons une réunion avec le client dans la salle", "C'est quoi le prix du cadre ?", "Merci, à demain !",
        "Je passe jeudi prochain", "On se voit à l’atelier ?", "Qui a fermé hier soir ?", "T'es où, on t'attend ici ?",
        "Il faut que tu rappelles la mairie",
    ])
    func isRecognised(text: String) {
        #expect(LanguageGuess.language(of: text) == .french)
    }

    /// Most of them are the examples of Savoy's paper.
    static let stems = StemmerTests.pairs(
        """
        chevaux cheval, cheval cheval, hiboux hibou, hibou hibou, chantés chant, chanter chant, chante chant
        baronnes baron, barons baron, peaux peau, anneaux aneau, anneau aneau, neveux neveu, neveu neveu
        affreux afreu, affreuse afreu, investissement investi, investir investi, assourdissant asourdi
        assourdir asourdi, pratiquement pratiqu, pratique pratiqu, administrativement administratif
        administratif administratif, justificatrice justifi, justificateur justifi, justifier justifi
        éducatrice eduqu, éduquer eduqu, communicateur comuniqu, communiquer comuniqu, accompagnatrice acompagn
        accompagnateur acompagn, administrateur administr, administrer administr, productrice product
        producteur product, acheteuse achet, acheteur achet, planteur plant, plante plant, poreuse poreu
        poreux poreu, bijoutière bijouti, bijoutier bijouti, caissière caisi, caissier caisi, abrasive abrasif
        abrasif abrasif, folle fou, personnelle person, personne person, complète complet, complet complet
        aromatique aromat, faiblesse faibl, faible faibl, patinage patin, ritualisation rituel, rituel rituel
        nomination nomin, disposition dispos, dispose dispos, créées cre, réunion reunion, réunions reunion
        vélo velo, vélos velo, jeux jeu, travaux traval, cœur coeu, 1234555 1234555, 22hh00 22h00
        """)

    @Test(arguments: stems)
    func stemsAsSavoyDoes(word: String, stem: String) {
        #expect(TextAnalyzer.terms(of: word, language: .french) == [stem])
    }

    @Test(arguments: ["l'atelier", "L’ATELIER", "d'atelier", "ateliers", "qu'atelier"])
    func elisionsHideNoWord(text: String) {
        #expect(TextAnalyzer.terms(of: text, languages: [.french]).map(\.term) == ["ateli"])
    }

    @Test(arguments: [
        ("Qu'est-ce qu'on a décidé pour l'étuve ?", "decid etuv"),
        ("Combien coûtent les cadres d'Hélène ?", "coutent cadr helen"), ("reunion", "reunion"), ("réunion", "reunion"),
    ])
    func questionsLoseTheirStopWords(question: String, expected: String) {
        #expect(TextAnalyzer.terms(of: question, languages: [.french]).map(\.term).joined(separator: " ") == expected)
    }

    /// Asked on Wednesday, 14 June 2023.
    @Test(arguments: [
        ("Qui est venu hier ?", "hier=2023-06-13/2023-06-14"),
        ("qui a fermé avant-hier", "avant-hier=2023-06-12/2023-06-13"),
        ("Qu'est-ce qu'on fait aujourd'hui ?", "aujourd'hui=2023-06-14/2023-06-15"),
        ("Qui vient après-demain ?", "après-demain=2023-06-16/2023-06-17"),
        ("Qui a appelé hier soir ?", "hier soir=2023-06-13T17:00/2023-06-14"),
        ("Qui a appelé ce matin ?", "ce matin=2023-06-14T05:00/2023-06-14T12:00"),
        ("Que s'est-il passé la semaine dernière ?", "semaine dernière=2023-06-05/2023-06-12"),
        ("Que fait-on la semaine prochaine ?", "semaine prochaine=2023-06-19/2023-06-26"),
        ("Qui était là le mois dernier ?", "mois dernier=2023-05-01/2023-06-01"),
        ("Qui était là ce week-end ?", "ce week-end=2023-06-17/2023-06-19"),
        ("Qui est venu jeudi dernier ?", "jeudi dernier=2023-06-08/2023-06-09"),
        ("Qui vient jeudi prochain ?", "jeudi prochain=2023-06-15/2023-06-16"),
        ("Qui est venu mardi ?", "mardi=2023-06-13/2023-06-14"),
        ("Qu'a-t-on décidé le 3 octobre ?", "3 octobre=2022-10-03/2022-10-04"),
        ("Qu'a-t-on décidé le 1er mai 2023 ?", "1er mai 2023=2023-05-01/2023-05-02"),
        ("Qu'a-t-on décidé le mardi 6 juin ?", "mardi 6 juin=2023-06-06/2023-06-07"),
        ("Que s'est-il passé le 8 ?", "8=2023-06-08/2023-06-09"),
        ("Que s'est-il passé le 03/10/2022 ?", "03/10/2022=2022-10-03/2022-10-04"),
        ("Qui est arrivé il y a deux semaines ?", "il y a deux semaines=2023-05-28/2023-06-04"),
        ("Qui est arrivé il y a 3 jours ?", "il y a 3 jours=2023-06-11/2023-06-12"),
        ("Quoi de neuf depuis lundi ?", "depuis lundi=2023-06-12/2023-06-15"),
        ("Qui a écrit depuis le 5 mai ?", "depuis le 5 mai=2023-05-05/2023-06-15"),
        ("Qui a écrit avant le 5 mai ?", "avant le 5 mai=…/2023-05-05"),
        ("Qu'a-t-on vendu en mai ?", "mai=2023-05-01/2023-06-01"),
        ("Qu'a-t-on vendu début mai ?", "début mai=2023-05-01/2023-05-11"),
        ("Qu'a-t-on vendu l'été dernier ?", "été dernier=2022-06-01/2022-09-01"),
        ("Qu'a-t-on vendu ces deux dernières semaines ?", "deux dernières semaines=2023-05-31/2023-06-15"),
        ("Qui a été chef ?", ""), ("On est combien ?", ""), ("Il y a du café ?", ""),
    ])
    func readsDates(question: String, expected: String) throws {
        #expect(try DateExpressionTests.read(question, askedAt: "2023-06-14T12:00:00Z") == expected)
    }

    /// Said on Wednesday, 22 October 2025 at 9:15 in Berlin.
    @Test(arguments: [
        DuePhrase("pour demain", "2025-10-23T23:59:59"),
        DuePhrase("après-demain", "2025-10-24T23:59:59"),
        DuePhrase("on livre aujourd'hui", "2025-10-22T23:59:59"),
        DuePhrase("avant vendredi", "2025-10-23T23:59:59"),
        DuePhrase("c'est pour vendredi", "2025-10-24T23:59:59"),
        DuePhrase("jeudi prochain", "2025-10-23T23:59:59"),
        DuePhrase("le jeudi de la semaine prochaine", "2025-10-30T23:59:59"),
        DuePhrase("la semaine prochaine", "2025-10-31T23:59:59"),
        DuePhrase("d'ici la fin du mois", "2025-10-31T23:59:59"),
        DuePhrase("fin octobre au plus tard", "2025-10-31T23:59:59"),
        DuePhrase("ce week-end", "2025-10-26T23:59:59"),
        DuePhrase("le 3 novembre", "2025-11-03T23:59:59"),
        DuePhrase("avant le 15", "2025-11-14T23:59:59"),
        DuePhrase("dans deux semaines", "2025-11-05T23:59:59"),
        DuePhrase("dans 5 jours ouvrés", "2025-10-29T23:59:59"),
        DuePhrase("dans 2h", "2025-10-22T11:15:00"),
        DuePhrase("dans une demi-heure", "2025-10-22T09:45:00"),
        DuePhrase("demain à 14h30", "2025-10-23T14:30:00"),
        DuePhrase("vendredi à 17 h", "2025-10-24T17:00:00"),
        DuePhrase("rendez-vous à 18h", "2025-10-22T18:00:00"),
        DuePhrase("demain matin", "2025-10-23T12:00:00"),
        DuePhrase("demain midi", "2025-10-23T12:00:00"),
        DuePhrase("ça prend 2 heures", nil), DuePhrase("ça prend 2h", nil), DuePhrase("hier soir", nil),
        DuePhrase("tous les lundis", nil), DuePhrase("chaque lundi", nil), DuePhrase("lundi dernier", nil),
        DuePhrase("il y a deux semaines", nil), DuePhrase("on a été déçus", nil),
    ])
    func readsDueDates(phrase: DuePhrase) throws {
        try DueDateTests().phrase(phrase)
    }

    @Test(arguments: [
        ("Qu'est-ce que Hélène a dit ?", "Hélène=u-helene/fullName"), ("que dit pierre ?", ""),
        ("Que dit Pierre ?", "Pierre=u-pierre/fullName"), ("L'avis d'hélène ?", "hélène=u-helene/fullName"),
    ])
    func findsNames(question: String, expected: String) {
        let names = NameIndex([
            Participant(id: "u-helene", displayName: "Hélène"), Participant(id: "u-pierre", displayName: "Pierre"),
        ])
        let mentions = names.cues(in: question).mentions.map { mention in
            "\(question.part(utf8: mention.range))=\(mention.people.map(\.rawValue).joined())/\(mention.kind)"
        }
        #expect(mentions.joined(separator: "; ") == expected)
    }

    @Test(arguments: [
        ("Où est-ce que j'ai garé mon vélo ?", true), ("Dis-moi ce qu'Hélène a décidé", true),
        ("Qui a garé le vélo ?", false),
    ])
    func noticesTheAsker(question: String, expected: Bool) {
        #expect(NameIndex([]).cues(in: question).namesAsker == expected)
    }

    @Test(arguments: [
        ("Quand commence le contrôle des douze cadres de la mairie ?", true),
        ("Quand est-ce qu'elle vient à l'atelier pour les cadres de la mairie ?", false),
        ("Et pour les cadres de la mairie, qui passe la commande ?", false), ("Et le budget ?", false),
        ("Pourquoi ?", false),
    ])
    func knowsWhatStandsAlone(question: String, expected: Bool) {
        #expect(QuestionDependence.standsAlone(question) == expected)
    }
}
