import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct SlackHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let users = """
        [{"id": "U1", "name": "ada", "real_name": "Ada Quist", "deleted": false,
          "profile": {"display_name": "Ada", "email": "ada@example.org"}},
         {"id": "U2", "name": "ben", "profile": {"display_name": "", "real_name": "Ben Orr"}},
         {"id": "U3", "name": "tide", "is_bot": true, "profile": {}},
         {"name": "nobody"}]
        """
    private static let channels = """
        [{"id": "C1", "name": "pier", "is_channel": true, "created": 1452000000, "creator": "U1", "is_archived": false,
          "members": ["U2", "U1"], "topic": {"value": "x"}}]
        """
    private static let firstDay = """
        [{"type": "message", "user": "U1", "text": "ask <@U2> or <@U9|zoe> in <#C1|pier> &amp; <!here>: <https://example.org/a|the list>",
          "ts": "1452837318.000002", "thread_ts": "1452837318.000002", "reply_count": 1,
          "reactions": [{"name": "anchor", "users": ["U2"], "count": 1}], "edited": {"user": "U1", "ts": "1452837400.000000"}},
         {"type": "message", "user": "U2", "text": "x &lt; y <https://example.org/b>", "ts": "1452837319.5",
          "thread_ts": "1452837318.000002", "subtype": "thread_broadcast"},
         {"type": "message", "subtype": "channel_join", "user": "U2", "text": "<@U2> has joined", "ts": "1452837320.000000"},
         {"type": "message", "subtype": "bot_message", "bot_id": "B7", "username": "Tide clock", "text": "",
          "attachments": [{"pretext": "Today", "title": "High water", "fallback": "unused"}], "ts": "1452837321.000000"},
         {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted.",
          "ts": "1452837322.000000", "thread_ts": "1452837322.000000"},
         {"type": "message", "user": "U1", "text": "the plan", "ts": "1452837323.000000",
          "files": [{"id": "F1", "name": "plan.pdf", "title": "Pier plan", "mimetype": "application/pdf"},
                    {"id": "F2", "mode": "tombstone"}]},
         {"type": "message", "user": "U3", "text": "short", "ts": "1452837324.000000", "blocks": [
            {"type": "rich_text", "elements": [
               {"type": "rich_text_section", "elements": [
                  {"type": "text", "text": "longer, by "}, {"type": "user", "user_id": "U1"}, {"type": "text", "text": " "},
                  {"type": "link", "url": "https://example.org/c", "text": "here"}, {"type": "emoji", "name": "sun"}]},
               {"type": "rich_text_list", "style": "ordered", "elements": [
                  {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
                  {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]}]}]},
         {"type": "message", "text": "by nobody", "ts": "1452837325.000000"},
         {"type": "message", "user": "U1", "text": "never", "ts": "soon"}, 5,
         {"type": "message", "subtype": "channel_leave", "user": "U5", "text": "left", "ts": "1452837326.000000"}]
        """
    private static let secondDay = #"[{"user": "U2", "text": "next day", "ts": "1452923718.000001"}]"#

    /// Writes an export; returns its folder.
    private func export(_ folder: String = "export", days: [String: String]) throws -> URL {
        try bench.write(Self.users, to: "\(folder)/users.json")
        try bench.write(Self.channels, to: "\(folder)/channels.json")
        try bench.write(
            #"[{"id": "G1", "name": "office", "created": 1452000000, "members": ["U1"]}]"#, to: "\(folder)/groups.json")
        try bench.write(
            #"[{"id": "D1", "created": 1452000000, "members": ["U1", "U2"]}]"#, to: "\(folder)/dms.json")
        try bench.write(
            #"[{"id": "G2", "name": "mpdm-ada--ben-1", "created": 1452000000, "members": ["U1", "U2", "U3"]}]"#,
            to: "\(folder)/mpims.json")
        try bench.write("[]", to: "\(folder)/integration_logs.json")
        for (path, text) in days { try bench.write(text, to: "\(folder)/\(path)") }
        return bench.folder.appending(path: folder)
    }

    private var days: [String: String] {
        [
            "pier/2016-01-15.json": Self.firstDay, "pier/2016-01-16.json": Self.secondDay,
            "office/2016-01-15.json": #"[{"user": "U1", "text": "closed", "ts": "1452837318.000002"}]"#,
            "D1/2016-01-15.json": #"[{"user": "U2", "text": "between us", "ts": "1452837318.000002"}]"#,
            "mpdm-ada--ben-1/2016-01-15.json": #"[{"user": "U2", "text": "we three", "ts": "1452837318.000002"}]"#,
        ]
    }

    @Test func linksToMessagesWhereTheWorkspaceIsKnown() async throws {
        let folder = try export(days: days)
        _ = try await bench.run(folder)
        #expect(try await bench.messages(in: "slack-C1", asker: "slack-U1").allSatisfy { $0.url == nil })

        _ = try await bench.run(folder, options: HistoryOptions(workspaceURL: "https://acme.slack.com"))

        let messages = try await bench.messages(in: "slack-C1", asker: "slack-U1")
        #expect(
            messages.prefix(2).map(\.url) == [
                "https://acme.slack.com/archives/C1/p1452837318000002",
                "https://acme.slack.com/archives/C1/p14528373195?thread_ts=1452837318.000002&cid=C1",
            ])
    }

    @Test func rendersWhatPeopleWrote() async throws {
        let result = try await bench.run(try export(days: days))

        #expect(
            result.refusals == [
                "4: missing field \"id\"", "8: missing field \"user\"",
                "9: field \"ts\": not a time such as 1452837318.000002", "10: not a JSON object",
            ])
        #expect(
            result.rejects.map(\.place.entry) == ["users.json"] + Array(repeating: "pier/2016-01-15.json", count: 3))
        #expect(result.report.skipped == [.notice: 2, .otherFile: 1])
        #expect(result.report.deletedMessages == 1)
        let messages = try await bench.messages(in: "slack-C1", asker: "slack-U1")
        #expect(
            messages.map(\.text) == [
                "ask @Ben Orr or @zoe in #pier & @here: the list (https://example.org/a)",
                "x < y https://example.org/b", "Today\nHigh water", "the plan",
                "longer, by @Ada here (https://example.org/c):sun:\n1. one\n2. two", "next day",
            ])
        #expect(messages.map(\.senderName) == ["Ada", "Ben Orr", "Tide clock", "Ada", "tide", "Ben Orr"])
        #expect(messages.map(\.kind) == [.text, .text, .bot, .text, .bot, .text])
        #expect(messages.map(\.senderID.rawValue) == ["U1", "U2", "B7", "U1", "U3", "U2"].map { "slack-\($0)" })
        #expect(messages[0].key.messageID == "1452837318.000002")
        #expect(messages[0].timestamp == Timestamp(microseconds: 1_452_837_318_000_002))
        #expect(messages[0].editedAt == Timestamp(microseconds: 1_452_837_400_000_000))
        #expect(messages[0].reactions == [Message.Reaction(emoji: "⚓", userIDs: ["slack-U2"])])
        #expect(messages.map(\.threadRootID) == [nil, "1452837318.000002", nil, nil, nil, nil])
        #expect(messages[1].timestamp == Timestamp(microseconds: 1_452_837_319_500_000))
        #expect(
            messages[3].attachments == [
                Message.Attachment(name: "plan.pdf", type: "application/pdf", caption: "Pier plan")
            ])
    }

    @Test func keepsWhoMayReadWhat() async throws {
        _ = try await bench.run(try export(days: days))

        let pier = try await bench.roster(of: "slack-C1", asker: "stranger")
        #expect(pier.conversation.visibility == .everyone)
        #expect(pier.conversation.name == "pier")
        #expect(pier.conversation.createdAt == Timestamp(microseconds: 1_452_000_000_000_000))
        #expect(pier.members.map(\.displayName) == ["Ada", "Ben Orr", "U5"])
        #expect(pier.members.map(\.leftAt) == [nil, nil, Timestamp(microseconds: 1_452_837_326_000_000)])
        #expect(pier.members[0].aliases == ["Ada Quist", "ada"])
        let office = try await bench.roster(of: "slack-G1", asker: "slack-U1")
        #expect(office.conversation.visibility == .members)
        #expect(office.conversation.kind == .group)
        await #expect(throws: RepositoryError.noSuchConversation("slack-G1")) {
            _ = try await bench.roster(of: "slack-G1", asker: "slack-U2")
        }
        #expect(try await bench.messages(in: "slack-D1", asker: "slack-U1").map(\.text) == ["between us"])
        #expect(try await bench.messages(in: "slack-G2", asker: "slack-U3").map(\.text) == ["we three"])
        #expect(try await bench.roster(of: "slack-D1", asker: "slack-U1").conversation.kind == .direct)
        #expect(
            try await bench.store.identities() == [
                Identity(
                    source: "slack", externalID: "slack-B7", userID: "slack-B7", name: "Tide clock", isBot: true,
                    kind: .bot),
                Identity(
                    source: "slack", externalID: "slack-U1", userID: "slack-U1", name: "Ada", email: "ada@example.org",
                    kind: .member),
                Identity(source: "slack", externalID: "slack-U2", userID: "slack-U2", name: "Ben Orr", kind: .member),
                Identity(
                    source: "slack", externalID: "slack-U3", userID: "slack-U3", name: "tide", isBot: true, kind: .bot),
                Identity(source: "slack", externalID: "slack-U5", userID: "slack-U5", kind: .guest),
                Identity(
                    source: "slack", externalID: "slack-USLACKBOT", userID: "slack-USLACKBOT", name: "USLACKBOT",
                    kind: .bot),
            ])
    }

    @Test func aLongerExportAddsWhatIsNewAndClosesToWhoLeft() async throws {
        let old = try export("old", days: ["office/2016-01-15.json": days["office/2016-01-15.json"] ?? ""])
        try bench.write(
            #"[{"id": "G1", "name": "office", "created": 1452000000, "members": ["U1", "U2"]}]"#, to: "old/groups.json")
        _ = try await bench.run(old)
        #expect(try await bench.messages(in: "slack-G1", asker: "slack-U2").count == 1)
        let left =
            #"[{"subtype": "group_leave", "user": "U2", "text": "left", "ts": "1452923718.000001"}, "#
            + #"{"user": "U1", "text": "alone", "ts": "1452923719.000001"}]"#
        let new = try export("new", days: days.merging(["office/2016-01-16.json": left]) { $1 })

        let result = try await bench.run(new)
        let change = try await bench.store.latestChange()
        let again = try await bench.run(new)

        #expect(result.report.unchangedMessages == 1)
        #expect(result.report.insertedMessages == 9)
        await #expect(throws: RepositoryError.noSuchConversation("slack-G1")) {
            _ = try await bench.messages(in: "slack-G1", asker: "slack-U2")
        }
        #expect(again.report.unchangedMessages == 10)
        #expect(again.report.insertedMessages + again.report.updatedMessages == 0)
        #expect(try await bench.store.latestChange() == change)
    }

    @Test func halfAndWrongFilesAreNamedAndTheOthersTaken() async throws {
        let folder = try export(days: [
            "pier/2016-01-14.json": #"[{"user": "U2", "text": "kept", "ts": "1452751000.000001"}, {"user": "U2", "te"#,
            "pier/2016-01-15.json": "{}", "pier/2016-01-16.json": Self.secondDay,
            "lost/2016-01-16.json": Self.secondDay,
            "pier/canvas_in_the_conversation.json": "[]",
        ])

        let result = try await bench.run(folder)

        #expect(
            result.rejects.dropFirst().map { "\($0.place.entry ?? "") \($0.reason)" } == [
                "lost/2016-01-16.json the folder of a conversation that no list names",
                "pier/2016-01-14.json breaks off at byte 78",
                "pier/2016-01-15.json a value of another type than expected at byte 0",
            ])
        #expect(result.report.insertedMessages == 2)
        #expect(result.report.skipped == [.otherFile: 2])
    }

    @Test func oneDayAloneIsRefused() async throws {
        let file = try bench.write(Self.secondDay, to: "2016-01-16.json")

        await #expect(throws: ImportFileError.partOfSlack(path: file.path)) { _ = try await bench.run(file) }
    }
}
