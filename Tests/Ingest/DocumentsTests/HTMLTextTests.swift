import Documents
import Foundation
import Testing

@Suite struct HTMLTextTests {
    /// Reads bytes as a file.
    private func read(_ bytes: some Sequence<UInt8>) async throws -> DocumentText {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await DocumentReader.text(of: file)
    }

    private func text(_ body: String) async throws -> String {
        try await read("<!DOCTYPE html><html><body>\(body)</body></html>".utf8).parts[0].text
    }

    @Test func blocksBecomeLines() async throws {
        let text = try await text(
            """
            <h1>Harbor  plan</h1><p>The <b>crane</b> moves
            to berth&nbsp;4.<p>Second<br>line</p><div>one<div>two</div>three</div><ul><li>first<li>second</ul>
            <pre>a  b
            c</pre>end
            """)
        #expect(
            text
                == "Harbor plan\nThe crane moves to berth 4.\nSecond\nline\none\ntwo\nthree\n- first\n- second\na b\nc\nend"
        )
    }

    @Test func theSignOfAnEntryStandsBeforeItsFirstWords() async throws {
        #expect(
            try await text(
                "<ul>\n<li>\n<p>Pier 4</p><p>north</p>\n</li><li></li><li><ul><li>inner</ul></ul>text<ul><li></ul>end")
                == "- Pier 4\nnorth\n- inner\ntext\nend")
    }

    @Test func itHasNoPartsAndBeginsWithItsTitle() async throws {
        let found = try await read("<html><head><title>Plan &amp; costs</title></head><p>text</html>".utf8)
        #expect(found.unit == nil)
        #expect(found.parts == [.init(text: "Plan & costs\ntext")])
    }

    @Test(arguments: [
        "<script>if (a < b) secret()</script>", "<style>p { secret: 1 }</style>", "<!-- secret > secret -->",
        "<!-- secret --!>",
        "<!--[if mso]><p>secret</p><![endif]-->", "<template><p>secret</p></template>",
        "<noscript>secret</noscript>", "<svg><title>secret</title><text>secret</text></svg>", "<p hidden>secret</p>",
        "<div style='DISPLAY : none !important'><p>secret<p>secret</div>",
        "<span style=\"color:red;visibility:hidden\">secret</span>", "<div style=font-size:0px>secret</div>",
        "<div style='max-height:0;overflow:hidden'>secret</div>", "<p style='mso-hide:all'>secret</p>",
        "<p style='opacity:0.0'>secret</p>", "<select><option>secret</select>", "<img alt='secret'>",
        "<p title='>secret'>", "<p title=\">secret\">", "<iframe><p>secret</p></iframe>", "<SCRIPT>secret</SCRIPT >",
        "<p style='display:none'>secret<div style='display:block'></div>", "<?php secret ?>",
    ]) func whatNobodySeesIsLeftOut(piece: String) async throws {
        #expect(try await text("before \(piece) after").split(whereSeparator: \.isWhitespace) == ["before", "after"])
    }

    @Test(arguments: [
        "<p style='opacity:0.5'>shown</p>", "<p style='font-size:10px'>shown</p>", "<textarea>shown</textarea>",
        "<p aria-hidden=true>shown</p>", "<button>shown</button>", "<details>shown</details>",
        "<custom-x>shown</custom-x>",
        "<p title='a'b>shown", "<p class=\"open>shown", "<!-->shown", "<![if !mso]>shown<![endif]>",
        "</div></div>shown",
    ]) func whatIsSeenIsKept(piece: String) async throws {
        #expect(try await text(piece) == "shown")
    }

    @Test(arguments: [
        ("a &lt;b&gt; &amp;amp; &quot;c&quot;", "a <b> &amp; \"c\""),
        ("gr&uuml;n &uuml &euro;5 &hellip;", "grün ü €5 …"),
        ("&#8364; &#x20ac; &#128; &#0; &#xD800;", "€ € € \u{FFFD} \u{FFFD}"),
        ("AT&T &nosuch; & &;", "AT&T &nosuch; & &;"),
        ("a < b, 3<4 and 5 > 4", "a < b, 3<4 and 5 > 4"), ("soft&shy;ware", "software"), ("&notit;", "&notit;"),
    ]) func referencesBecomeCharacters(source: String, expected: String) async throws {
        #expect(try await text("<p>\(source)</p>") == expected)
    }

    @Test func tablesBecomeRows() async throws {
        let text = try await text(
            """
            <table><caption>Costs</caption><thead><tr><th>What</th><th>When</th></tr></thead>
            <tr><td>Crane<td><p>3 November</p><p>at noon</p>
            <tr><td>Paint</td><td></td></tr></table>after
            """)
        #expect(text == "Costs\nWhat | When\nCrane | 3 November at noon\nPaint\nafter")
    }

    /// Mails and old pages are arranged in tables.
    @Test func tablesThatArrangeBlocksKeepTheirLines() async throws {
        let text = try await text(
            """
            <table><tr><td>Menu</td><td><h2>News</h2><table><tr><td>Crane</td><td>4000</td></tr></table><p>The end.</p></td></tr>
            </table><table role=presentation><tr><td>left</td><td>right</td></tr></table>
            """)
        #expect(text == "Menu\nNews\nCrane | 4000\nThe end.\nleft\nright")
    }

    @Test(
        arguments: [
            (
                Array("<html><meta charset=iso-8859-1><p>gr".utf8) + [0xFC] + Array("n \u{0}".utf8.dropLast()) + [0x80],
                "grün €"
            ),
            (
                Array("<html><meta http-equiv=Content-Type content='text/html; charset=shift_jis'><p>".utf8) + [
                    0x89, 0xEF, 0x8B, 0x63,
                ],
                "会議"
            ),
            (Array("\u{FEFF}<html><meta charset=iso-8859-1><p>grün".utf8), "grün"),
            (Array("<html><p>grün".utf8), "grün"), (Array("<html><p>gr".utf8) + [0xFC, 0x6E], "grün"),
            (Array("<?xml version='1.0' encoding='KOI8-R'?><html><p>".utf8) + [0xD0, 0xCC, 0xC1, 0xCE], "план"),
            (
                [0xFF, 0xFE] + "<html><p>grün".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, "grün"
            ),
            (Array("<html><meta charset=no/such><p>grün".utf8), "grün"),
        ] as [([UInt8], String)]) func theDocumentNamesItsCharacters(bytes: [UInt8], expected: String) async throws
    {
        #expect(try await read(bytes).parts[0].text == expected)
    }

    /// Each of these grows with its square in a careless reader.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "<", "<p", "<!--", "<a href=\"", "&", "&#", "<div>", "</div>", "<p>x", "<table><td>", "<li><ul>",
            "<script>",
            "<blockquote>", "<b><li>x", "a<br", "<tr><td>",
        ])
    func longNonsenseIsReadInOneGo(piece: String) async throws {
        let found = try await read(("<html>" + String(repeating: piece, count: 20_000)).utf8)
        #expect(found.parts.count == 1)
    }

    @Test func deepElementsKeepTheirTextAndHideTheirs() async throws {
        let deep = String(repeating: "<div>", count: 2_000)
        let found = try await text(
            "\(deep)shown<div hidden>secret</div>\(String(repeating: "</div>", count: 2_000))after")
        #expect(found == "shown\nafter")
    }
}
