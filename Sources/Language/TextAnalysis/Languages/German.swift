extension Language {
    static let german: Language = {
        var german = Language(.german)
        german.stem = GermanStemmer.stem
        german.stopWords = stopWords
        german.voters = stopWords.subtracting(wordSet("so an man um"))
        german.letters = "äöüßÄÖÜ"
        german.abbreviations = wordSet(
            """
            bzw ca ggf evtl inkl exkl vgl zzgl nr abs hr fr mio mrd okt dez mrz bspw sog tel
            """)
        german.pronouns = pronouns
        german.questions = questions
        german.names = names
        german.dates = dates
        german.numbers = wordSet(
            """
            eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert tausend million paar
            dutzend einige mehrere erste zweite dritte einmal zweimal
            """)
        german.times = wordSet(
            """
            gestern heute morgen woche wochenende monat jahr tag tage wochen monate jahre letzte letzten nachste
            nachsten nachmittag abend nacht montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar
            marz mai juni juli oktober dezember neulich kurzlich seit sommer winter fruhling herbst
            """)
        german.wanted = WantedWords(
            times: ["wann"], timeLeads: ["welche", "welcher", "welches", "welchem", "welchen"],
            timeNouns: ["datum", "tag", "monat", "jahr", "uhrzeit"], numbers: ["wieviel", "wieviele"],
            numberLeads: ["wie"], numberWords: ["viel", "viele", "lange", "oft", "alt"])
        german.people = PeopleWords(
            everybody: ["alle", "wir", "jemand"], writer: ["ich", "mir"], reader: ["du", "dir", "sie", "ihnen"])
        german.urgency = UrgencyWords(high: ["hoch"], low: ["niedrig"])
        german.changes = .german
        german.asOf = .german
        return german
    }()

    /// Holds the spellings without umlauts, too ("fuer").
    private static let stopWords = wordSet(
        """
        ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus bei
        beim bereits bin bis bist bitte da dabei dafur dafuer damit dann daran darauf darum das dass davon dazu dein
        deine deinem deinen deiner deines dem den denen denn der deren des dessen dich die dies diese diesem diesen
        dieser dieses dir doch dort du durch ein eine einem einen einer eines einige einigem einigen einiger einmal
        er es etwas euch euer eure eurem euren eurer fur fuer gab gegen gewesen gibt hab habe haben habt hast hat
        hatte hatten hattest hattet haette haetten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres
        im in indem ins ist ja jede jedem jeden jeder jedes jene jenem jenen jener jetzt kann kannst kein keine
        keinem keinen keiner konnen koennen konnt konnte konnten koennte koennten machen man manche manchem manchen
        mancher mein meine meinem meinen meiner meines mich mir mit muss mussen muessen musste mussten nach nein
        nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seines seit selbst sich sie
        sind so solche solchem solchen solcher soll sollen sollte sollten sondern sonst uber ueber um und uns unser
        unsere unserem unseren unter viel viele vom von vor wahrend waehrend wann war waren warst warum was wegen
        weil welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen wie wieder wieso
        will wir wird wirst wo woher wohin wollen wollte wollten womit woran worden woruber worueber wurde wurden
        wuerde wuerden zu zum zur zwar zwischen
        """)

    private static let pronouns = PronounWords(
        personal: wordSet(
            "er sie ihn ihm ihnen ihr ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines deren dessen"),
        things: wordSet(
            """
            dort damals dafur dafuer davon dazu damit daran daruber darueber dabei dagegen danach darauf darin jene
            jenem jenen jener jenes derselbe dieselbe dasselbe
            """),
        impersonal: ["es"], demonstratives: wordSet("dies diese diesem diesen dieser dieses"),
        articles: wordSet("das die der den dem"))

    private static let questions = QuestionWords(
        conjunctions: wordSet("und aber oder sondern"), openings: ["was ist mit", "wie ist es"],
        existences: wordSet("gibt gab geben geht ging"),
        times: wordSet(
            """
            tage tagen woche wochen wochenende monat quartal jahr morgen vormittag nachmittag abend fruhling sommer
            herbst winter montag dienstag mittwoch donnerstag freitag samstag sonntag
            """),
        asker: wordSet("ich mich mein meine meinem meinen meiner meines"), askerObjects: ["mir"],
        requests: wordSet("sag sage zeig zeige gib nenn nenne hilf erzahl such"),
        requestLeads: wordSet("bitte du und"), channels: wordSet("kanal gruppe raum unterhaltung"))

    private static let names = NameWords(
        ordinary: wordSet(
            "ernst klein kurz lang neu rosa sonne stark stein wolf frei jung gross wild kraft"),
        titles: wordSet("dr prof herr frau"), particles: wordSet("von vom der den das und"), genitive: "s")

    private static let dates: DateWords = {
        var dates = DateWords()
        dates.months = [
            "januar", "februar", "marz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
            "dezember",
        ]
        dates.otherMonths = ["maerz": 3, "okt": 10, "dez": 12, "janner": 1, "jaenner": 1, "mrz": 3]
        dates.plainMonths = wordSet("januar februar marz maerz juli september oktober november dezember")
        dates.weekdays = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
        dates.otherWeekdays = ["sonnabend": 6]
        dates.capitalisesMonths = true
        dates.hasCapitalNouns = true
        dates.units = wordTable(
            (.hour, "stunde stunden"), (.day, "tag tage tagen"), (.week, "woche wochen"),
            (.weekend, "wochenende wochenenden"), (.month, "monat monats monate monaten"),
            (.quarter, "quartal quartals quartalen"), (.year, "jahr jahrs jahres jahre jahren"))
        dates.days = [
            "heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1, "ubermorgen": 2, "uebermorgen": 2,
        ]
        dates.dayNouns = ["morgen": ["guten", "jeden", "am", "den", "diesen"]]
        dates.dayParts = [
            "fruh": 5..<12, "frueh": 5..<12, "morgen": 5..<12, "vormittag": 8..<12, "mittag": 11..<14,
            "nachmittag": 12..<18, "abend": 17..<24, "nacht": 18..<30,
        ]
        dates.modifiers = wordTable(
            (-1, "letzt vergangen vorig"), (0, "dies aktuell laufend"), (1, "nachst naechst kommend"))
        dates.modifierEndings = ["en", "er", "es", "em", "e"]
        dates.seasons = [
            "fruhling": 3, "fruehling": 3, "fruhjahr": 3, "fruehjahr": 3, "sommer": 6, "herbst": 9, "winter": 12,
        ]
        dates.seasonLeads = ["in", "im"]
        dates.numbers = [
            "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5,
            "fuenf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwolf": 12,
            "zwoelf": 12,
        ]
        dates.few = ["paar", "einigen", "wenigen", "mehreren"]
        dates.monthParts = wordTable((1...10, "anfang"), (11...20, "mitte"), (21...31, "ende"))
        dates.bounds = ["seit": .since, "vor": .before, "bis": .until, "nach": .after]
        dates.articles = wordSet("dem der den des zum zur in im am")
        dates.spanLeads = ["zwischen", "von", "vom"]
        dates.spanJoints = ["und", "bis"]
        dates.agoLeads = ["vor"]
        dates.weekdayLeads = ["am"]
        dates.weekendLeads = ["am"]
        dates.monthLeads = wordSet("in im ab jahr jahre seit bis nach vor")
        dates.dottedLeads = wordSet("am vom zum bis seit dem den der ab")
        dates.dottedOrdinalLeads = ["am", "zum", "vom"]
        dates.negations = ["nicht", "kein", "keinen", "ausser"]
        dates.recurring = ["jeden", "jede", "jedes", "jeder", "jedem", "alle", "aller"]
        dates.recurringFillers = wordSet("zweiten zweite zweites dritten zwei drei vier paar")
        dates.recurringDays = wordSet(
            """
            montags dienstags mittwochs donnerstags freitags samstags sonnabends sonntags taglich taeglich wochentlich
            woechentlich monatlich jahrlich jaehrlich werktags
            """)
        dates.zones = zones
        dates.due = due
        return dates
    }()

    private static let zones = ZoneWords(
        names: [
            "ortszeit": .own, "lokalzeit": .own, "unserer zeit": .own, "meiner zeit": .own, "weltzeit": .offset(0),
            "mitteleuropaische zeit": .hours(1), "mitteleuropaischer zeit": .hours(1),
            "mitteleuropaische sommerzeit": .hours(2), "deutscher zeit": .named("Europe/Berlin"),
            "deutsche zeit": .named("Europe/Berlin"), "britischer zeit": .named("Europe/London"),
            "japanischer zeit": .named("Asia/Tokyo"), "mez": .hours(1), "mesz": .hours(2),
        ],
        cities: [
            "wien": "Europe/Vienna", "munchen": "Europe/Berlin", "koln": "Europe/Berlin", "moskau": "Europe/Moscow",
            "warschau": "Europe/Warsaw", "lissabon": "Europe/Lisbon", "tokio": "Asia/Tokyo", "peking": "Asia/Shanghai",
            "rom": "Europe/Rome", "prag": "Europe/Prague", "athen": "Europe/Athens", "kairo": "Africa/Cairo",
            "brussel": "Europe/Brussels", "genf": "Europe/Zurich", "wiener": "Europe/Vienna",
            "munchner": "Europe/Berlin", "zurcher": "Europe/Zurich", "tokioter": "Asia/Tokyo",
        ],
        tails: ["zeit"], tailEndings: ["er"], compounds: ["zeit"],
        ordinaryCompounds: wordSet(
            "mahlzeit freizeit auszeit essenszeit arbeitszeit mittagszeit uhrzeit jederzeit derzeit"))

    private static let due: DueWords = {
        var due = DueWords()
        due.days = ["heute": 0, "morgen": 1, "ubermorgen": 2, "uebermorgen": 2]
        due.past = ["gestern", "vorgestern"]
        due.before = ["vor"]
        due.after = ["nach", "seit"]
        due.alternatives = ["oder"]
        due.betweens = ["zwischen"]
        due.conjunctions = ["und"]
        due.distanceJoints = ["nach", "ab"]
        due.joints = wordSet("um am bis in spatestens spaetestens gegen vor zum")
        due.leads = wordSet(
            "am bis zum vom ab dem den der vor spatestens spaetestens fallig faellig deadline")
        due.monthLeads = wordSet("in im vor bis")
        due.dottedOrdinalLeads = wordSet("am zum bis den dem")
        due.rareShortWeekdays = ["mo": 1, "di": 2, "mi": 3, "do": 4, "fr": 5, "sa": 6, "so": 7]
        due.shortWeekdayLeads = wordSet("bis am ab zum vor")
        due.coming = ["kommend"]
        due.weeks = wordTable(
            (2, "ubernachste ubernachsten ubernachster uebernaechste uebernaechsten uebernaechster")
        ).reduce(into: [:]) { $0[$1.key + " woche"] = $1.value }
        due.parts = ["anfang": .beginning, "mitte": .middle, "ende": .end]
        due.ends = ["monatsende": .month, "quartalsende": .quarter, "jahresende": .year]
        due.articles = ["das", "dem"]
        due.distances = ["in", "binnen", "innerhalb"]
        due.weekdayDistances = ["in"]
        due.fillers = wordSet("von den der nachsten naechsten etwa ca")
        due.countJoints = ["bis", "oder"]
        due.workingDays = wordSet("werktagen werktage werktag arbeitstagen arbeitstage arbeitstag")
        due.minutes = wordTable((1, "minute minuten min"), (60, "stunde stunden std h"))
        due.halves = ["halben"]
        due.halfFillers = ["einer"]
        due.halfHours = [
            "anderthalb": 90, "eineinhalb": 90, "zweieinhalb": 150, "dreieinhalb": 210, "viereinhalb": 270,
        ]
        due.times = wordTable((720, "mittag mittags"), (1_440, "mitternacht"), (1_020, "feierabend"))
        due.dayParts = wordTable(
            (720, "fruh frueh morgen vormittag"), (1_080, "nachmittag"), (1_440, "abend nacht"))
        due.dayEnds = ["ende tages": 1_440]
        due.dayEndFillers = ["des"]
        due.clocks = ["uhr"]
        due.hourLeads = ["um"]
        due.plainHourLeads = ["um"]
        due.amounts = wordSet("euro eur cent prozent franken km kg")
        due.exactHourLeads = ["um"]
        due.dayHalves = [
            "morgens": .am, "fruh": .am, "frueh": .am, "vormittags": .am, "nachmittags": .pm, "abends": .pm,
            "nachts": .night, "in der nacht": .night, "am abend": .pm, "am nachmittag": .pm, "am morgen": .am,
        ]
        due.minuteLeads = ["halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15]
        return due
    }()
}
