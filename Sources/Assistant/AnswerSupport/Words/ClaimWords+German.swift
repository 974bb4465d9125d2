extension ClaimWords {
    static let german: ClaimWords = {
        var words = ClaimWords()
        words.numbers = wordTable(
            """
            0 null, 1 eins, 2 zwei zwo beide beiden, 3 drei, 4 vier, 5 funf, 6 sechs, 7 sieben, 8 acht, 9 neun, 10 zehn,
            11 elf, 12 zwolf dutzend, 13 dreizehn, 14 vierzehn, 15 funfzehn, 16 sechzehn, 17 siebzehn, 18 achtzehn,
            19 neunzehn, 20 zwanzig, 30 dreissig, 40 vierzig, 50 funfzig, 60 sechzig, 70 siebzig, 80 achtzig,
            90 neunzig,
            1.5 anderthalb eineinhalb, 2.5 zweieinhalb, 3.5 dreieinhalb
            """)
        words.multipliers = [
            "hundert": 100, "tausend": 1_000, "million": 1e6, "millionen": 1e6, "mio": 1e6, "milliarde": 1e9,
            "milliarden": 1e9, "mrd": 1e9,
        ]
        words.numberJoints = ["und"]
        words.ordinals = wordTable(
            """
            1 erste ersten erster erstes, 2 zweite zweiten zweiter zweites zweimal, 3 dritte dritten dritter drittes
            dreimal, 4 vierte vierten vierter, 5 funfte funften funfter, 6 sechste sechsten, 7 siebte siebten, 8 achte
            achten, 9 neunte neunten, 10 zehnte zehnten
            """)
        words.halves = ["halbe", "halben", "halbes", "halber"]
        words.units = [
            "sekunde": .init(.time, 1.0 / 60), "sekunden": .init(.time, 1.0 / 60), "minute": .init(.time),
            "minuten": .init(.time), "stunde": .init(.time, 60), "stunden": .init(.time, 60), "std": .init(.time, 60),
            "tag": .init(.time, 1_440), "tage": .init(.time, 1_440), "tagen": .init(.time, 1_440),
            "woche": .init(.time, 10_080), "wochen": .init(.time, 10_080), "monat": .init(.months),
            "monate": .init(.months), "monaten": .init(.months), "jahr": .init(.months, 12),
            "jahre": .init(.months, 12), "jahren": .init(.months, 12), "prozent": .init(.percent),
            "dollar": .init(.dollar), "franken": .init(.franc), "kilogramm": .init(.mass, 1_000),
            "gramm": .init(.mass), "tonnen": .init(.mass, 1e6), "meter": .init(.length), "metern": .init(.length),
            "kilometer": .init(.length, 1_000), "grad": .init(.temperature), "liter": .init(.volume),
            "kubikmeter": .init(.volume, 1_000), "kilowattstunden": .init(.energy), "cent": .init(.euro, 0.01),
        ]
        words.negations = wordSet(
            """
            nicht nichts nie niemals niemand nirgends kein keine keinen keinem keiner keines keins weder noch ohne
            nein
            ned net nix
            """)
        words.negations.remove("noch")
        words.rejections = ["statt", "anstatt", "anstelle", "vorher war", "fruher war", "bisher war"]
        words.contrasts = wordSet("und aber sondern")
        words.impliedNegations = wordSet(
            """
            abgesagt ausgefallen fallt entfallt fehlt fehlen gratis kostenlos umsonst abgelehnt verweigert verboten
            krank erkrankt
            geschlossen kaputt defekt abwesend gescheitert gebraucht benotigt
            """)
        words.telling = wordSet("gegen dagegen andere anderen anderer ubrigen alle nur vor nach mehr weniger beide")
        words.opposites = oppositePairs(
            """
            vor vorher / nach danach nachher
            erste erster erst zuerst / letzte letzter zuletzt
            fruher / spater
            nachste nachsten nachster kommende kommenden / letzte letzten letzter vergangene vergangenen
            mehr / weniger
            hoher / niedriger tiefer
            steigt steigen gestiegen erhoht vergrossert gewachsen verlangert zugenommen / sinkt sinken gesunken \
            gesenkt verkleinert geschrumpft verkurzt gekurzt abgenommen
            offen geoffnet offnet auf / geschlossen schliesst zu
            angenommen freigegeben genehmigt bewilligt zugestimmt bewilligung / abgelehnt verweigert gescheitert \
            scheiterte verweigerte verworfen
            gewonnen gewinnt / verloren verliert
            erlaubt durfen darf / verboten untersagt
            kostenlos gratis umsonst / kostenpflichtig
            gunstiger billiger / teurer
            vorne / hinten
            links / rechts
            morgens fruh vormittags / abends abend
            beginnt beginn anfang start / endet ende schluss
            neu neue / alt alte
            kauft gekauft / verkauft
            abgesagt ausgefallen fallt entfallt / statt stattfindet
            kaputt defekt sturzt absturzt / funktioniert ok lauft
            bleibt bleiben / geht wechselt
            langer / kurzer
            gesund / krank erkrankt
            hin hinfahrt hinreise / zuruck ruckfahrt ruckflug ruckreise
            trocken / nass
            mit / ohne
            bekommt kriegt bekommen kriegen erhalt / zahlen nachzahlen nachzahlung zahlt
            warten wartet / anfangen fangt beginnen
            schneller / langsamer
            """)
        words.reports = wordSet(
            """
            sagte sagt sagen schrieb schreibt geschrieben teilte mitgeteilt erwahnte berichtet berichtete laut erklarte
            meint meinte glaubt vermutet bittet bat angekundigt nachricht sollen mochte moechte will plant
            """)
        words.writer = [
            "ich", "mich", "mir", "mein", "meine", "meinen", "meinem", "meiner", "wir", "uns", "unser", "unsere", "bin",
            "hab", "habe",
        ]
        words.fillers = wordSet(
            """
            findet statt stattfinden ist sind war waren wird werden wurde wurden worden hat haben hatte muss mussen
            soll
            sollen sollte kann konnen auch jedoch ausserdem derzeit aktuell momentan bereits schon noch weiterhin etwa
            rund ungefahr circa lediglich nur insgesamt zusammen dabei dazu gibt geht gilt befindet liegt daher deshalb
            betragt betrug quellen nachrichten trotzdem machen macht
            """)
        words.fillers.subtract(["statt"])
        words.ignorance = [
            "weiss nicht", "weiss ich nicht", "keine informationen", "keine information", "nicht finden",
            "nichts gefunden", "nicht erwahnt", "geht nicht hervor", "keine angaben", "nicht bekannt", "keine antwort",
        ]
        words.courtesies = wordSet(
            """
            hallo hi danke gern gerne bitte klar naturlich guten tag hilft hoffe ich das dir ihnen weiter hier weitere
            weiteren fragen frage haben hast wissen lass lassen sie mich melde melden meld stehe verfugung zur bei falls
            wenn
            """)
        words.clauseLeads = wordSet("aber weil obwohl wahrend denn und sondern dann damit da")
        words.before = wordSet("vor bevor ehe")
        words.after = wordSet("nach nachdem")
        words.first = wordSet("erst zuerst zunachst")
        words.next = wordSet("dann danach anschliessend zuletzt schliesslich")
        words.than = ["als"]
        words.more = ["mehr", "besser"]
        words.less = ["weniger"]
        words.comparativeEndings = ["er"]
        words.roles = [
            "von": "von", "vom": "von", "an": "an", "auf": "auf", "fur": "fur", "mit": "mit", "gegen": "gegen",
            "als": "als", "zu": "auf", "zum": "auf", "bei": "bei",
        ]
        return words
    }()
}
