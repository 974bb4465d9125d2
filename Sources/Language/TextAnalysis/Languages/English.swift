extension Language {
    static let english: Language = {
        var english = Language(.english)
        english.stem = PorterStemmer.stem
        english.stopWords = stopWords
        english.voters = stopWords.subtracting(wordSet("d m o s t y re ma so")).union(["may"])
        english.abbreviations = wordSet(
            """
            mr mrs ms dr prof st sr jr vs approx dept fig jan feb mar apr jun jul aug sep sept oct nov dec
            """)
        english.pronouns = pronouns
        english.questions = questions
        english.names = names
        english.dates = dates
        english.numbers = wordSet(
            """
            one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand million
            couple dozen few several first second third once twice
            """)
        english.times = wordSet(
            """
            yesterday today tomorrow tonight week weekend month year day days weeks months years ago last next morning
            afternoon evening night monday tuesday wednesday thursday friday saturday sunday january february march
            april may june july august september october november december recently since summer winter spring autumn
            fall
            """)
        english.wanted = WantedWords(
            times: ["when"], timeLeads: ["what", "which"], timeNouns: ["date", "day", "month", "year", "time"],
            numberLeads: ["how"], numberWords: ["many", "much", "long", "often", "old"])
        english.people = PeopleWords(
            everybody: [
                "everyone", "everybody", "all", "team", "the team", "we", "us", "anyone", "someone", "nobody", "no one",
                "unassigned",
            ],
            writer: ["i", "me", "myself", "self", "sender", "the sender", "author"], reader: ["you"])
        english.urgency = UrgencyWords(high: ["high", "urgent", "critical", "highest"], low: ["low", "lowest"])
        english.unknown = ["none", "unknown", "unclear", "tbd"]
        english.changes = .english
        english.asOf = .english
        return english
    }()

    /// Holds the question words and the pieces that contractions are cut into ("don't" is don and t); "may" is missing
    /// because it is a month.
    private static let stopWords = wordSet(
        """
        a about above after again against ain all also am an and any are aren as at be because been before being
        below between both but by can cannot could couldn d did didn do does doesn doing don down during each either
        else ever few for from further had hadn has hasn have haven having he her here hers herself him himself his
        how however i if in into is isn it its itself just ll m many me might mightn mine more most much must mustn
        my myself needn neither no nor not now o of off on once only onto or other our ours ourselves out over own re
        s same shall shan she should shouldn since so some such t than that the their theirs them themselves then
        there these they this those though through to too under until up upon us ve very was wasn we were weren what
        whatever when where whether which while who whom whose why will with within without won would wouldn y yet
        you your yours yourself yourselves
        """)

    private static let pronouns = PronounWords(
        personal: wordSet("he she him her hers his they them their theirs"),
        things: wordSet("it its then former latter same one ones"), impersonal: ["there"],
        demonstratives: wordSet("that this these those"))

    private static let questions = QuestionWords(
        conjunctions: wordSet("and but or"), openings: ["what about", "how about"],
        existences: wordSet("is are was were be been will"),
        times: wordSet(
            """
            day days week weekend month quarter year morning afternoon evening spring summer autumn fall winter monday
            tuesday wednesday thursday friday saturday sunday
            """),
        asker: wordSet("i my mine myself"), askerObjects: ["me"],
        requests: wordSet("tell show give remind help find get let send"), requestLeads: wordSet("please you and"),
        channels: wordSet("channel group chat room thread conversation"))

    private static let names = NameWords(
        ordinary: wordSet(
            """
            amber angel april art august autumn bay bell bill blue bob brad brook buck bud candy carol chance chase chip
            christian cliff cole coral daisy dale dash dawn dean dick dot drew duke earl eden eve faith fern flora ford
            forest frank gene ginger glen grace grant gray green guy hank happy harmony harry heath heather hazel holly
            hope hunter iris ivy jack jade jasmine jay jean jet jewel joy june junior kay ken king lance lane laurel lee
            lily major marina mark marsh mason max may melody mercy merry miles miller misty moon nick norm olive opal
            page park pat pearl peg penny pierce poppy price prince ray red reed rich river rob robin rock rocky rod
            roman rose royal ruby rusty sage sandy scarlet scout shad sky sonny star stone storm sue summer sunny tanner
            taylor terry tiger tom tony van victor violet wade ward wayne west will willow winter wolf wood woody young
            """),
        titles: wordSet("dr mr mrs ms prof sir"), particles: wordSet("the and bot app user"),
        possessives: ["'s", "’s"])

    private static let dates: DateWords = {
        var dates = DateWords()
        dates.months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        dates.otherMonths = [
            "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
            "nov": 11, "dec": 12,
        ]
        dates.plainMonths = wordSet("january february july september october november december")
        dates.weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        dates.capitalisesMonths = true
        dates.units = wordTable(
            (.hour, "hour hours"), (.day, "day days"), (.week, "week weeks"), (.weekend, "weekend weekends"),
            (.month, "month months"), (.quarter, "quarter quarters"), (.year, "year years"))
        dates.days = [
            "today": 0, "yesterday": -1, "tomorrow": 1, "day before yesterday": -2, "day after tomorrow": 2,
        ]
        dates.nights = ["tonight": 0]
        dates.dayParts = [
            "morning": 5..<12, "noon": 11..<14, "afternoon": 12..<18, "evening": 17..<24, "night": 18..<30,
        ]
        dates.modifiers = wordTable((-1, "last previous past"), (0, "this current"), (1, "next coming"))
        dates.seasons = ["spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12]
        dates.seasonLeads = ["in", "the", "during"]
        dates.numbers = [
            "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2,
        ]
        dates.few = ["few", "several", "some"]
        dates.couples = ["couple"]
        dates.ofs = ["of"]
        dates.ordinalEndings = ["st", "nd", "rd", "th"]
        dates.monthParts = wordTable(
            (1...10, "early beginning start"), (11...20, "mid middle"), (21...31, "late end"))
        dates.bounds = ["since": .since, "before": .before, "until": .until, "till": .until, "after": .after]
        dates.articles = ["the", "of", "in", "on"]
        dates.spanLeads = ["between", "from"]
        dates.spanJoints = ["and", "to", "until", "till", "through"]
        dates.agos = ["ago"]
        dates.weekdayLeads = ["on"]
        dates.weekendLeads = ["the"]
        dates.monthLeads = wordSet("in of during from by until till around year since before after")
        dates.dayArticles = ["the"]
        dates.slashedLeads = ["on", "since", "until", "by"]
        dates.ordinalLeads = ["the"]
        dates.negations = ["not", "except", "excluding"]
        dates.recurring = ["every", "each"]
        dates.recurringFillers = wordSet("other second third single few working")
        dates.recurringDays = wordSet(
            """
            mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends daily nightly weekly monthly
            quarterly yearly annually biweekly
            """)
        dates.zones = zones
        dates.due = due
        return dates
    }()

    private static let zones = ZoneWords(
        names: [
            "local time": .own, "our time": .own, "my time": .own, "greenwich mean time": .offset(0),
            "coordinated universal time": .offset(0), "universal time": .offset(0), "zulu time": .offset(0),
            "zulu": .offset(0), "pacific time": .pacific, "mountain time": .mountain, "central time": .central,
            "eastern time": .eastern, "pacific standard time": .hours(-8), "pacific daylight time": .hours(-7),
            "mountain standard time": .hours(-7), "mountain daylight time": .hours(-6),
            "central standard time": .hours(-6), "central daylight time": .hours(-5),
            "eastern standard time": .hours(-5), "eastern daylight time": .hours(-4),
            "central european time": .hours(1), "central european summer time": .hours(2),
            "british summer time": .hours(1), "uk time": .named("Europe/London"),
            "british time": .named("Europe/London"),
            "german time": .named("Europe/Berlin"), "french time": .named("Europe/Paris"),
            "spanish time": .named("Europe/Madrid"), "japan time": .named("Asia/Tokyo"),
            "japan standard time": .hours(9), "india time": .minutes(330), "indian time": .minutes(330),
            "indian standard time": .minutes(330), "china time": .hours(8),
        ],
        capitalNames: ["pacific": .pacific, "mountain": .mountain, "central": .central, "eastern": .eastern],
        tails: ["time"],
        ordinaryBefore: wordSet(
            """
            this that next last first some any every all the on in of one same right good nice half full part lunch
            dinner tea bed show game prime which what no more long short extra just second it is was at spare game play
            take took
            """))

    private static let due: DueWords = {
        var due = DueWords()
        due.days = [
            "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1,
            "day after tomorrow": 2,
        ]
        due.past = ["yesterday"]
        due.before = ["before"]
        due.after = ["after", "since", "past"]
        due.alternatives = ["or"]
        due.betweens = ["between"]
        due.conjunctions = ["and"]
        due.todayLeads = ["this"]
        due.todayParts = ["morning", "afternoon", "evening"]
        due.joints = wordSet("at on by the of in before until till latest around this")
        due.leads = wordSet("on by until till before due for from deadline")
        due.monthLeads = wordSet("in during before by until till")
        due.shortWeekdays = [
            "mon": 1, "tue": 2, "tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6,
            "sun": 7,
        ]
        due.coming = ["coming", "upcoming"]
        due.weeks = ["week after next": 2]
        due.weeksLater = ["week": 1, "fortnight": 2]
        due.parts = wordTable(
            (.beginning, "beginning start"), (.early, "early"), (.middle, "mid middle"), (.end, "end late close"))
        due.ends = [
            "eow": .week, "eom": .month, "eoq": .quarter, "eoy": .year, "month end": .month, "quarter end": .quarter,
            "year end": .year,
        ]
        due.articles = ["the"]
        due.distances = ["in", "within"]
        due.weekdayDistances = ["in"]
        due.fillers = ["the", "next", "about"]
        due.fromNow = ["from now"]
        due.distanceJoints = ["from", "after"]
        due.countJoints = ["to", "or"]
        due.working = ["business", "working", "work"]
        due.longUnits = ["fortnight": 14]
        due.dayLetters = ["d": 1, "w": 7]
        due.minutes = wordTable((1, "minute minutes min mins"), (60, "hour hours hr hrs h"))
        due.halves = ["half"]
        due.halfFillers = ["a", "an"]
        due.halfJoints = ["and"]
        due.times = wordTable(
            (720, "noon midday lunch lunchtime"), (1_440, "midnight eod"), (1_020, "cob eob"))
        due.dayParts = ["morning": 720, "afternoon": 1_080, "evening": 1_440, "night": 1_440]
        due.dayEnds = [
            "end day": 1_440, "end business": 1_020, "close business": 1_020, "end play": 1_020, "close play": 1_020,
            "end working day": 1_020, "close working day": 1_020, "end work day": 1_020, "close work day": 1_020,
        ]
        due.dayEndFillers = ["of", "the", "my", "this"]
        due.clocks = ["o clock"]
        due.hourLeads = ["at", "by", "before", "until"]
        due.amounts = wordSet("euro euros eur usd gbp dollar dollars pounds percent km kg each")
        due.exactHourLeads = ["at"]
        due.dayHalves = [
            "in the morning": .am, "in the afternoon": .pm, "in the evening": .pm, "at night": .night,
        ]
        due.minuteLeads = ["half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15]
        return due
    }()
}
