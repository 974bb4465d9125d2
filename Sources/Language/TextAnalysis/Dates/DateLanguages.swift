import ChatCore

/// The languages in which a text may say dates.
struct DateLanguages {
    /// Their words; later ones are used only if the earlier ones find nothing.
    let lexicons: [DateLexicon]
    /// Whether the text is of a language without words of dates, or names a day in one: a time alone is not understood
    /// then, because the words beside it may name its day.
    let isForeign: Bool

    /// - Parameters:
    ///   - text: The text.
    ///   - tokens: Its tokens in ``TextLanguage/other``.
    ///   - zone: The IANA name of the writer's zone.
    init(_ text: String, _ tokens: [TextToken], zone: String) {
        let votes = tokens.map { LanguageGuess.WordVote($0.word) }
        if let language = LanguageGuess.language(of: text, tokens: tokens, votes: votes) {
            let own = DateWords.lexicon(of: language)
            let hasOwn = !Language.assumed.contains(language) && !own.words.months.isEmpty
            lexicons = [hasOwn ? own : DateWords.assumed]
            isForeign = language == .other && !Self.isJapan(zone)
            return
        }
        // "Vendredi 9:00" is too short to be recognised, but for its day.
        if let language = tokens.lazy.compactMap({ Self.languageOfDay[$0.word] }).first {
            (lexicons, isForeign) = ([DateWords.lexicon(of: language), DateWords.assumed], false)
            return
        }
        lexicons = [DateWords.assumed] + (LanguageGuess.leaning(of: text).map { [DateWords.lexicon(of: $0)] } ?? [])
        isForeign = tokens.contains { Self.isForeign($0) } && !Self.hasKana(tokens) && !Self.isJapan(zone)
    }

    /// In Japan texts of a few words often have no kana, by which the language is recognised.
    private static func isJapan(_ zone: String) -> Bool { zone == "Asia/Tokyo" || zone == "Japan" }

    /// Whether a token is of another script, or names a day in a language without words of dates.
    private static func isForeign(_ token: TextToken) -> Bool {
        (token.word.unicodeScalars.first?.value ?? 0) >= 0x370 || foreignDays.contains(token.word)
    }

    private static func hasKana(_ tokens: [TextToken]) -> Bool {
        tokens.contains { $0.word.unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) } }
    }

    /// The names of days that only one language has, and none of the assumed ones.
    private static let languageOfDay: [String: TextLanguage] = {
        var languages: [String: TextLanguage] = [:]
        var shared: Set<String> = []
        for language in Language.all where !Language.assumed.contains(language.language) {
            let dates = language.dates
            for word in dates.weekdays + dates.due.days.keys where !word.contains(" ") {
                if languages.updateValue(language.language, forKey: word) != nil { shared.insert(word) }
            }
        }
        let assumed = DateWords.assumed.words
        return languages.filter { word, _ in
            !shared.contains(word) && assumed.weekday(word) == nil && assumed.due.days[word] == nil
        }
    }()

    /// Names of days, folded, in languages that have no words of dates here; those that are words of one that has are left
    /// out.
    private static let foreignDays = wordSet(
        """
        amanha hoje segunda terca quarta quinta sexta feira
        domani dopodomani oggi stasera lunedi martedi mercoledi giovedi venerdi sabato domenica
        vandaag overmorgen maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
        jutro dzis dzisiaj pojutrze poniedzialek wtorek sroda srode czwartek piatek sobota sobote niedziela niedziele
        imorgon idag mandag tisdag tirsdag onsdag torsdag fredag lordag sondag
        huomenna tanaan maanantai maanantaina tiistai tiistaina keskiviikko torstai perjantai perjantaina lauantai
        zitra dnes pondeli utery ctvrtek patek zajtra pondelok stvrtok piatok
        yarin bugun pazartesi carsamba persembe cumartesi
        maine luni miercuri vineri sambata duminica
        holnap hetfo kedd szerda csutortok pentek szombat vasarnap
        besok lusa senin selasa rabu kamis jumat sabtu minggu
        """)
}
