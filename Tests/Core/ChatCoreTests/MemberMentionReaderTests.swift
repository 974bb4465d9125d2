import ChatCore
import Testing

@Suite("Mentions of members")
struct MemberMentionReaderTests {
    private static let reader = MemberMentionReader(
        [("ada", "Ada"), ("ada-l", "Ada Lovelace"), ("jo", "Jo"), ("jo-ann", "Jo-Ann")].map { id, name in
            Member(
                userID: UserID(rawValue: id), displayName: name, joinedAt: Timestamp(microseconds: 0))
        })

    private func mentioned(in text: String) -> [String] {
        Self.reader.mentions(in: text).map(\.userID.rawValue)
    }

    @Test(
        "reads the longest name",
        arguments: [
            ("@Ada", ["ada"]), ("@ada Lovelace, see @JO", ["ada-l", "jo"]), ("@Jo-Ann", ["jo-ann"]),
            ("@ada-l", ["ada-l"]),
            ("(@Ada)", ["ada"]), ("@Ada.", ["ada"]), ("@Ada - yes", ["ada"]), ("@Ada... hm", ["ada"]),
            ("@Ada/@Jo", ["ada", "jo"]),
            ("@Ada's", ["ada"]),
        ])
    func names(text: String, users: [String]) {
        #expect(mentioned(in: text) == users)
    }

    @Test(
        "takes no part of a longer name or of an address for a mention",
        arguments: [
            "@Ada-Lin", "@Ada.bot", "@Jo.Berg", "@Jo_Berg", "@Ada‑Lin", "@Jo-Annika", "@ada@chat.example",
            "mail ada@ada",
            "@Adam", "https://chat.example/@ada", "see https://chat.example/a,@ada",
        ])
    func longerNames(text: String) {
        #expect(mentioned(in: text) == [])
    }

    @Test(
        "takes no name in code or in a quote for a mention",
        arguments: [
            "write `@Ada` there", "``a ` @Ada``", "`one\n@Ada`", "```\n@Ada\n```", "```swift\nlet a = \"@Ada\"",
            "~~~\n@Ada\n~~~",
            "````\n```\n@Ada\n````", "```@Ada```", "> @Ada said so\n\nI agree", "hm\n  > @Ada", ">@Ada",
            // Lines of code that are indented.
            "    @Ada", "\t@Ada", "  \t@Ada", "so:\n\n    let a = 1\n    @Ada", "# Title\n    @Ada", "---\n    @Ada",
            "- item\n\n      @Ada", "1. item\n\n       @Ada", "-     @Ada", "- a\n  - b\n\n        @Ada",
            "- item\n\nmore\n\n    @Ada", "```\nx\n```\n    @Ada", "    x\n\n    @Ada",
            "- item\n\n  ```\n  @Ada\n  ```",
            "- item\n\n    ```\n    @Ada\n    ```", "title\n===\n    @Ada",
        ])
    func codeAndQuotes(text: String) {
        #expect(mentioned(in: text) == [])
    }

    @Test(
        "reads a name beside code and quotes",
        arguments: [
            "` @Ada", "\\`@Ada\\`", "a `b` @Ada `c`", "`` ` @Ada", "> hm\n@Ada", "a > @Ada", "```\nx\n```\n@Ada",
            "`a\n\n@Ada `", "`a\n> b\n@Ada `", "``` a ` @Ada",
            // Indented, but in a list or behind a paragraph.
            "so\n    @Ada", "so\n\t@Ada", "   @Ada", "- item\n    @Ada", "- item\n\n    @Ada", "- item\n    - @Ada",
            "1. item\n\n     @Ada", "* a\n\n  * b\n\n      @Ada", "- a\nb\n    @Ada", "    x\n@Ada", "    x\n\n@Ada",
            "> hm\n    @Ada", "- `a\n- @Ada `", "-\t@Ada", "10) @Ada", "- item\n\n  ```\n  x\n  ```\n  @Ada",
        ])
    func speech(text: String) {
        #expect(mentioned(in: text) == ["ada"])
    }

    @Test("counts places in Unicode scalars")
    func places() {
        let found = Self.reader.mentions(in: "`@Jo` 👍🏽 @Ada")

        #expect(found == [MemberMention(userID: "ada", start: 9, end: 13)])
    }
}
