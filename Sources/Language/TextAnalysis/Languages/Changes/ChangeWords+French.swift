extension ChangeWords {
    static let french: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            reporte, reportee, reportes, reportees, report, repousse, repoussee, repousses, repoussees, decale, decalee, decales,
            decalees, deplace, deplacee, avance a, avancee, avancee a, finalement, plutot que, plutot qu, au lieu de, au lieu du,
            au lieu d, a la place, a la place de, desormais, en fait, changement, change, correction, erreur, me suis trompe,
            me suis trompee, remplace, remplacee, on revient, revient en arriere, comme avant, passe a, passent a, passera a, reprend,
            prolonge, prolongee, n est plus, ne sera plus, prend le relais, nouvelle date, nouvel horaire, au final, sera plutot
            """)
        words.reversals = phraseSet(
            "finalement, plutot que, plutot qu, au lieu de, au lieu du, au lieu d, a la place, on revient, comme avant, au final"
        )
        words.weak = phraseSet("maintenant, nouveau, nouvelle, dorenavant, mais, encore, reste")
        words.endings = phraseSet(
            """
            annule, annulee, annules, annulees, abandonne, abandonnee, on abandonne, laisse tomber, laisser tomber, supprime,
            supprimee, n aura pas lieu, tombe a l eau
            """)
        words.split = [("ne", "plus"), ("n", "plus"), ("finalement", "pas")]
        words.formerMarks = phraseSet(
            "plutot que, plutot qu, au lieu de, au lieu du, au lieu d, a la place de, a la place du, pas, plus, et non, et pas, etait, etaient, plus le, pas le"
        )
        words.proposals = phraseSet(
            """
            pourrait, pourrait on, pourrions nous, on pourrait, et si, je prefererais, prefererais, j aimerais, peut etre, je propose,
            proposition, je suggere, ca vous dit, serait mieux, devrait on, faudrait
            """)
        words.conditions = ["si", "s"]
        words.acceptances = phraseSet(
            "oui, ok, d accord, ca marche, parfait, ca me va, entendu, bonne idee, valide, c est bon, tres bien, super")
        words.refusals = phraseSet("non, pas, impossible, desole, desolee, malheureusement")
        words.decisions = phraseSet(
            """
            decide, decidee, decision, on prend, on choisit, on a choisi, retenu, retenue, valide, validee, convenu, on part sur,
            c est acte, approuve
            """)
        words.roles = phraseSet(
            """
            s occupe, s occupera, m occupe, reprend, reprends, responsable, charge de, chargee de, prend en charge, assure, remplace,
            c est moi qui, qui fait, qui fais, je fais, prend le relais, gere, a la place de, redige
            """)
        words.placeMarks = phraseSet("a, au, aux, dans, chez, dans la, a la")
        words.rooms = phraseSet("salle, etage, batiment, bureau, quai, hall")
        words.plain = phraseSet(
            """
            prevu, prevue, prevus, prevues, aura, auront, lieu, aura lieu, commence, commencent, debut, sera, tient, se tient, fera,
            demain, aujourd hui, bonjour, rappel, decision, decide, passe, heure, heures, est, fixe, fixee, samedi, jeudi, mardi,
            lundi, vendredi, mercredi, dimanche, date, semaine, mois, changement, encore, part, erreur
            """)
        words.replacedBy = "remplacé par"
        return words
    }()
}
