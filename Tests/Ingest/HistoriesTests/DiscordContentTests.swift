import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// What messages of Discord say in forms other than `content`.
@Suite struct DiscordContentTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let ada =
        #"{"id": "10", "name": "ada_q", "nickname": "Ada", "isBot": false, "roles": [{"id": "7", "name": "crew"}]}"#
    private static let ben = #"{"id": "11", "name": "ben", "nickname": "Ben", "isBot": false}"#

    private func run(_ messages: [String], author: String = ada) async throws -> HistoryBench.Result {
        let numbered = messages.enumerated().map { number, fields in
            #"{"id": "\#(number + 1)", "timestamp": "2023-05-01T06:0\#(number):00+00:00", "author": \#(author), \#(fields)}"#
        }
        let file = try bench.write(
            #"{"guild": {"id": "1", "name": "Dam"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "gate"}, "#
                + #""messages": [\#(numbered.joined(separator: ","))]}"#, to: "\(UUID().uuidString).json")
        return try await bench.run(file)
    }

    private func messages() async throws -> [Message] {
        try await bench.messages(in: "discord-2", asker: "discord-10")
    }

    @Test func forwardedMessagesKeepWhatTheySay() async throws {
        let forwarded = [
            #""embeds": [{"title": "Storm", "description": "told by <@11>", "fields": [{"name": "Area", "value": "Elbe"}]}], "#
                + #""mentions": [\#(Self.ben)]"#,
            #""stickers": [{"id": "1", "name": "Wave", "format": "Png"}]"#,
            #""content": "<@11> and <@&7> own the pump", "mentions": [\#(Self.ben)]"#,
            #""content": "see https://x.example/a", "embeds": [{"url": "https://x.example/a", "title": "Preview"}]"#,
            #""content": "", "poll": {"question": {"text": "Which boat?"}, "answers": [{"poll_media": {"text": "Blue"}}]}"#,
        ]

        let result = try await run(forwarded.map { #""type": "Default", "content": "", "forwardedMessage": {\#($0)}"# })

        #expect(result.report.skipped == [:])
        let found = try await messages()
        #expect(
            found.map(\.text) == [
                "Storm\ntold by @Ben\nArea: Elbe", "", "@Ben and @crew own the pump", "see https://x.example/a",
                "Which boat?\n• Blue",
            ])
        #expect(found[1].attachments == [Message.Attachment(name: "Wave")])
    }

    @Test func ownWordsStandBeforeTheForwardedOnes() async throws {
        _ = try await run([
            #""type": "Default", "content": "look", "forwardedMessage": {"content": "the gate is open", "attachments": [{"fileName": "a.png"}]}"#
        ])

        #expect(try await messages().map(\.text) == ["look\nthe gate is open"])
        #expect(try await messages().first?.attachments == [Message.Attachment(name: "a.png")])
    }

    @Test func resultsOfPollsAreMessages() async throws {
        func fields(_ pairs: [(String, String)]) -> String {
            let list = pairs.map { #"{"name": "\#($0.0)", "value": "\#($0.1)"}"# }
            return
                #""type": "46", "content": "", "embeds": [{"title": "", "fields": [\#(list.joined(separator: ","))]}]"#
        }

        _ = try await run([
            fields([("poll_question_text", "Which boat?"), ("victor_answer_text", "Blue")]),
            fields([
                ("poll_question_text", "Which gate?"), ("victor_answer_votes", "3"), ("total_votes", "4"),
                ("victor_answer_id", "1"), ("victor_answer_text", "North"),
            ]),
            fields([("poll_question_text", "A draw?"), ("total_votes", "2")]),
        ])

        #expect(
            try await messages().map(\.text) == [
                "Which boat?\nBlue", "Which gate?\nNorth (3 of 4 votes)", "A draw?\n(2 votes)",
            ])
    }

    @Test func messagesOfUnknownTypesKeepTheirTextAndNoticesAreNone() async throws {
        let result = try await run([
            #""type": "99", "content": "from the future""#, #""type": "7", "content": "joined""#,
            #""type": "GuildMemberJoin", "content": "joined""#, #""type": "21", "content": """#,
            #""type": "Mystery", "content": """#,
        ])

        #expect(try await messages().map(\.text) == ["from the future"])
        #expect(result.report.skipped == [.notice: 3, .empty: 1])
        #expect(result.report.notes.map(\.name) == ["discord message type 99", "discord message type Mystery"])
    }

    @Test func embedsWithoutTitleAndCommandsHaveWords() async throws {
        let bot = #"{"id": "12", "name": "tide", "isBot": true}"#
        _ = try await run(
            [
                #""type": "Default", "content": "", "embeds": [{"author": {"name": "Harbour office"}, "footer": {"text": "12 May"}}]"#,
                #""type": "Default", "content": "use </tide now:55>""#,
            ], author: bot)

        let found = try await bench.messages(in: "discord-2", asker: "discord-12")
        #expect(found.map(\.text) == ["Harbour office\n12 May", "use /tide now"])
    }

    @Test func theNameOfTheAccountIsAnAlias() async throws {
        _ = try await run([#""type": "Default", "content": "x""#])

        let member = try await bench.roster(of: "discord-2", asker: "discord-10").members.first
        #expect(member?.displayName == "Ada")
        #expect(member?.aliases == ["ada_q"])
    }
}
