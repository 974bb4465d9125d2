import ChatCore
import Testing
import TextAnalysis

@Suite struct StemmerTests {
    /// Word and stem, as SQLite's FTS5 (3.40) gives them with `tokenize = 'porter unicode61'`.
    static let english = pairs(
        """
        caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre
        plastered plaster, bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size
        hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi
        sky sky, relational relat, conditional condit, rational ration, valenci valenc, hesitanci hesit
        digitizer digit, conformabli conform, radicalli radic, differentli differ, vileli vile
        analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal
        decisiveness decis, hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit
        sensibiliti sensibl, triplicate triplic, formative form, formalize formal, electriciti electr
        electrical electr, hopeful hope, goodness good, revival reviv, allowance allow, inference infer
        airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit
        replacement replac, adjustment adjust, dependent depend, adoption adopt, homologou homolog
        communism commun, activate activ, angulariti angular, homologous homolog, effective effect
        bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control, roll roll
        generalizations gener, oscillators oscil, generally gener, archaeology archaeolog, possibly possibl
        abatement abat, abandoned abandon, abilities abil, absence absenc, accident accid
        acknowledging acknowledg, actually actual, adventurous adventur, agencies agenc, agreeable agreeabl
        allied alli, amazingly amazingli, announcement announc, anxieties anxieti, apologies apolog
        arguing argu, argument argument, arrangement arrang, assembly assembl, attendance attend
        authorities author, babies babi, basically basic, beginning begin, believes believ, belongings belong
        boxes box, breathing breath, bullying bulli, business busi, buying bui, calculation calcul
        calmly calmli, campaigns campaign, canceled cancel, careful care, cities citi, classes class
        classically classic, collected collect, coming come, committees committe, communication commun
        community commun, connection connect, connections connect, connective connect, consignment consign
        consistency consist, continuously continu, cooking cook, cries cri, crying cry, dances danc
        dancing danc, dating date, days dai, deadlines deadlin, decided decid, deploying deploi
        deployment deploy, dies di, difficulties difficulti, discussed discuss, dogs dog, dying dy, eating eat
        economically econom, electricity electr, emails email, engineering engin, enjoyed enjoi, enormous enorm
        entirely entir, equipment equip, eventually eventu, exactly exactli, excitement excit
        experiences experi, explained explain, families famili, fastest fastest, feelings feel, fishing fish
        flying fly, friendly friendli, friends friend, gardening garden, generously gener, giving give, goes goe
        greatly greatli, guesses guess, guitars guitar, happiness happi, hiking hike, hobbies hobbi
        holidays holidai, hugging hug, ideally ideal, identification identif, identities ident, inspired inspir
        installing instal, interesting interest, invitation invit, itself itself, knightly knightli
        knitting knit, ladies ladi, lying ly, making make, marriages marriag, meetings meet, meeting meet
        memories memori, motivation motiv, moved move, multiply multipli, negotiated negoti, news new
        nationality nation, noticed notic, organization organ, organizing organ, painting paint, parties parti
        people peopl, photography photographi, picnics picnic, playing plai, policies polici
        possibilities possibl, practically practic, presentation present, probably probabl, proposal propos
        psychology psycholog, publicly publicli, published publish, pulled pull, quickly quickli, quitting quit
        reading read, realized realiz, recently recent, relatives rel, releases releas, reliability reliabl
        replied repli, responsibilities respons, retrieval retriev, running run, said said, scheduled schedul
        sensational sensat, seriously serious, sharing share, shipped ship, skies ski, skiing ski, stories stori
        stressful stress, studies studi, studying studi, supportive support, swimming swim, talked talk
        technologies technolog, tests test, they thei, this thi, thing thing, things thing, training train
        traveling travel, tried tri, trying try, understanding understand, universities univers
        university univers, using us, vacation vacat, valuable valuabl, volunteering volunt, was wa, wedding wed
        weekly weekli, worries worri, writing write, yearly yearli, yes ye, yoga yoga
        """)

