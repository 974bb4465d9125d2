/// The words of one language: one value per language, read by all code that needs words.
///
/// Words are folded as ``TextAnalyzer`` folds them: lower case, without accents. A key may be a phrase ("day after
/// tomorrow"), with one blank between its words. A field that a language does not need is empty. "Adding a language" in
/// `CONTRIBUTING.md` describes the work for a new one.
package struct Language: Sendable {
    /// The language whose words these are.
    package let language: TextLanguage
    /// Reduces a folded word to its stem, a German one with its umlauts; nil when words are not stemmed.
    var stem: (@Sendable (String) -> String)?
    /// Words that are too frequent to distinguish messages; a question's terms leave them out.
    var stopWords: Set<String> = []
    /// Words by which texts of this language are recognised.
    var voters: Set<String> = []
    /// Letters, not folded, that count like one more of these words.
    var letters = ""
    /// Signs that no other language has; they count like two of these words.
    var signs = ""
    /// Words that end in a dot without ending a sentence.
    var abbreviations: Set<String> = []
    var pronouns = PronounWords()
    var questions = QuestionWords()
    var names = NameWords()
    var dates = DateWords()
    /// Words that show that a message contains a number.
    package var numbers: Set<String> = []
    /// Words that show that a message speaks of a time.
    package var times: Set<String> = []
    /// How questions ask for a time or a number.
    package var wanted = WantedWords()
    /// How people are meant without a name.
    package var people = PeopleWords()
    /// How urgent something is called.
    package var urgency = UrgencyWords()
    /// Words for something that is not known.
    package var unknown: Set<String> = []
    /// How something is said to be no longer so.
    package var changes = ChangeWords()
    /// How it is asked what was known on a day.
    package var asOf = AsOfWords()

    init(_ language: TextLanguage) { self.language = language }

    /// All languages whose words are known.
    package static let all = [english, german, japanese, french, spanish]

    /// The languages whose words count in a text of unknown language.
    ///
    /// More languages would find words with other meanings: "son" is French, Spanish and an English noun.
    package static let assumed: [TextLanguage] = [.english, .german]

    private static let byLanguage = Dictionary(uniqueKeysWithValues: all.map { ($0.language, $0) })

    /// Returns the words of a language; empty for ``TextLanguage/other``.
    package static func of(_ language: TextLanguage) -> Language { byLanguage[language] ?? Language(language) }

    /// Returns the words of a list in several languages together.
    package static func words(
        _ languages: some Sequence<TextLanguage>, _ list: (Language) -> Set<String>
    ) -> Set<String> {
        languages.reduce(into: []) { $0.formUnion(list(of($1))) }
    }
}

/// Words that refer to something earlier.
struct PronounWords: Sendable {
    /// For people.
    var personal: Set<String> = []
    /// For things, places and times.
    var things: Set<String> = []
    /// Pronouns that may refer to nothing: "is there", "gibt es".
    var impersonal: Set<String> = []
    /// Words that may go with a noun, and may mean the present: "this week", "diesen Freitag".
    var demonstratives: Set<String> = []
    /// Words that refer to something only if no noun follows.
    var articles: Set<String> = []
    /// Found anywhere in a text of a script without blanks.
    var pointers: [String] = []
}

/// Words that show how a question is meant.
struct QuestionWords: Sendable {
    /// First words of a question that continues another: "and", "but".
    var conjunctions: Set<String> = []
    /// First phrases of such a question: "what about".
    var openings: Set<String> = []
    /// Next to one of these an impersonal pronoun refers to nothing.
    var existences: Set<String> = []
    /// After a demonstrative they mean the present: "this week".
    var times: Set<String> = []
    /// Words by which askers speak of themselves.
    var asker: Set<String> = []
    /// The same, but not after a request: "tell me" means nobody.
    var askerObjects: Set<String> = []
    var requests: Set<String> = []
    /// Words that may come before a request: "please tell me".
    var requestLeads: Set<String> = []
    /// Beside one of these a single word names a conversation: "the general channel".
    var channels: Set<String> = []
}

