import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct TelegramHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func message(_ id: Int, _ text: String, from: String = "Ada", more: String = "") -> String {
        #"{"id": \#(id), "type": "message", "date": "2024-02-01T10:00:0\#(id % 10)", "date_unixtime": "170678160\#(id % 10)", "#
            + #""from": "\#(from)", "from_id": "user\#(from.utf8.count)", "text": \#(text)\#(more)}"#
    }

    private static let messages = [
        message(1, #""the buoy drifts""#),
        message(
            2,
            #"["see ", {"type": "text_link", "text": "chart", "href": "https://example.org/c"}, " or ", "#
                + #"{"type": "link", "text": "https://example.org/d"}]"#, from: "Benno"),
        message(
            3, #""no, it holds""#,
            more: #", "reply_to_message_id": 1, "edited_unixtime": "1706781700", "edited": "x", "#
                + #""reactions": [{"type": "emoji", "count": 1, "emoji": "👍", "recent": [{"from_id": "user5"}]}]"#),
        message(4, #""""#, more: #", "photo": "photos/photo_1.jpg", "width": 10"#),
        message(
            5, #""the plan""#,
            more: #", "file": "(File not included. Change data exporting settings.)", "#
                + #""file_name": "plan.pdf", "mime_type": "application/pdf""#),
        #"{"id": 6, "type": "service", "date_unixtime": "1706781606", "actor": "Ada", "action": "pin_message", "text": ""}"#,
        #"{"id": 7, "type": "message", "date_unixtime": "1706781607", "from": null, "from_id": "user9", "text": "gone"}"#,
        #"{"id": 8, "type": "message", "date_unixtime": "1706781608", "from": "Ada", "from_id": "user3", "text": ""}"#,
        #"{"id": 9, "type": "message", "date": "2024-02-01T10:00:09", "from": "Ada", "from_id": 3, "text": "local", "#
            + #""edited": "1970-01-01T01:00:00"}"#,
        #"{"type": "message", "date_unixtime": "1706781607", "from_id": "user9", "text": "no id"}"#,
        #""rubbish""#,
        #"{"id": 11, "type": "message", "date_unixtime": "soon", "date": 5, "from_id": "user9", "text": "x"}"#,
    ]

    private static func chat(_ type: String, id: Int = 77, name: String = "Buoys", messages: [String] = messages)
        -> String
    {
        #"{"name": "\#(name)", "type": "\#(type)", "id": \#(id), "messages": [\#(messages.joined(separator: ",\n"))]}"#
    }

    @Test func readsOneChat() async throws {
        let file = try bench.write(Self.chat("private_supergroup"), to: "result.json")

        let result = try await bench.run(file, options: HistoryOptions(timeZone: "Europe/Berlin"))

        #expect(
            result.refusals == [
                "10: missing field \"id\"", "11: not a JSON object", "12: field \"date\" has the wrong type",
            ])
        #expect(result.report.skipped == [.notice: 1, .empty: 1])
        let messages = try await bench.messages(in: "telegram-channel77", asker: "telegram-user3")
        #expect(
            messages.map(\.text) == [
                "local", "the buoy drifts", "see chart (https://example.org/c) or https://example.org/d",
                "no, it holds", "", "the plan", "gone",
            ])
        #expect(messages.map(\.senderName) == ["Ada", "Ada", "Benno", "Ada", "Ada", "Ada", "Deleted Account"])
        #expect(messages[0].timestamp == Timestamp(iso8601: "2024-02-01T09:00:09Z"))
        #expect(messages[0].editedAt == nil)
        #expect(messages[1].timestamp == Timestamp(iso8601: "2024-02-01T10:00:01Z"))
        #expect(messages[1].key.messageID == "1")
        #expect(messages[3].replyToID == "1")
        #expect(messages[1].url == "https://t.me/c/77/1")
        #expect(messages[3].editedAt == Timestamp(iso8601: "2024-02-01T10:01:40Z"))
        #expect(messages[3].reactions == [Message.Reaction(emoji: "👍", userIDs: ["telegram-user5"])])
        #expect(messages[4].attachments == [Message.Attachment(name: "photo_1.jpg")])
        #expect(messages[5].attachments == [Message.Attachment(name: "plan.pdf", type: "application/pdf")])
        let roster = try await bench.roster(of: "telegram-channel77", asker: "telegram-user3")
        #expect(roster.conversation.name == "Buoys")
        #expect(roster.conversation.visibility == .members)
        #expect(roster.members.map(\.userID) == ["telegram-user3", "telegram-user5", "telegram-user9"])
    }

    @Test func readsAllChatsOfAnAccount() async throws {
        let chats = [
            Self.chat("personal_chat", id: 3, name: "Ada", messages: [Self.message(1, #""hello""#)]),
            Self.chat("public_channel", id: 3, messages: [Self.message(1, #""news""#)]), "7",
            #"{"name": "No id", "type": "private_group", "messages": [\#(Self.message(1, #""x""#))]}"#,
            #"{"messages": [\#(Self.message(2, #""turned around""#))], "id": 8, "type": "private_group", "name": "Late"}"#,
        ]
        let account =
            #"{"about": "x", "personal_information": {"user_id": 5}, "contacts": {"list": [{"first_name": "Z"}]}, "#
            + #""chats": {"about": "y", "list": [\#(chats.joined(separator: ","))]}, "#
            + #""left_chats": {"list": [\#(Self.chat("private_group", id: 9, messages: [Self.message(1, #""left""#)]))]}}"#

        let result = try await bench.run(try bench.write(account, to: "export/result.json"))

        #expect(result.refusals == ["-: missing field \"id\""])
        #expect(result.report.insertedMessages == 4)
        #expect(try await bench.messages(in: "telegram-user3:user5", asker: "telegram-user3").map(\.text) == ["hello"])
        #expect(try await bench.messages(in: "telegram-channel3", asker: "stranger").map(\.text) == ["news"])
        #expect(
            try await bench.messages(in: "telegram-chat8", asker: "telegram-user3").map(\.text) == ["turned around"])
        #expect(try await bench.messages(in: "telegram-chat9", asker: "telegram-user3").map(\.text) == ["left"])
        #expect(
            try await bench.roster(of: "telegram-user3:user5", asker: "telegram-user3").conversation.kind == .direct)
    }

    @Test func twoPeoplesChatsWithTheSamePersonAreTwoConversations() async throws {
        func export(of owner: String) throws -> URL {
            let messages = [Self.message(1, #""hello""#), Self.message(2, #""from \#(owner)""#, from: owner)]
            return try bench.write(
                Self.chat("personal_chat", id: 3, name: "Ada", messages: messages), to: "\(owner)/result.json")
        }

        _ = try await bench.run(try export(of: "Benno"), try export(of: "Benedikt"))

        let benno = try await bench.roster(of: "telegram-user3:user5", asker: "telegram-user5")
        #expect(benno.members.map(\.displayName) == ["Ada", "Benno"])
        let benedikt = try await bench.roster(of: "telegram-user3:user8", asker: "telegram-user8")
        #expect(benedikt.members.map(\.displayName) == ["Ada", "Benedikt"])
        await #expect(throws: RepositoryError.noSuchConversation("telegram-user3:user8")) {
            _ = try await bench.messages(in: "telegram-user3:user8", asker: "telegram-user5")
        }
    }

    @Test func aMessageWithoutEndIsPassedOverAndAFileWithoutMessagesIsNamed() async throws {
        let long = Self.message(2, #""\#(String(repeating: "x", count: 5 << 20))""#)
        let file = try bench.write(
            Self.chat("private_group", messages: [Self.messages[0], long, Self.messages[2]]), to: "long/result.json")
        let empty = try bench.write(
            #"{"name": "A", "type": "private_group", "id": 1, "messages": {}}"#, to: "result.json")

        let result = try await bench.run(file, empty)

        #expect(result.refusals == ["2: longer than 4194304 bytes", "-: no list of messages"])
        #expect(result.report.insertedMessages == 2)
    }

    @Test func aRepetitionChangesNothingAndALongerExportAddsWhatIsNew() async throws {
        let short = try bench.write(
            Self.chat("private_group", messages: Array(Self.messages.prefix(2))), to: "a/result.json")
        let long = try bench.write(
            Self.chat("private_group", messages: Array(Self.messages.prefix(5))), to: "b/result.json")
        _ = try await bench.run(short)
        let change = try await bench.store.latestChange()

        let again = try await bench.run(short)
        let after = try await bench.store.latestChange()
        let longer = try await bench.run(long)

        #expect(again.report.unchangedMessages == 2)
        #expect(after == change)
        #expect(longer.report.insertedMessages == 3)
        #expect(longer.report.unchangedMessages == 2)
    }

    @Test func anImportThatWasInterruptedGoesOnWhereItWas() async throws {
        struct Stopped: Error {}
        let messages = (0..<10_000).map { Self.message($0, #""number \#($0)""#) }
        let file = try bench.write(Self.chat("private_group", messages: messages), to: "result.json")
        let history = HistoryImport(store: bench.store, options: HistoryOptions(), now: ManualNow().now)
        await #expect(throws: Stopped.self) {
            _ = try await history.run([file], progress: { _ in throw Stopped() }, rejected: { _ in })
        }

        let result = try await bench.run(file)

        #expect(result.report.unchangedMessages > 0)
        #expect(result.report.insertedMessages > 0)
        #expect(result.report.insertedMessages + result.report.unchangedMessages == 10_000)
    }

    @Test func aFileThatBreaksOffIsTakenAsFarAsItGoes() async throws {
        let whole = Self.chat("private_group", messages: Array(Self.messages.prefix(5)))
        let half = String(whole.prefix(whole.count - 40))

        let result = try await bench.run(try bench.write(half, to: "result.json"))

        #expect(result.refusals == ["-: breaks off at byte \(half.utf8.count)"])
        #expect(result.report.insertedMessages == 4)
        let roster = try await bench.roster(of: "telegram-chat77", asker: "telegram-user3")
        #expect(roster.members.map(\.userID) == ["telegram-user3", "telegram-user5"])
    }

    @Test func anErrorInAMessageLosesThisMessageOnly() async throws {
        let broken = Self.chat("private_group", messages: [Self.messages[0], "{]", Self.messages[1]])

        let result = try await bench.run(try bench.write(broken, to: "result.json"))

        #expect(result.rejects.count == 1)
        #expect(result.rejects.first?.reason.hasPrefix("not valid JSON at byte ") == true)
        #expect(result.report.insertedMessages == 2)
    }

    @Test func controlCharactersAreReadAsTelegramWritesThem() async throws {
        let odd = Self.message(2, #""form\x0Bfeed, \x1b[1m, \x00 and \n""#)
        let broken = Self.message(3, #""no \q escape, {brackets] and \" quotes""#)
        let messages = [Self.messages[0], odd, broken, #"{"id": 5, "text": \u12}"#, Self.message(4, #""after""#)]
        let file = try bench.write(
            #"{"about": "a\x01b", "chats": {"list": ["# + Self.chat("private_group", id: 1, messages: messages) + ","
                + Self.chat("private_group", id: 2) + "]}}", to: "result.json")

        let result = try await bench.run(file)

        let texts = try await bench.messages(in: "telegram-chat1", asker: "telegram-user3").map(\.text)
        #expect(texts == ["the buoy drifts", "form\u{0B}feed, \u{1B}[1m, \u{FFFD} and \n", "after"])
        #expect(result.rejects.prefix(2).map(\.place.number) == [3, 4])
        #expect(result.rejects.prefix(2).allSatisfy { $0.reason.hasPrefix("not valid JSON at byte ") })
        #expect(try await bench.messages(in: "telegram-chat2", asker: "telegram-user3").count == 7)
    }

    @Test func theOwnerOfAnExportReadsItsPersonalChats() async throws {
        let text = Self.message(1, #""hello""#, from: "Benno")
        let file = try bench.write(
            #"{"personal_information": {"user_id": 9, "first_name": "Ada", "last_name": "Quist"}, "chats": {"list": ["#
                + Self.chat("personal_chat", id: 5, messages: [text]) + ","
                + Self.chat("private_group", id: 6, messages: [text]) + "]}}", to: "result.json")

        _ = try await bench.run(file)

        let roster = try await bench.roster(of: "telegram-user5:user9", asker: "telegram-user9")
        #expect(roster.members.map(\.userID) == ["telegram-user5", "telegram-user9"])
        #expect(roster.members.map(\.displayName) == ["Benno", "Ada Quist"])
        #expect(roster.conversation.createdAt == Timestamp(iso8601: "2024-02-01T10:00:01Z"))
        #expect(Set(roster.members.map(\.joinedAt)) == [roster.conversation.createdAt])
    }

    @Test func oldNumbersOfUsersAreThoseOfLaterExports() async throws {
        let messages = ["4295968297", "\"user1001001\"", "8590934593", "5000000000000"].enumerated().map { index, id in
            #"{"id": \#(index), "type": "message", "date_unixtime": "170678160\#(index)", "from": "X", "from_id": \#(id), "text": "x"}"#
        }
        let file = try bench.write(Self.chat("private_group", messages: messages), to: "result.json")

        _ = try await bench.run(file)

        let found = try await bench.messages(in: "telegram-chat77", asker: "telegram-user1001001")
        #expect(
            found.map(\.senderID) == [
                "telegram-user1001001", "telegram-user1001001", "telegram-chat1000001", "telegram-user5000000000000",
            ])
    }

    @Test func placesCardsAndSourcesOfForwardedMessagesAreText() async throws {
        let messages = [
            Self.message(1, #""look""#, more: #", "forwarded_from": "Harbour office""#),
            Self.message(
                2, #""""#,
                more: #", "location_information": {"latitude": 53.5, "longitude": 10.25}, "place_name": "Pier 3""#),
            Self.message(
                3, #""""#,
                more: #", "contact_information": {"first_name": "Ben", "last_name": "Orr", "phone_number": "+491"}"#),
        ]

        _ = try await bench.run(try bench.write(Self.chat("private_group", messages: messages), to: "result.json"))

        let found = try await bench.messages(in: "telegram-chat77", asker: "telegram-user3")
        #expect(found.map(\.text) == ["Forwarded from Harbour office\nlook", "Pier 3\n53.5, 10.25", "Ben Orr\n+491"])
    }

    @Test func olderExportsReadTheHourThatRepeatsInTheOrderOfTheFile() async throws {
        func message(_ id: Int, _ time: String, edited: String = "1970-01-01T01:00:00") -> String {
            #"{"id": \#(id), "type": "message", "date": "2019-10-27T\#(time)", "edited": "\#(edited)", "from": "Ada", "#
                + #""from_id": 3, "text": "\#(id)"}"#
        }
        let first = [
            message(1, "02:50:00"), message(2, "02:10:00", edited: "2019-10-27T02:20:00"), message(3, "03:00:05"),
        ]
        let second = [message(1, "02:20:00", edited: "2019-10-27T02:05:00")]
        let account =
            #"{"about": "x", "chats": {"list": [\#(Self.chat("private_group", id: 1, messages: first)), "#
            + #"\#(Self.chat("private_group", id: 2, messages: second))]}}"#
        let file = try bench.write(account, to: "result.json")

        _ = try await bench.run(file, options: HistoryOptions(timeZone: "Europe/Berlin"))

        let messages = try await bench.messages(in: "telegram-chat1", asker: "telegram-user3")
        #expect(
            messages.map { String($0.timestamp.iso8601.prefix(16)) } == [
                "2019-10-27T00:50", "2019-10-27T01:10", "2019-10-27T02:00",
            ])
        #expect(messages[1].editedAt == Timestamp(iso8601: "2019-10-27T01:20:00Z"))
        // Another chat begins again; its edit was in the second pass.
        let other = try await bench.messages(in: "telegram-chat2", asker: "telegram-user3")
        #expect(other.map(\.timestamp) == [Timestamp(iso8601: "2019-10-27T00:20:00Z")])
        #expect(other[0].editedAt == Timestamp(iso8601: "2019-10-27T01:05:00Z"))
    }

    @Test(arguments: [
        #""type": "service", "actor": "Ada", "actor_id": "user3", "action": "invite_members", "members": ["Ben"], "text": """#,
        #""type": "service", "actor": "Ada", "actor_id": "user3", "action": "phone_call", "text": "Outgoing call""#,
        #""type": "unsupported", "from": "Ada", "from_id": "user3", "text": "cannot be shown""#,
    ])
    func notesOfTheApplicationAreNoMessages(fields: String) async throws {
        let element = #"{"id": 1, "date_unixtime": "1706781601", \#(fields)}"#
        let file = try bench.write(
            Self.chat("private_group", messages: [element, Self.message(2, #""hello""#)]), to: "result.json")

        let result = try await bench.run(file)

        #expect(result.report.skipped == [.notice: 1])
        #expect(result.report.insertedMessages == 1)
    }
}