    /// Word and stem, as the Snowball project's Python package (3.1) gives them.
    static let german = pairs(
        """
        aufeinander aufeinand, aufeinanderfolge aufeinanderfolg, aufeinanderfolgenden aufeinanderfolg
        aufeinanderschlügen aufeinanderschlug, aufenthalt aufenthalt, aufenthaltes aufenthalt
        auferlegten auferlegt, auferstand auferstand, auferstehung aufersteh, auferweckt auferweckt
        aufessen aufess, auffallend auffall, auffällig auffall, auffälligen auffall, auffassung auffass
        auffassungsvermögen auffassungsvermog, kategorie kategori, kategorien kategori, kategorisch kategor
        kategorischen kategor, kater kat, katers kat, käthchen kathch, katholik kathol, katholische kathol
        kattun kattun, katze katz, katzen katz, katzensprung katzenspr, kätzchen katzch, kätzin katzin
        kauen kau, kaufen kauf, käufer kauf, kaufleute kaufleut, käuflich kauflich, abend abend, abends abend
        änderung ander, änderungen ander, angeboten angebot, antwort antwort, antworten antwort, arbeitet arbeit
        arbeitgeberinnen arbeitgeb, aufgabe aufgab, aufgaben aufgab, ausgezeichnet ausgezeichn, bäume baum
        bedeutung bedeut, besprechung besprech, besprechungen besprech, bewerbung bewerb, bezahlt bezahlt
        bücher buch, büro buro, büros buros, dateien datei, datenbanken datenbank, deutlich deutlich
        donnerstags donnerstag, ehrlichkeit ehrlich, einfach einfach, einladungen einlad, entscheidung entscheid
        entschieden entschied, erfahrungen erfahr, ergebnisse ergebnis, fahren fahr, fahrräder fahrrad
        fehlern fehl, feiern feiern, ferien feri, feuer feu, flüge flug, freundin freundin
        freundinnen freundinn, freundlich freundlich, freundlichkeit freundlich, frühstück fruhstuck
        gefeiert gefeiert, gemütlich gemut, geschenke geschenk, geschwister geschwist, gesundheit gesund
        getränke getrank, großartigen grossart, größer gross, häuser haus, haeuser haus, häuslich hauslich
        hochzeit hochzeit, ideen ide, jährlich jahrlich, kindern kind, kollegin kollegin, kollegen kolleg
        konzerte konzert, krankheit krankheit, kuchen kuch, küche kuch, läuft lauft, laufen lauf
        lehrerinnen lehr, leistungsfähigkeit leistungsfah, mädchen madch, meetings meeting, meinung meinung
        möglichkeiten moglich, montags montag, müde mud, musikalisch musikal, nachrichten nachricht, neue neu
        neuesten neu, nützlich nutzlich, öffnen offn, planet planet, planung planung, projekte projekt
        quelle quell, rechnungen rechnung, regelmäßig regelmass, reisen reis, sauberkeit sauber
        schlüssel schlussel, schönsten schon, schwierigkeiten schwierig, server serv, sitzungen sitzung
        spielte spielt, straße strass, strassen strass, systemen system, tagung tagung, tagungen tagung
        tätigkeit tatig, termine termin, ticket ticket, tickets ticket, treffen treff, übermorgen ubermorg
        umgezogen umgezog, unabhängig unabhang, urlaub urlaub, verantwortlichkeit verantwort
        vereinbarung vereinbar, verhältnisse verhaltnis, verlängert verlangert, verständnis verstandnis
        versuchung versuch, vorschläge vorschlag, wahrscheinlich wahrschein, wohnung wohnung, wohnungen wohnung
        wünsche wunsch, zeugnisse zeugnis, zufriedenheit zufried, zuverlässig zuverlass
        """)

    static func pairs(_ table: String) -> [(word: String, stem: String)] {
        table.split(whereSeparator: { $0 == "," || $0 == "\n" }).compactMap { entry in
            let parts = entry.split(separator: " ").map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
    }

    @Test func tablesAreWhole() {
        #expect(Self.english.count == 273)
        #expect(Self.german.count == 159)
    }

    @Test(arguments: english)
    func stemsEnglishAsPorterDoes(word: String, stem: String) {
        #expect(TextAnalyzer.terms(of: word, language: .english) == [stem])
    }

    @Test(arguments: german)
    func stemsGermanAsSnowballDoes(word: String, stem: String) {
        #expect(TextAnalyzer.terms(of: word, language: .german) == [stem])
    }

    @Test func porterLeavesShortAndVeryLongWordsAlone() {
        let long = String(repeating: "a", count: 62) + "ing"

        #expect(TextAnalyzer.terms(of: "as is was", language: .english) == ["as", "is", "wa"])
        #expect(
            TextAnalyzer.terms(of: String(long.dropFirst()), language: .english) == [String(repeating: "a", count: 61)])
        #expect(TextAnalyzer.terms(of: long + "s", language: .english) == [String((long + "s").prefix(64))])
    }

    @Test func germanStemsHaveNoUmlautsHoweverTheyAreWritten() {
        let spellings = "Häuser haeuser hauser HÄUSER Ha\u{308}user"

        #expect(Set(TextAnalyzer.terms(of: spellings, language: .german)) == ["haus"])
    }

    @Test func otherLanguagesAreNotStemmed() {
        #expect(TextAnalyzer.terms(of: "running Häuser", language: .other) == ["running", "hauser"])
        #expect(TextAnalyzer.terms(of: "running Häuser", language: .japanese) == ["running", "hauser"])
    }
}