/// Words in and around people's names.
struct NameWords: Sendable {
    /// First names and surnames that are words, too; in lower case, and at the start of a sentence, they are the word.
    var ordinary: Set<String> = []
    /// Words that may come before a name.
    var titles: Set<String> = []
    /// Pieces of display names that name nobody.
    var particles: Set<String> = []
    /// Endings of a name: a possessive after an apostrophe.
    var possessives: [String] = []
    /// Endings of a name without a blank, not folded: さん.
    var honorifics: [String] = []
    /// The ending of a genitive without an apostrophe: "Adas Vorschlag".
    var genitive: String?
}

/// How a question asks for a time or a number.
package struct WantedWords: Sendable {
    /// Alone they ask for a time: "when".
    package var times: Set<String> = []
    /// Before one of ``timeNouns`` they ask for a time: "what year".
    package var timeLeads: Set<String> = []
    /// See ``timeLeads``.
    package var timeNouns: Set<String> = []
    /// Alone they ask for a number.
    package var numbers: Set<String> = []
    /// Before one of ``numberWords`` they ask for a number: "how many".
    package var numberLeads: Set<String> = []
    /// See ``numberLeads``.
    package var numberWords: Set<String> = []
}

/// How people are meant without a name.
package struct PeopleWords: Sendable {
    /// All of them, or no one in particular.
    package var everybody: Set<String> = []
    /// Words for the writer.
    package var writer: Set<String> = []
    /// Words for the reader.
    package var reader: Set<String> = []
}

/// How urgent something is called, in lower case.
package struct UrgencyWords: Sendable {
    /// It cannot wait.
    package var high: Set<String> = []
    /// It can.
    package var low: Set<String> = []
}

/// Returns the words of a list that blanks and line breaks separate.
func wordSet(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// Returns a table from lists of words with the same value.
func wordTable<Value>(_ lists: (Value, String)...) -> [String: Value] {
    var table: [String: Value] = [:]
    for (value, list) in lists { for word in wordSet(list) { table[word] = value } }
    return table
}

/// A language of which only enough words are known to distinguish its texts from those of ``Language/all``.
struct NeighbourLanguage: Sendable {
    /// Words by which its texts are recognised, folded.
    var voters: Set<String> = []
    /// Letters, not folded, that count like one more of these words.
    var letters = ""
    /// Words that end in a dot without ending a sentence.
    var abbreviations: Set<String> = []
    /// Pieces of display names that name nobody.
    var particles: Set<String> = []
    /// Pronouns, found anywhere in a text of a script without blanks.
    var pointers: [String] = []

    static let all = [italian, portuguese, dutch, chinese]

    private static let italian = NeighbourLanguage(
        voters: wordSet(
            """
            il lo la gli le un una che di non per con sono del della si mi ma anche come questo piu ho e se tu al alla nel
            nella dal sul da ne ci noi voi io lui lei loro mio mia tuo suo chi cosa quando dove perche ancora gia ora oggi
            domani ieri grazie ciao bene tutto tutti molto essere sera hanno abbiamo questa quello quella stato
            fare fatto prima dopo poi sempre lunedi martedi mercoledi giovedi venerdi sabato domenica settimana
            """),
        letters: "àèìòùÀÈÌÒÙ", abbreviations: ["dott"])
    private static let portuguese = NeighbourLanguage(
        voters: wordSet(
            """
            os as um uma que de do da em para nao com por se mais mas eu ele ela foi isso voce na nas ao das e
            ou tem temos tenho estao estou vai vou vamos meu minha seu sua nosso quem quando onde como
            muito muita tudo tambem ainda agora hoje ontem amanha obrigado obrigada bom boa aqui sim ate entre sobre depois
            antes sem semana segunda terca quarta quinta sexta sabado domingo
            """),
        letters: "ãõçâêôÃÕÇÂÊÔ", particles: ["dos"])
    private static let dutch = NeighbourLanguage(
        voters: wordSet("de het een en van is dat niet op te zijn voor met ik je maar aan ook er bij naar heeft wat"),
        particles: ["van"])
    private static let chinese = NeighbourLanguage(pointers: ["她", "它", "他", "这", "那", "這"])
}
