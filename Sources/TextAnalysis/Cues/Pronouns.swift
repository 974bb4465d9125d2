/// Words that stand for something said before, folded; English and German.
enum Pronouns {
    /// For people.
    static let personal: [TextLanguage: Set<String>] = [
        .english: words("he she him her hers his they them their theirs"),
        .german: words(
            "er sie ihn ihm ihnen ihr ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines deren dessen"),
    ]
    /// For things, places and times.
    static let things: [TextLanguage: Set<String>] = [
        .english: words("it its then former latter same one ones"),
        .german: words(
            """
            dort damals dafur dafuer davon dazu damit daran daruber darueber dabei dagegen danach darauf darin jene
            jenem jenen jener jenes derselbe dieselbe dasselbe
            """),
    ]
    /// These may stand for nothing: "is there", "gibt es".
    static let impersonal: [TextLanguage: Set<String>] = [.english: ["there"], .german: ["es"]]
    /// These may go with a noun, and may mean the present: "this week", "diesen Freitag".
    static let demonstratives: [TextLanguage: Set<String>] = [
        .english: words("that this these those"), .german: words("dies diese diesem diesen dieser dieses"),
    ]
    /// These stand for something only where no noun follows.
    static let articles: [TextLanguage: Set<String>] = [.german: words("das die der den dem")]

    /// Whether a word is of a list, in one of the languages.
    static func holds(
        _ word: String, _ list: [TextLanguage: Set<String>], languages: some Sequence<TextLanguage>
    ) -> Bool {
        languages.contains { list[$0]?.contains(word) ?? false }
    }

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
