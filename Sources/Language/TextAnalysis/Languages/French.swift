extension Language {
    static let french: Language = {
        var french = Language(.french)
        french.stem = FrenchStemmer.stem
        french.stopWords = stopWords
        french.voters = voters
        french.letters = "àâçèéêëîïôœùûÀÂÇÈÉÊËÎÏÔŒÙÛ"
        french.abbreviations = wordSet("mme mlle env")
        french.pronouns = pronouns
        french.questions = questions
        french.names = names
        french.dates = dates
        french.numbers = wordSet(
            """
            deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante
            cinquante soixante cent cents mille million millions dizaine douzaine quinzaine vingtaine centaine quelques
            plusieurs premier premiere deuxieme second seconde troisieme demi
            """)
        french.times = wordSet(
            """
            hier avant aujourd demain apres semaine semaines week mois annee annees an ans jour jours journee heure
            heures dernier derniere derniers dernieres prochain prochaine prochains prochaines matin matinee midi soir
            soiree nuit lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet
            aout septembre octobre novembre decembre recemment depuis ete hiver printemps automne bientot
            """)
        french.wanted = WantedWords(
            times: ["quand"], timeLeads: wordSet("quel quelle quels quelles"),
            timeNouns: wordSet("jour jours date dates mois annee heure semaine"), numbers: ["combien"])
        french.people = PeopleWords(
            everybody: ["tous", "toutes", "tout le monde", "nous", "on", "l equipe", "quelqu un", "personne"],
            writer: ["je", "moi", "l auteur", "l expediteur"], reader: ["tu", "toi", "vous"])
        french.urgency = UrgencyWords(high: ["haute", "urgent", "urgente"], low: ["basse", "faible"])
        french.unknown = ["aucun", "aucune", "inconnu"]
        french.changes = .french
        french.asOf = .french
        return french
    }()

    /// Holds the question words and the pieces that elisions leave ("l'atelier" is l and atelier).
    private static let stopWords = wordSet(
        """
        a ai aie aient ainsi alors apres as assez au aucun aucune aura aurait auraient aussi autre autres aux avaient
        avais avait avant avec avez avoir avons ayant bien c ca car ce ceci cela celle celles celui ces cet cette ceux
        chaque chez ci combien comme comment d dans de deja depuis des dessous dessus deux dois doit doivent donc dont
        du elle elles en encore entre es est et etaient etais etait etant etes etre eu eux fait faire faut fut furent
        hors ici il ils j je jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque
        lui m ma mais me meme memes mes mien mienne moi moins mon n ne ni non nos notre nous on ont ou par parce parmi
        pas pendant peu peut peuvent peux plus plutot pour pourquoi pouvoir puis puisqu puisque qu quand que quel quelle
        quelles quelqu quelque quelques quels qui quoi quoiqu quoique s sa sans sauf se sera serait seraient ses si sien
        sienne soi soit sommes son sont sous suis sur t ta tandis tant te tel telle telles tels tes tien toi ton tous
        tout toute toutes tres tu un une va vers veut veux voici voila vont vos votre vous vu y
        """)

    /// Without words that are nouns of English, and with some of greetings and dates, which chats are full of.
    private static let voters = stopWords.subtracting(wordSet("d m s t car dont son ton plus comment")).union(
        wordSet(
            """
            oui merci bonjour salut bonsoir coucou demain aujourd hui jour jours semaine semaines mois heure heures dit
            dis lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier avril juin juillet aout septembre
            octobre novembre decembre
            """))

    private static let pronouns = PronounWords(
        personal: wordSet("elle ils elles lui leur leurs eux son sa ses celui celle ceux celles"),
        things: wordSet("ca cela ceci dedans dessus dessous laquelle lequel"),
        impersonal: ["il"], demonstratives: wordSet("ce cet cette ces"))

    private static let questions = QuestionWords(
        conjunctions: wordSet("et mais ou donc"), openings: ["qu en est", "qu en", "quid de", "quid du"],
        existences: wordSet("y a faut s"),
        times: wordSet(
            """
            jour semaine week weekend mois trimestre annee matin midi soir nuit printemps ete automne hiver lundi mardi
            mercredi jeudi vendredi samedi dimanche apres
            """),
        asker: wordSet("je j moi mon ma mes mien mienne"), askerObjects: ["me", "m"],
        requests: wordSet("dis dites montre montrez donne donnez rappelle rappelez aide aidez trouve trouvez envoie"),
        requestLeads: wordSet("peux pouvez tu vous et"), channels: wordSet("canal groupe salon fil discussion"))

    private static let names = NameWords(
        ordinary: wordSet(
            """
            aime ange aurore blanche capucine clement constance constant desire felicite fleur france franc gentil grand
            iris jasmin juste lilas marguerite marin martin modeste noel olive parfait pascal pierre pomme prudence
            prune rolland romain rose roux sylvestre violette victoire
            """),
        titles: wordSet("m mme mlle monsieur madame dr"))

    private static let dates: DateWords = {
        var dates = DateWords()
        dates.months = [
            "janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre",
            "novembre", "decembre",
        ]
        dates.otherMonths = [
            "janv": 1, "fev": 2, "fevr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
        ]
        dates.plainMonths = Set(dates.months)
        dates.weekdays = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
        dates.units = wordTable(
            (.hour, "heure heures"), (.day, "jour jours"), (.week, "semaine semaines"), (.weekend, "weekend weekends"),
            (.month, "mois"), (.quarter, "trimestre trimestres"), (.year, "an ans annee annees")
        ).merging(["week end": .weekend, "week ends": .weekend]) { first, _ in first }
        dates.days = [
            "aujourd hui": 0, "hier": -1, "avant hier": -2, "demain": 1, "apres demain": 2, "surlendemain": 2,
        ]
        dates.dayParts = [
            "matin": 5..<12, "matinee": 5..<12, "midi": 11..<14, "apres midi": 12..<18, "aprem": 12..<18,
            "soir": 17..<24, "soiree": 17..<24, "nuit": 18..<30,
        ]
        dates.dayPartLeads = wordSet("dans la le l au en")
        dates.modifiers = wordTable(
            (-1, "dernier derniere derniers dernieres"), (0, "ce cet cette"),
            (1, "prochain prochaine prochains prochaines"))
        dates.laterModifiers = wordTable(
            (-1, "dernier derniere derniers dernieres passe passee precedent precedente"),
            (0, "ci"), (1, "prochain prochaine prochains prochaines suivant suivante")
        ).merging(["qui vient": 1, "en cours": 0]) { first, _ in first }
        dates.seasons = ["printemps": 3, "ete": 6, "automne": 9, "hiver": 12]
        dates.seasonLeads = ["en", "l", "au", "le", "cet"]
        dates.numbers = [
            "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8,
            "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "quinze": 15,
        ]
        dates.few = ["quelques", "plusieurs"]
        dates.ofs = ["de", "d"]
        dates.ordinalEndings = ["er"]
        dates.monthParts = wordTable((1...10, "debut"), (11...20, "mi milieu courant"), (21...31, "fin"))
        dates.bounds = wordTable(
            (.since, "depuis"), (.before, "avant"), (.until, "jusqu jusque"), (.after, "apres"))
        dates.articles = wordSet("le la les l de du des d a au en")
        dates.spanLeads = ["entre", "du", "de"]
        dates.spanJoints = ["et", "a", "au", "jusqu"]
        dates.agoLeads = ["il y a", "y a"]
        dates.weekdayLeads = ["le"]
        dates.weekendLeads = ["le", "ce"]
        dates.monthLeads = wordSet("en de du d depuis avant apres jusqu a au annee mois")
        dates.slashedLeads = wordSet("le du au avant depuis jusqu")
        dates.bareOrdinalLeads = ["le"]
        dates.negations = ["pas", "sauf"]
        dates.recurring = ["chaque", "tous", "toutes"]
        dates.recurringFillers = wordSet("les deux trois")
        dates.recurringDays = wordSet(
            "lundis mardis mercredis jeudis vendredis samedis dimanches quotidiennement mensuellement hebdomadaire")
        dates.zones = zones
        dates.due = due
        return dates
    }()

    private static let zones = ZoneWords(
        names: [
            "heure locale": .own, "notre heure": .own, "temps universel": .offset(0), "heure du pacifique": .pacific,
            "heure d europe centrale": .hours(1),
        ],
        cities: [
            "londres": "Europe/London", "bruxelles": "Europe/Brussels", "geneve": "Europe/Zurich",
            "moscou": "Europe/Moscow",
            "lisbonne": "Europe/Lisbon", "vienne": "Europe/Vienna", "pekin": "Asia/Shanghai",
            "montreal": "America/Toronto",
            "rome": "Europe/Rome", "athenes": "Europe/Athens", "varsovie": "Europe/Warsaw", "le caire": "Africa/Cairo",
        ],
        leads: ["heure", "heures"], leadJoints: ["de", "d", "du"])

    private static let due: DueWords = {
        var due = DueWords()
        due.days = ["aujourd hui": 0, "demain": 1, "apres demain": 2]
        due.past = ["hier"]
        due.before = ["avant"]
        due.after = ["apres", "depuis"]
        due.alternatives = ["ou"]
        due.betweens = ["entre"]
        due.conjunctions = ["et"]
        due.distanceJoints = ["apres"]
        due.todayLeads = ["ce", "cet", "cette"]
        due.todayParts = ["matin", "midi", "apres midi", "aprem", "soir"]
        due.joints = wordSet("a au vers avant jusqu le la l en de du d pour ce cet")
        due.leads = wordSet("le au avant d ici jusqu pour du des deadline echeance")
        due.monthLeads = wordSet("en avant d ici jusqu")
        due.weeksLater = ["en huit": 1, "en quinze": 2]
        due.coming = ["prochain", "qui vient", "suivant"]
        due.parts = wordTable((.beginning, "debut"), (.middle, "mi milieu"), (.end, "fin"))
        due.articles = ["le", "la", "l"]
        due.distances = ["dans", "sous"]
        due.weekdayDistances = ["dans"]
        due.fillers = ["les", "environ"]
        due.countJoints = ["a", "ou"]
        due.workingBehind = ["ouvres", "ouvre", "ouvrables", "ouvrable"]
        due.longUnits = ["quinzaine": 15, "huitaine": 8]
        due.dayLetters = ["j": 1]
        due.minutes = wordTable((1, "minute minutes min mn"), (60, "heure heures h"))
        due.halves = ["demi"]
        due.halfFillers = ["une"]
        (due.halfJoints, due.halvesBehind) = (["et"], ["demi", "demie"])
        due.times = ["midi": 720, "minuit": 1_440, "eod": 1_440]
        due.dayParts = [
            "matin": 720, "matinee": 720, "apres midi": 1_080, "aprem": 1_080, "soir": 1_440, "soiree": 1_440,
        ]
        due.dayEnds = ["fin journee": 1_020, "fin jour": 1_440]
        due.dayEndFillers = ["de", "la", "du"]
        due.clocks = ["h", "heure", "heures"]
        due.clockLetters = ["h"]
        due.hourLeads = ["a", "vers", "avant"]
        due.amounts = wordSet("euro euros eur pour francs km kg")
        due.exactHourLeads = ["a", "vers"]
        due.dayHalves = ["du matin": .am, "du soir": .pm, "de l apres midi": .pm, "de la nuit": .night]
        due.minuteTails = ["et demie": 30, "et demi": 30, "et quart": 15, "moins le quart": -15]
        return due
    }()
}
