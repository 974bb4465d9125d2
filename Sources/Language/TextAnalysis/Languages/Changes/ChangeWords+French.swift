extension ChangeWords {
    static let french: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            reporte, reportee, reportes, reportees, report, repousse, repoussee, repousses, repoussees, decale, decalee, decales,
            decalees, deplace, deplacee, avance a, avancee, avancee a, finalement, plutot que, plutot qu, au lieu de, au lieu du,
            au lieu d, a la place, a la place de, desormais, en fait, changement, change, correction, erreur, me suis trompe,
            me suis trompee, remplace, remplacee, on revient, revient en arriere, comme avant, passe a, passent a, passera a, reprend,
            prolonge, prolongee, n est plus, ne sera plus, prend le relais, au final, sera plutot,
            repousser, reporter, decaler, avancer, on passe a, on decale, on repousse, on avance, on reporte, report au, plutot le, plutot a,
            on change,
            tout compte fait, monte a, montent a, baisse a, descend a, augmente a, passe de, est passe, est passee, sont passes, retour a,
            a nouveau autorise, est maintenant, c est maintenant, sera maintenant, ce sera, du coup c est, seulement le
            """)
        words.reversals = phraseSet(
            "finalement, plutot que, plutot qu, au lieu de, au lieu du, au lieu d, a la place, on revient, comme avant, au final"
        )
        words.corrections = phraseSet(
            """
            correction, rectification, je rectifie, je corrige, erreur, erreur de ma part, me suis trompe, me suis trompee, contrordre,
            contre ordre, autant pour moi, changement de programme, changement de plan,
            reflexion faite, apres reflexion, j ai reflechi
            """)
        words.announcements = phraseSet(
            "nouvelle date, nouvel horaire, nouveau creneau, nouveau lieu, nouvelle heure, nouveau prix, nouveau tarif, nouvelle salle, nouveau delai"
        )
        words.now = ["maintenant", "desormais", "dorenavant"]
        words.conclusions = ["alors", "donc", "du coup", "bon alors", "ok alors"]
        words.origins = ["de", "du"]
        words.targets = ["a", "au"]
        words.weak = phraseSet("maintenant, nouveau, nouvelle, dorenavant, mais, encore, reste")
        words.endings = phraseSet(
            """
            annule, annulee, annules, annulees, abandonne, abandonnee, on abandonne, laisse tomber, laisser tomber, supprime,
            supprimee, n aura pas lieu, tombe a l eau,
            on ne prend pas, on ne prend plus, n aura plus lieu, n a plus lieu, ne se fera pas, ne se fait plus, c est mort, ecarte, ecartee
            """)
        words.split = [("ne", "plus"), ("n", "plus"), ("finalement", "pas")]
        words.formerMarks = phraseSet(
            "plutot que, plutot qu, au lieu de, au lieu du, au lieu d, a la place de, a la place du, pas, plus, et non, et pas, etait, etaient, plus le, pas le"
        )
        words.proposals = phraseSet(
            """
            pourrait, pourrait on, pourrions nous, on pourrait, et si, je prefererais, prefererais, j aimerais, peut etre, je propose,
            proposition, je suggere, ca vous dit, serait mieux, devrait on, faudrait,
            on pourra, et si on, ca te dit, je verrais bien, ce serait bien, il faudrait, deplacons, decalons
            """)
        words.conditions = ["si", "s"]
        words.requests = ["s il te plait", "s il vous plait", "merci de", "stp", "svp"]
        words.ends = ["fin"]
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
            ancien, ancienne, anciens, anciennes, vieux, vieille,
            prevu, prevue, prevus, prevues, aura, auront, lieu, aura lieu, commence, commencent, debut, sera, tient, se tient, fera,
            demain, aujourd hui, bonjour, rappel, decision, decide, passe, heure, heures, est, fixe, fixee, samedi, jeudi, mardi,
            lundi, vendredi, mercredi, dimanche, date, semaine, mois, changement, encore, part, erreur
            """)
        words.replacedBy = "remplacé par"
        return words
    }()
}
