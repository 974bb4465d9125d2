/// Words that occur in display names but are ordinary, too: first names, and words for what people do.
///
/// In lower case, or at the start of a sentence, they are taken for the word. Who has an index of the texts knows more:
/// a word that many messages hold is ordinary.
public enum OrdinaryNames {
    /// Returns whether a folded word is one of them.
    public static func contains(_ word: String) -> Bool {
        words.contains(word)
    }

    private static let words = Set(
        """
        amber angel april art august autumn bay bell bill blue bob bot brad brook buck bud candy carol chance chase chip
        christian cliff cole coral daisy dale dash dawn dean dick dot drew duke earl eden eve faith fern flora ford forest
        frank gene ginger glen grace grant gray green guest guy hank happy harmony harry heath heather hazel holly hope
        hunter iris ivy jack jade jasmine jay jean jet jewel joy june junior kay ken king lance lane laurel lee lily major
        marina mark marketing marsh mason max may melody mercy merry miles miller misty model moon nick norm olive opal page
        park pat pearl peg penny pierce poppy price prince ray red reed rich river rob robin rock rocky rod roman rose royal
        ruby rusty sage sandy scarlet scout shad shade sky sonny star stone storm sue summer sunny tab tanner taylor team
        terry test tiger tom tony trip trust van victor violet wade ward wayne west will willow winter wolf wood woody young
        account admin administrator agent analyst assistant board business captain center chair chairman channel chief client
        coach committee community company consultant control council customer data department design designer desk dev
        developer digital director doctor editor engineer expert family finance friend general government grad group head help
        home host house industrial info interface labour leader legal manager media meeting member minister moderator
        networks nurse office officer official operations opposition party president press prime product professor program
        project public research sales school science secretary security senior service services social software speaker
        staff student studio support system teacher tech technical university user vice visitor web work
        abteilung firma leiter leitung lehrer kunde kollege projekt schule verein vertrieb verwaltung
        ernst klein kurz lang neu rosa sonne stark stein wolf ernst frei jung gross wild kraft
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// Words by which askers speak of themselves.
enum AskerWords {
    private static let words: Set<String> = [
        "i", "my", "mine", "myself", "ich", "mich", "mein", "meine", "meinem", "meinen", "meiner", "meines",
    ]
    /// "Tell me" speaks of nobody.
    private static let objects: Set<String> = ["me", "mir"]
    private static let requests: Set<String> = [
        "tell", "show", "give", "remind", "help", "find", "get", "let", "send", "sag", "sage", "zeig", "zeige", "gib",
        "nenn", "nenne", "hilf", "erzahl", "such",
    ]
    private static let leads: Set<String> = ["please", "you", "and", "bitte", "du", "und"]

    /// Returns whether the words of a question speak of the asker.
    static func occur(in tokens: [String]) -> Bool {
        for (place, word) in tokens.enumerated() {
            if words.contains(word) { return true }
            guard objects.contains(word) else { continue }
            let isRequest =
                place > 0 && requests.contains(tokens[place - 1])
                && (place == 1 || leads.contains(tokens[place - 2]))
            if !isRequest { return true }
        }
        return false
    }
}
