extension Language {
    static let spanish: Language = {
        var spanish = Language(.spanish)
        spanish.stem = SpanishStemmer.stem
        spanish.stopWords = stopWords
        spanish.voters = voters
        spanish.letters = "áéíóúñÁÉÍÓÚÑ"
        spanish.signs = "¿¡"
        spanish.abbreviations = wordSet("sra ud uds sig pag")
        spanish.pronouns = pronouns
        spanish.questions = questions
        spanish.names = names
        spanish.dates = dates
        spanish.numbers = wordSet(
            """
            dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta
            cincuenta sesenta cien ciento mil millon millones docena decena par varios varias primer primero primera
            segundo segunda tercer tercero tercera medio media
            """)
        spanish.times = wordSet(
            """
            ayer anteayer hoy manana semana semanas finde mes meses ano anos dia dias hora horas pasado pasada pasados
            pasadas proximo proxima proximos proximas tarde noche mediodia madrugada lunes martes miercoles jueves
            viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
            diciembre recientemente desde verano invierno primavera otono pronto
            """)
        spanish.wanted = WantedWords(
            times: ["cuando"], timeLeads: ["que", "cual"], timeNouns: wordSet("dia dias fecha mes ano hora semana"),
            numbers: wordSet("cuanto cuanta cuantos cuantas"))
        spanish.people = PeopleWords(
            everybody: ["todos", "todas", "todo el mundo", "nosotros", "nosotras", "el equipo", "alguien", "nadie"],
            writer: ["yo", "mi", "el autor", "la autora"], reader: ["tu", "usted", "ti"])
        spanish.urgency = UrgencyWords(high: ["alta", "urgente"], low: ["baja"])
        spanish.unknown = ["ninguno", "ninguna", "desconocido"]
        spanish.changes = .spanish
        spanish.asOf = .spanish
        return spanish
    }()

    private static let stopWords = wordSet(
        """
        a al algo alguien algun alguna algunas alguno algunos alli ambos ante antes aquel aquella aquellas aquellos aqui
        asi aun aunque bajo bien cada casi como con contra cosa cual cuales cualquier cuando cuanta cuantas cuanto
        cuantos da dan de debe deben del demas desde despues donde dos durante e el ella ellas ello ellos en entre era
        eran eras eres es esa esas ese eso esos esta estaba estaban estado estamos estan estar estas este esto estos
        estoy fue fueron fui ha haber habia habian hace hacen hacer hacia han has hasta hay haya he hemos hizo hubo igual
        incluso ir iba la las le les lo los luego mas me menos mi mia mientras mio mis misma mismas mismo mismos mucha
        muchas mucho muchos muy nada ni ningun ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros
        nunca o os otra otras otro otros para pero poco podemos poder por porque pude puede pueden puedo pues que quien
        quienes sea sean segun ser sera seran si sido siempre sin sino sobre sois solo somos son soy su sus suya suyo
        tal tambien tampoco tan tanto te tenemos tener tengo ti tiene tienen toda todas todavia todo todos tras tu tus
        tuya tuyo u un una unas uno unos usted ustedes va vamos van varios vosotras vosotros voy vuestra vuestro y ya yo se
        """)

    /// Without words that are nouns or verbs of English, and with some of greetings and dates, which chats are full of.
    private static let voters = stopWords.subtracting(wordSet("sea solo era ir da todo va pude o u")).union(
        wordSet(
            """
            hoy ayer manana gracias hola vale bueno buenos buenas adios ahora aqui creo queda dentro mes meses semana
            semanas dia dias hora horas finales lunes martes miercoles jueves viernes sabado domingo enero febrero marzo
            abril junio julio agosto septiembre octubre noviembre diciembre
            """))

    private static let pronouns = PronounWords(
        personal: wordSet("ella ellas ello ellos le les su sus suya suyo suyas suyos"),
        things: wordSet("alli alla ahi eso esto aquello entonces misma mismo"),
        demonstratives: wordSet("este esta estos estas ese esa esos esas aquel aquella"))

    private static let questions = QuestionWords(
        conjunctions: wordSet("y e pero o u sino"),
        openings: ["que hay de", "que tal", "que pasa con", "que paso con"],
        times: wordSet(
            """
            dia dias semana finde fin mes trimestre ano manana tarde noche primavera verano otono invierno lunes martes
            miercoles jueves viernes sabado domingo
            """),
        asker: wordSet("yo mi mis mio mia mios mias conmigo"), askerObjects: ["me"],
        requests: wordSet("puedes podrias"), requestLeads: wordSet("por favor y"),
        channels: wordSet("canal grupo sala hilo chat conversacion"))

