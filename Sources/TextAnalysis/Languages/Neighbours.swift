/// A language whose words are known only well enough to tell its texts apart from those of ``Language/all``.
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
