import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// What messages of Slack say in forms other than `text`.
@Suite struct SlackContentTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    /// Imports messages, each with the fields given; their times are set.
    private func run(_ messages: [String]) async throws -> (messages: [Message], report: ImportReport) {
        try bench.write(
            #"[{"id": "U1", "name": "ada", "real_name": "Ada"}, {"id": "U2", "name": "ben", "real_name": "Ben"}]"#,
            to: "e/users.json")
        try bench.write(
            #"[{"id": "C1", "name": "pier", "is_channel": true, "members": ["U1", "U2"]}]"#, to: "e/channels.json")
        let numbered = messages.enumerated().map { number, fields in
            #"{"ts": "14528373\#(10 + number).000001", \#(fields)}"#
        }
        try bench.write("[\(numbered.joined(separator: ","))]", to: "e/pier/2016-01-15.json")
        let result = try await bench.run(bench.folder.appending(path: "e"))
        #expect(result.refusals == [])
        return (try await bench.messages(in: "slack-C1", asker: "slack-U1"), result.report)
    }

    private func text(_ fields: String) async throws -> String? { try await run([fields]).messages.first?.text }

    private static func rich(_ elements: String, text: String = "") -> String {
        #""user": "U1", "text": "\#(text)", "blocks": [{"type": "rich_text", "elements": [\#(elements)]}]"#
    }

    private static func section(_ elements: String) -> String {
        #"{"type": "rich_text_section", "elements": [\#(elements)]}"#
    }

    @Test(arguments: [
        (#"{"type": "usergroup", "usergroup_id": "S9"}"#, "<!subteam^S9|@crew>", "@crew"),
        (#"{"type": "usergroup", "usergroup_id": "S9"}"#, "", "@S9"),
        (#"{"type": "user", "user_id": "U9"}"#, "<@U9|pat>", "@pat"),
        (#"{"type": "user", "user_id": "U2"}"#, "<@U2|old name>", "@Ben"),
        (#"{"type": "channel", "channel_id": "C9"}"#, "see <#C9|ops>", "#ops"),
        (#"{"type": "channel", "channel_id": "C1"}"#, "", "#pier"),
        (#"{"type": "broadcast", "range": "here"}"#, "", "@here"),
        (##"{"type": "color", "value": "#f0a"}"##, "", "#f0a"),
        (#"{"type": "team", "team_id": "T9"}"#, "", "@T9"),
        (#"{"type": "emoji", "name": "anchor", "unicode": "2693"}"#, "", ":anchor:"),
        (
            #"{"type": "date", "timestamp": 1700000000, "format": "{date}", "fallback": "14 November"}"#, "",
            "14 November"
        ),
        (#"{"type": "date", "timestamp": 1700000000, "format": "{date}"}"#, "", "2023-11-14 22:13 UTC"),
        (#"{"type": "link", "url": "https://x.example/a", "text": "the plan"}"#, "", "the plan (https://x.example/a)"),
        (#"{"type": "text", "text": "make all", "style": {"code": true}}"#, "", "`make all`"),
    ])
    func everyPartOfRichTextHasWords(element: String, text: String, expected: String) async throws {
        #expect(try await self.text(Self.rich(Self.section(element), text: text)) == expected)
    }

    @Test func listsQuotesAndCodeLookAsPeopleTypeThem() async throws {
        let item = { (text: String) in Self.section(#"{"type": "text", "text": "\#(text)"}"#) }
        let blocks = [
            Self.section(#"{"type": "text", "text": "To do:\n"}"#),
            #"{"type": "rich_text_list", "style": "ordered", "elements": [\#(item("oil"))]}"#,
            #"{"type": "rich_text_list", "style": "bullet", "indent": 1, "elements": [\#(item("two cans"))]}"#,
            #"{"type": "rich_text_list", "style": "ordered", "offset": 1, "elements": [\#(item("paint"))]}"#,
            #"{"type": "rich_text_quote", "elements": [{"type": "text", "text": "not today\nsays Ben"}]}"#,
            #"{"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "a = 1\nb = 2"}]}"#,
        ]

        #expect(
            try await text(Self.rich(blocks.joined(separator: ","))) == """
                To do:
                1. oil
                  • two cans
                2. paint
                > not today
                > says Ben
                ```
                a = 1
                b = 2
                ```
                """)
    }

    @Test(arguments: [
        (#"{"type": "markdown", "text": "**Rota**: Ben"}"#, "**Rota**: Ben"),
        (
            #"{"type": "table", "rows": [[{"type": "raw_text", "text": "gauge"}, {"type": "rich_text", "elements": ["#
                + #"{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U2"}]}]}], "#
                + #"[{"type": "raw_text", "text": "G7"}, {"type": "raw_number", "text": 3}]]}"#, "gauge | @Ben\nG7 | 3"
        ),
        (#"{"type": "header", "text": {"type": "plain_text", "text": "High water"}}"#, "High water"),
        (
            #"{"type": "video", "title": {"type": "plain_text", "text": "Tour"}, "description": "#
                + #"{"type": "plain_text", "text": "of the lock"}}"#, "Tour\nof the lock"
        ),
        (
            #"{"type": "context", "elements": [{"type": "mrkdwn", "text": "by <@U2>"}, "#
                + #"{"type": "image", "alt_text": "seal"}]}"#, "by @Ben seal"
        ),
        (
            #"{"type": "card", "title": "Pump 2", "body": {"type": "mrkdwn", "text": "is *on*"}}"#, "Pump 2\nis *on*"
        ),
        (
            #"{"type": "container", "title": {"type": "plain_text", "text": "Night"}, "child_blocks": "#
                + #"[{"type": "section", "text": {"type": "mrkdwn", "text": "all calm"}}]}"#, "Night\nall calm"
        ),
        (#"{"type": "alert", "text": {"type": "plain_text", "text": "Gate open"}, "level": "warning"}"#, "Gate open"),
    ])
    func blocksOfProgramsHaveWords(block: String, expected: String) async throws {
        let (messages, report) = try await run([#""bot_id": "B1", "text": "", "blocks": [\#(block)]"#])

        #expect(messages.map(\.text) == [expected])
        #expect(report.notes == [])
    }

    @Test func blocksInAttachmentsAreRead() async throws {
        let blocks =
            #"[{"type": "section", "text": {"type": "mrkdwn", "text": "*Alarm*: gauge 4"}}, "#
            + #"{"type": "section", "fields": [{"type": "plain_text", "text": "since 4"}, {"type": "mrkdwn", "text": "<@U2>"}]}]"#
        let shared =
            #""message_blocks": [{"team": "T1", "message": {"blocks": [{"type": "rich_text", "elements": ["#
            + Self.section(#"{"type": "text", "text": "as I said"}"#) + "]}]}}]"

        let (messages, report) = try await run([
            #""bot_id": "B1", "text": "", "attachments": [{"fallback": "[no preview available]", "blocks": \#(blocks)}]"#,
            #""user": "U1", "text": "look", "attachments": [{"is_share": true, \#(shared), "files": [{"name": "a.pdf"}]}]"#,
            #""bot_id": "B1", "text": "", "attachments": [{"fallback": "[no preview available]"}]"#,
        ])

        #expect(messages.map(\.text) == ["*Alarm*: gauge 4\nsince 4\n@Ben", "look\nas I said"])
        #expect(messages[1].attachments.map(\.name) == ["a.pdf"])
        #expect(report.skipped == [.empty: 1])
    }

    @Test func blocksAreWhatSlackShowsAndTextIsForTheRest() async throws {
        let block = { (text: String) in
            #""blocks": [{"type": "section", "text": {"type": "plain_text", "text": "\#(text)"}}]"#
        }
        let odd = #""blocks": [{"type": "hologram", "title": "Hull"}]"#

        let (messages, report) = try await run([
            #""bot_id": "B1", "text": "This content can't be displayed.", \#(block("ok"))"#,
            #""bot_id": "B1", "text": "A report is there, open it in the browser", \#(block("Status: green"))"#,
            #""bot_id": "B1", "text": "Hull 7 is dry", \#(odd)"#,
            #""bot_id": "B1", "text": "", \#(odd)"#,
            #""bot_id": "B1", "text": "Only buttons", "blocks": [{"type": "actions", "elements": []}]"#,
        ])

        #expect(messages.map(\.text) == ["ok", "Status: green", "Hull 7 is dry", "Hull", "Only buttons"])
        #expect(report.notes.map(\.name) == ["slack block hologram"])
        #expect(report.notes.map(\.count) == [2])
        #expect(report.notes.map(\.kind) == [.unknownContent])
    }

    @Test func namesOfUnknownContentAreWordsAndFew() async throws {
        let many = (0..<150).map { #""bot_id": "B1", "text": "x", "blocks": [{"type": "kind_\#($0)"}]"# }
        let odd = [#""bot_id": "B1", "text": "x", "blocks": [{"type": "secret text of a message!"}]"#]

        let notes = try await run(odd + many).report.notes

        #expect(notes.count <= 101)
        #expect(notes.reduce(0) { $0 + $1.count } == 151)
        #expect(!notes.contains { $0.name?.contains("secret") == true })
        #expect(notes.allSatisfy { $0.kind == .unknownContent })
    }

    @Test func commentsOnFilesAreTheWordsOfTheirAuthor() async throws {
        let (messages, _) = try await run([
            #""subtype": "file_comment", "text": "<@U2> commented on <@U1>'s file <https://x.example/f|plan.pdf>: crane first", "#
                + #""file": {"id": "F1", "name": "plan.pdf", "user": "U1"}, "comment": {"user": "U2", "comment": "crane &amp; rope"}"#,
            #""user": "U1", "text": "old file", "file": {"id": "F2", "name": "map.png", "mimetype": "image/png"}"#,
        ])

        #expect(messages.map(\.text) == ["crane & rope", "old file"])
        #expect(messages.map(\.senderName) == ["Ben", "Ada"])
        #expect(messages.map { $0.attachments.map(\.name) } == [["plan.pdf"], ["map.png"]])
    }

    @Test func textsOfAttachmentsNamePeopleToo() async throws {
        let block = Self.section(#"{"type": "user", "user_id": "U9"}"#)

        let (messages, _) = try await run([
            #""bot_id": "B1", "text": "", "attachments": [{"fallback": "<@U9|pat>", "blocks": "#
                + #"[{"type": "rich_text", "elements": [\#(block)]}]}]"#
        ])

        #expect(messages.map(\.text) == ["@pat"])
    }

    @Test func marksOfGroupsAndDatesHaveWordsInText() async throws {
        let texts = [
            "<!subteam^S1|@crew> go", "<!subteam^S1> go", "<!date^1700000000^{date}|today>",
            "<!date^1700000000^{date}>",
        ]

        let (messages, _) = try await run(texts.map { #""user": "U1", "text": "\#($0)""# })

        #expect(messages.map(\.text) == ["@crew go", "@S1 go", "today", "2023-11-14 22:13 UTC"])
    }
}