    private static let names = NameWords(
        ordinary: wordSet(
            """
            alba alma amparo angel angeles angustias aurora blanca blanco bueno caridad clara clemente concepcion
            consuelo cruz delgado dolores domingo esperanza estrella flor flores fuentes gracia guerra hermoso iglesias
            jesus leal leon linda luz mar mercedes moreno nieves paloma paz perla pilar pino prado redondo reyes rico
            rios rocio rosa rosario rubio salvador santos sol soledad torres valle vega victoria
            """),
        titles: wordSet("sr sra srta senor senora dr dra"), particles: wordSet("del los las"))

    private static let dates: DateWords = {
        var dates = DateWords()
        dates.months = [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ]
        dates.otherMonths = [
            "ene": 1, "feb": 2, "abr": 4, "jun": 6, "jul": 7, "ago": 8, "sept": 9, "setiembre": 9, "oct": 10,
            "nov": 11, "dic": 12,
        ]
        dates.plainMonths = Set(dates.months)
        dates.weekdays = ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"]
        dates.units = wordTable(
            (.hour, "hora horas"), (.day, "dia dias"), (.week, "semana semanas"), (.weekend, "finde findes"),
            (.month, "mes meses"), (.quarter, "trimestre trimestres"), (.year, "ano anos")
        ).merging(["fin de semana": .weekend, "fines de semana": .weekend]) { first, _ in first }
        dates.days = [
            "hoy": 0, "ayer": -1, "anteayer": -2, "antes de ayer": -2, "antier": -2, "manana": 1, "pasado manana": 2,
        ]
        dates.dayNouns = ["manana": ["la", "esta", "una", "cada"]]
        dates.nights = ["anoche": -1]
        dates.dayParts = [
            "madrugada": 0..<6, "manana": 5..<12, "mediodia": 11..<15, "tarde": 12..<21, "noche": 19..<30,
        ]
        dates.dayPartLeads = wordSet("por la en de a al")
        dates.modifiers = wordTable(
            (-1, "pasado pasada ultimo ultima ultimos ultimas"), (0, "este esta"),
            (1, "proximo proxima proximos proximas"))
        dates.laterModifiers = wordTable(
            (-1, "pasado pasada pasados pasadas anterior"), (1, "proximo proxima siguiente")
        ).merging(["que viene": 1, "que entra": 1, "en curso": 0]) { first, _ in first }
        dates.seasons = ["primavera": 3, "verano": 6, "otono": 9, "invierno": 12]
        dates.seasonLeads = ["en", "el", "la", "este", "esta"]
        dates.numbers = [
            "un": 1, "una": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7,
            "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12, "quince": 15,
        ]
        dates.few = ["varios", "varias", "unos", "unas", "algunos", "algunas", "pocos", "pocas"]
        dates.couples = ["par"]
        dates.ofs = ["de"]
        dates.ordinalEndings = ["o"]
        dates.monthParts = wordTable(
            (1...10, "principios comienzos inicios"), (11...20, "mediados"), (21...31, "finales fines fin"))
        dates.bounds = wordTable(
            (.since, "desde"), (.before, "antes"), (.until, "hasta"), (.after, "despues tras"))
        dates.articles = wordSet("el la los las de del al en a dia")
        dates.spanLeads = ["entre", "desde", "del", "de"]
        dates.spanJoints = ["y", "a", "al", "hasta"]
        dates.agoLeads = ["hace"]
        dates.agos = ["atras"]
        dates.weekdayLeads = ["el"]
        dates.weekendLeads = ["el", "este"]
        dates.monthLeads = wordSet("en de del desde antes despues hasta ano mes")
        dates.yearLeads = ["de", "del"]
        dates.slashedLeads = wordSet("el del al desde hasta dia")
        dates.bareOrdinalLeads = ["el", "dia"]
        dates.negations = ["no", "excepto", "salvo"]
        dates.recurring = ["cada", "todos", "todas", "los"]
        dates.recurringFillers = wordSet("los las dos tres")
        dates.recurringDays = wordSet("sabados domingos diariamente semanalmente mensualmente")
        dates.zones = zones
        dates.due = due
        return dates
    }()

