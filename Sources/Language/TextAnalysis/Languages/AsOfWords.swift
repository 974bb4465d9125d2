/// How one language asks for what was known on a day: "as of 1 October".
///
/// Words are folded, and phrases have one blank between their words, as everywhere in ``Language``.
package struct AsOfWords: Sendable {
    /// Before the day.
    var leads: Set<String> = []
    /// The same, but only at the beginning of a clause: "am Stand" is a stall.
    var clauseLeads: Set<String> = []
    /// A word that may announce a day, and makes "1.10." one.
    var dayLead = ""
    /// How questions and requests begin.
    var openings: Set<String> = []
    /// Before and behind the day in an answer.
    package var answer: (before: String, behind: String) = ("As of ", ":")

    /// The longest phrase, in words.
    static let phraseLength = 5

    static let english: AsOfWords = {
        var words = AsOfWords()
        words.leads = phraseSet(
            """
            as of, as at, as it was on, as it stood on, as they stood on, as things stood on, as things were on, as known on,
            as we knew it on, as planned on
            """)
        words.dayLead = "on"
        words.openings = wordSet(
            """
            who whom whose what when where which how why was were is are did do does has have had can could will would should tell
            show give list name summarize summarise find please
            """)
        return words
    }()

    static let german: AsOfWords = {
        var words = AsOfWords()
        words.leads = phraseSet(
            "mit stand, mit stand vom, mit stand zum, zum stand, zum stand vom, nach dem stand vom, nach stand vom, per stand"
        )
        words.clauseLeads = phraseSet("stand, stand vom, stand am")
        words.dayLead = "am"
        words.openings = wordSet(
            """
            wer wen wem wessen was wann wo wohin woher welche welcher welches welchen welchem wie warum wieso wieviel wieviele war
            waren ist sind hat hatte hatten haben gab galt gilt wurde wurden wird kann sag sage zeig zeige nenne liste bitte
            """)
        words.answer = ("Stand ", ":")
        return words
    }()

    static let french: AsOfWords = {
        var words = AsOfWords()
        words.leads = phraseSet("a la date du, a la date de, en date du, a l etat du, selon l etat au, selon l etat du")
        words.clauseLeads = phraseSet("etat au, etat du, situation au")
        words.dayLead = "le"
        words.openings = wordSet(
            """
            qui que quoi qu quand ou quel quelle quels quelles comment combien pourquoi est etait etaient sont avait avaient a
            avions dis donne montre liste trouve
            """)
        words.answer = ("À la date du ", " :")
        return words
    }()

    static let spanish: AsOfWords = {
        var words = AsOfWords()
        words.leads = phraseSet(
            "a fecha de, a fecha del, a la fecha del, a dia de, segun el estado del, segun el estado a")
        words.clauseLeads = phraseSet("estado a, situacion a, situacion al")
        words.dayLead = "el"
        words.openings = wordSet(
            """
            quien quienes que cuando donde adonde cual cuales como cuanto cuanta cuantos cuantas por era eran es son estaba estaban
            fue fueron habia tenia dime di muestra da lista busca
            """)
        words.answer = ("A fecha de ", ":")
        return words
    }()

    /// Days are read letter by letter (``AsOfCue``), because no blanks part words.
    static let japanese: AsOfWords = {
        var words = AsOfWords()
        words.answer = ("", "時点：")
        return words
    }()
}
