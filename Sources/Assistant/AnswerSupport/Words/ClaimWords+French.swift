extension ClaimWords {
    static let french: ClaimWords = {
        var words = ClaimWords()
        words.numbers = wordTable(
            """
            0 zero, 2 deux, 3 trois, 4 quatre, 5 cinq, 6 six, 7 sept, 8 huit, 9 neuf, 10 dix, 11 onze, 12
            douze, 13 treize,
            14 quatorze, 15 quinze, 16 seize, 20 vingt, 30 trente, 40 quarante, 50 cinquante, 60 soixante, 70 septante,
            80 huitante octante, 90 nonante
            """)
        words.multipliers = [
            "cent": 100, "cents": 100, "mille": 1_000, "million": 1e6, "millions": 1e6, "milliard": 1e9,
            "milliards": 1e9, "vingts": 20,
        ]
        words.numberJoints = ["et"]
        words.ordinals = wordTable(
            """
            1 premier premiere 1er 1re, 2 deuxieme seconde 2e, 3 troisieme 3e, 4 quatrieme 4e, 5 cinquieme 5e,
            6 sixieme 6e, 7 septieme 7e, 8 huitieme 8e, 9 neuvieme 9e, 10 dixieme 10e
            """)
        words.halves = ["demi", "demie"]
        words.amounts = [
            "quinze jours": (14 * 1_440, Unit(.time)), "quinzaine": (14 * 1_440, Unit(.time)),
            "huit jours": (7 * 1_440, Unit(.time)), "trimestre": (3, Unit(.months)),
        ]
        words.units = [
            "seconde": .init(.time, 1.0 / 60), "secondes": .init(.time, 1.0 / 60), "minute": .init(.time),
            "minutes": .init(.time), "heure": .init(.time, 60), "heures": .init(.time, 60),
            "jour": .init(.time, 1_440), "jours": .init(.time, 1_440), "semaine": .init(.time, 10_080),
            "semaines": .init(.time, 10_080), "mois": .init(.months), "an": .init(.months, 12),
            "ans": .init(.months, 12), "annee": .init(.months, 12), "annees": .init(.months, 12),
            "pour cent": .init(.percent), "dollar": .init(.dollar), "dollars": .init(.dollar),
            "francs": .init(.franc), "kilogrammes": .init(.mass, 1_000), "grammes": .init(.mass),
            "tonnes": .init(.mass, 1e6), "metres": .init(.length), "kilometres": .init(.length, 1_000),
            "degres": .init(.temperature), "litres": .init(.volume), "kilowattheures": .init(.energy),
        ]
        words.negations = wordSet(
            "pas ni jamais rien personne aucun aucune sans non nul nulle guere n ne cesse")
        words.negations.remove("ne")
        words.negations.remove("n")
        words.negations.remove("personne")
        words.rejections = ["au lieu", "plutot que", "auparavant"]
        words.contrasts = wordSet("et mais")
        words.impliedNegations = wordSet(
            """
            annule annulee annules annulees supprime supprimee cancellee manque manquent gratuit gratuite
            refuse refusent
            refusee rejete rejetee interdit interdite absent absente malade ferme fermee panne indisponible besoin
            """)
        words.telling = wordSet("contre autre autres tous toutes seulement uniquement seuls avant apres plus moins")
        words.opposites = oppositePairs(
            """
            avant / apres
            premier premiere / dernier derniere
            prochain prochaine / dernier derniere passe passee
            plus davantage / moins
            augmente augmentent augmentation hausse monte montee elargie / baisse baissent diminue reduit reduite chute
            ouvert ouverte ouvre / ferme fermee
            accepte acceptent approuve approuvee vote votee adopte adoptee bon / refuse refusent rejete rejetee
            gagne gagnent victoire / perdu perd perdent defaite
            autorise permis / interdit interdite
            gratuit gratuite gratuitement / payant payante
            cher chere / bon
            matin / soir
            debut commence commencent / fin finit termine terminee terminees
            tot / tard
            distance visio visioconference / place presentiel
            neuf neufs neuve neuves / changer vieux usee
            achete / vend vendu
            annule annulee supprime supprimee cancellee / maintenu maintenue circule
            aller / retour rentrent
            avec / sans
            tourne cours / terminee terminees fini finie
            attende attendre / commencez commencer
            vite rapide / long lent
            marche fonctionne / panne casse
            present presente / absent absente
            """)
        words.reports = wordSet(
            """
            dit dire disait ecrit ecrivait selon indique mentionne annonce annonce explique precise demande pense
            croit
            confirme signale message d apres
            """)
        words.writer = ["je", "j", "moi", "me", "mon", "ma", "mes", "nous", "notre", "nos", "on"]
        words.fillers = wordSet(
            """
            est sont etait etaient sera seront a ont avait aura auront ete etre avoir lieu fait font faire faut doit
            doivent peut peuvent aussi cependant actuellement environ encore deja moment se trouve trouvent c qu pour
            s eleve elevent reste sources messages prevu prevue y il elle ils elles au total
            """)
        words.ignorance = [
            "ne sais pas", "sais pas", "aucune information", "pas d information", "pas trouve", "rien trouve",
            "ne mentionnent pas", "ne precise", "ne disent pas", "aucune reponse", "ne permet pas",
        ]
        words.courtesies = wordSet(
            """
            bonjour salut merci bonsoir voici bien sur avec plaisir volontiers je vous en prie n hesitez hesite pas a
            demander si avez as d autres questions question j espere que cela ca aide
            """)
        words.clauseLeads = wordSet("mais car parce tandis donc puis et sinon alors")
        words.before = ["avant"]
        words.after = ["apres"]
        words.first = wordSet("abord premierement")
        words.next = wordSet("ensuite puis enfin")
        words.than = wordSet("que qu")
        words.more = wordSet("plus meilleur meilleure")
        words.less = ["moins"]
        words.roles = [
            "de": "de", "du": "de", "d": "de", "a": "a", "au": "a", "par": "par", "pour": "pour", "avec": "avec",
            "contre": "contre", "que": "que",
        ]
        return words
    }()
}