    private static let zones = ZoneWords(
        names: [
            "hora local": .own, "nuestra hora": .own, "hora universal": .offset(0), "hora del pacifico": .pacific,
            "hora peninsular": .named("Europe/Madrid"), "hora espanola": .named("Europe/Madrid"),
        ],
        cities: [
            "londres": "Europe/London", "nueva york": "America/New_York", "ciudad de mexico": "America/Mexico_City",
            "mexico": "America/Mexico_City", "bogota": "America/Bogota", "paris": "Europe/Paris",
            "buenos aires": "America/Argentina/Buenos_Aires", "santiago": "America/Santiago", "lima": "America/Lima",
            "caracas": "America/Caracas", "lisboa": "Europe/Lisbon", "moscu": "Europe/Moscow", "tokio": "Asia/Tokyo",
        ],
        leads: ["hora", "horas"], leadJoints: ["de", "del", "en"])

    private static let due: DueWords = {
        var due = DueWords()
        due.days = ["hoy": 0, "manana": 1, "pasado manana": 2]
        due.past = ["ayer", "anteayer", "anoche"]
        due.before = ["antes"]
        due.after = ["despues", "tras"]
        due.alternatives = ["o", "u"]
        due.betweens = ["entre"]
        due.conjunctions = ["y"]
        due.distanceJoints = ["despues"]
        due.todayLeads = ["esta"]
        due.todayParts = ["manana", "tarde", "noche"]
        due.joints = wordSet("a las la el sobre antes de del hasta por en para")
        due.leads = wordSet("el al antes del hasta para dia deadline plazo")
        due.monthLeads = wordSet("en antes hasta para")
        due.coming = ["proximo", "proxima", "que viene", "que entra", "siguiente"]
        due.parts = wordTable(
            (.beginning, "principios comienzos inicios"), (.middle, "mediados"), (.end, "finales final fines fin"))
        due.articles = ["el", "la"]
        due.distances = ["en", "dentro"]
        due.weekdayDistances = ["en"]
        due.fillers = ["de", "los", "las", "unos", "unas"]
        due.countJoints = ["a", "o"]
        due.workingBehind = ["habiles", "habil", "laborables", "laborable"]
        due.longUnits = ["quincena": 15]
        due.minutes = wordTable((1, "minuto minutos min"), (60, "hora horas h"))
        due.halves = ["media"]
        (due.halfJoints, due.halvesBehind) = (["y"], ["media"])
        due.times = ["mediodia": 720, "medianoche": 1_440, "eod": 1_440]
        due.dayParts = ["manana": 720, "tarde": 1_260, "noche": 1_440]
        due.dayEnds = ["final dia": 1_440, "fin dia": 1_440, "final jornada": 1_020, "fin jornada": 1_020]
        due.dayEndFillers = ["de", "del", "la"]
        due.clocks = ["h", "hora", "horas"]
        due.clockLetters = ["h"]
        due.hourLeads = ["las", "la"]
        due.amounts = wordSet("euro euros eur dolares pesos por km kg")
        due.exactHourLeads = ["las", "la"]
        due.dayHalves = [
            "de la manana": .am, "de la tarde": .pm, "de la noche": .pm, "de la madrugada": .am,
        ]
        due.minuteTails = ["y media": 30, "y cuarto": 15, "menos cuarto": -15]
        return due
    }()
}

/// Reduces Spanish nouns and adjectives to stems by Savoy's light stemmer: it removes endings of number and gender.
///
/// Source: Jacques Savoy, "Report on CLEF-2001 Experiments", 2002 (https://doi.org/10.1007/3-540-45691-0_3), with the
/// rules of Lucene
/// (https://lucene.apache.org/core/9_12_0/analysis/common/org/apache/lucene/analysis/es/SpanishLightStemmer.html).
enum SpanishStemmer {
    /// Returns the stem of a folded word; words of fewer than 5 letters stay as they are.
    static func stem(_ word: String) -> String {
        guard word.utf8.count >= 5 else { return word }
        if word.hasSuffix("eses") { return String(word.dropLast(2)) }
        if word.hasSuffix("ces") { return word.dropLast(3) + "z" }
        for ending in ["os", "as", "es", "o", "a", "e"] where word.hasSuffix(ending) {
            return String(word.dropLast(ending.count))
        }
        return word
    }
}
