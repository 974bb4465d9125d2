extension ChangeWords {
    static let german: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            verschoben, verschiebt, verschieben, verlegt, verlegen, vorverlegt, vorgezogen, vertagt, stattdessen, statt, anstatt,
            anstelle, nicht mehr, doch erst, doch nicht, nun doch, jetzt doch, doch noch, sondern, korrektur, berichtigung,
            geandert, anderung, plananderung, wieder um, ab sofort, bleibt bei, bleibt es bei, wir bleiben, zuruck zu,
            ubernimmt, ubernehme, ubernehmen, ersetzt, erst am, jetzt erst, getauscht, wechselt, verlangert, verkurzt, steigt auf,
            sinkt auf, erhoht auf, gesenkt auf, umgestellt auf, zieht um, hat sich erledigt,
            umentschieden, nun um, dauert langer, nach hinten, nach vorne,
            erst ab, erst im, erst um, doch lieber, lieber schon, lieber erst, doch schon,
            gilt wieder, gilt jetzt, gilt nun, anders entschieden, umgeplant, doch anders,
            rutscht auf, ruckt auf, wandert auf, gestiegen auf, gesunken auf, angehoben auf, heraufgesetzt, herabgesetzt, wieder erlaubt,
            vorziehen
            """)
        words.reversals = phraseSet(
            "stattdessen, statt, anstatt, nun doch, doch nicht, jetzt doch, wir bleiben, bleibt es bei, zuruck zu, umentschieden"
        )
        words.corrections = phraseSet(
            """
            korrektur, berichtigung, plananderung, mein fehler, ich lag falsch, habe mich geirrt, hab mich geirrt, habe mich vertan,
            hab mich vertan, umentschieden, kommando zuruck, geandert,
            nochmal nachgedacht, noch mal nachgedacht, nochmal uberlegt, noch mal uberlegt, anders uberlegt
            """)
        words.announcements = phraseSet(
            "neuer termin, neue uhrzeit, neuer ort, neuer preis, neuer zeitpunkt, neuer raum, neuer treffpunkt, neues datum, neue zeit, neue frist"
        )
        words.now = ["jetzt", "nun", "inzwischen", "mittlerweile"]
        words.conclusions = ["dann", "also dann", "gut dann", "ok dann"]
        words.origins = ["von"]
        words.targets = ["auf"]
        words.weak = phraseSet(
            "jetzt, nun, doch, neu, inzwischen, nur noch, ab jetzt, wieder, aber, bleibt, mittlerweile")
        words.endings = phraseSet(
            """
            abgesagt, fallt aus, fallen aus, entfallt, gestrichen, vom tisch, verworfen, zuruckgezogen, abgeblasen, hinfallig,
            gekippt, eingestellt, nicht mehr, wird nichts,
            klappt nicht, klappt doch nicht, hat keinen sinn, kommt nicht in frage, nehmen wir nicht, machen wir nicht, ist raus, ist gestorben,
            geplatzt
            """)
        words.split = [
            ("fallt", "aus"), ("fallen", "aus"), ("doch", "nicht"), ("doch", "kein"), ("doch", "keine"),
            ("doch", "keinen"),
        ]
        words.formerMarks = phraseSet(
            "statt, anstatt, anstelle von, nicht, nicht mehr, doch nicht, und nicht, war, waren, bisher, fruher, vorher, ursprunglich"
        )
        words.proposals = phraseSet(
            """
            konnen wir, konnten wir, sollen wir, sollten wir, wollen wir, vorschlag, vorschlagen, vielleicht, wie ware, ware lieber,
            wurde lieber, lieber ware, falls, wenn, sofern, eventuell, evtl, mochte lieber, besser ware, ware besser, konnte,
            uberlege, uberlegen, hatte lieber, fande,
            lass uns, lasst uns, verschieben wir, wollen wir nicht, wurde gern, wurden gern, wie war s, konnten, ginge auch
            """)
        words.requests = ["bitte", "sag bescheid", "sagt bescheid"]
        words.ends = ["ende"]
        words.acceptances = phraseSet(
            "ja, jo, ok, okay, passt, einverstanden, gern, gerne, gut, klar, machen wir, abgemacht, genehmigt, in ordnung, geht klar, gebongt, super, perfekt"
        )
        words.refusals = phraseSet("nein, ne, nee, nicht, leider, geht nicht, kein, keine")
        words.decisions = phraseSet(
            """
            beschlossen, entschieden, entscheidung, beschluss, wir haben uns geeinigt, geeinigt, wir nehmen, wir bleiben bei, festgelegt,
            genehmigt, vereinbart, abgemacht, wir setzen auf
            """)
        words.roles = phraseSet(
            """
            ubernimmt, ubernehme, ubernehmen, kummert sich, kummert, kummere, verantwortlich, zustandig, macht, mach, mache, leitet,
            betreut, vertritt, schreibt, ansprechpartner, ansprechpartnerin, organisiert, statt ihr, statt ihm
            """)
        words.placeMarks = phraseSet("in, im, ins, beim, auf dem")
        words.rooms = phraseSet("raum, saal, halle, zimmer, stock, etage, gebaude, gleis, werk")
        words.plain = phraseSet(
            """
            alt, alte, alten, alter, altes, neue, neuen, neuer, neues,
            geplant, beginnt, beginn, fangt, an, startet, start, findet, stattfinden, statt, termin, uhr, heute, morgen, alle, hallo,
            bitte, beschlossen, entschieden, entscheidung, betragt, kostet, jeden, immer, montag, dienstag, mittwoch, donnerstag,
            freitag, weil, wegen, ab, endet, bis, wird, liegt, haben, monat, woche, jahr, korrektur, denkt, dran
            """)
        words.replacedBy = "ersetzt durch"
        return words
    }()
}
