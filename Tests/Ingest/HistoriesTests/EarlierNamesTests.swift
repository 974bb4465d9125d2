import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Names that people had before stay aliases, within an import and over several.
@Suite struct EarlierNamesTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private func names(of user: UserID, in id: ConversationID) async throws -> [String] {
        let member = try await bench.store.roster(of: id).members.first { $0.userID == user }
        return member.map { [$0.displayName] + $0.aliases } ?? []
    }

    private func slack(_ folder: String, name: String, profile: String? = nil) throws -> URL {
        try bench.write(
            #"[{"id": "U1", "name": "bquist", "profile": {"display_name": "\#(name)"}}, {"id": "U2", "name": "ada"}]"#,
            to: "\(folder)/users.json")
        try bench.write(#"[{"id": "C1", "name": "pier", "members": ["U1", "U2"]}]"#, to: "\(folder)/channels.json")
        let shown = profile.map { #", "user_profile": {"display_name": "\#($0)", "real_name": "Ben Q"}"# } ?? ""
        try bench.write(
            #"[{"user": "U1", "text": "the pump is mine", "ts": "1452837318.000002"\#(shown)}]"#,
            to: "\(folder)/pier/2016-01-15.json")
        return bench.folder.appending(path: folder)
    }

    @Test func aLaterExportKeepsTheNamesOfTheEarlierOne() async throws {
        _ = try await bench.run(try slack("a", name: "Ben Quist"))
        _ = try await bench.run(try slack("b", name: "BQ"))
        _ = try await bench.run(try slack("c", name: "BQ (on leave)"))

        #expect(try await names(of: "slack-U1", in: "slack-C1") == ["BQ (on leave)", "bquist", "BQ", "Ben Quist"])

        let change = try await bench.store.latestChange()
        _ = try await bench.run(try slack("c", name: "BQ (on leave)"))
        #expect(try await bench.store.latestChange() == change)
    }

    @Test func slackShowsEarlierNamesInMessages() async throws {
        _ = try await bench.run(try slack("a", name: "BQ (on leave)", profile: "Ben Quist"))

        #expect(
            try await names(of: "slack-U1", in: "slack-C1") == ["BQ (on leave)", "bquist", "Ben Quist", "Ben Q"])
        #expect(try await names(of: "slack-U2", in: "slack-C1") == ["ada"])
    }

    @Test func aPersonWhoIsMappedKeepsEarlierNamesToo() async throws {
        _ = try await bench.run(try slack("a", name: "Ben Quist"))
        _ = try await bench.store.map(
            Identity(source: "slack", externalID: "slack-U1", userID: "ben"), at: Timestamp(microseconds: 1))

        _ = try await bench.run(try slack("b", name: "BQ", profile: "B. Quist"))

        #expect(try await names(of: "ben", in: "slack-C1") == ["BQ", "bquist", "B. Quist", "Ben Q", "Ben Quist"])
        #expect(try await bench.store.identities().filter { $0.userID == "ben" }.count == 1)
    }

    @Test func namesOfChatsWithoutListsChangeFromMessageToMessage() async throws {
        func message(_ id: Int, _ name: String) -> String {
            #"{"id": \#(id), "type": "message", "date_unixtime": "17067816\#(10 + id)", "from": "\#(name)", "#
                + #""from_id": "user7", "text": "x"}"#
        }
        let file = try bench.write(
            #"{"name": "Buoys", "type": "private_group", "id": 7, "messages": [\#(message(1, "Ben Quist")), "#
                + #"\#(message(2, "BQ (on leave)"))]}"#, to: "result.json")

        _ = try await bench.run(file)

        #expect(try await names(of: "telegram-user7", in: "telegram-chat7") == ["BQ (on leave)", "Ben Quist"])
    }

    @Test func jsonLinesHaveTheNameOfTheTimeInEachMessage() async throws {
        func line(_ id: Int, _ name: String, kind: String = "text") -> String {
            #"{"id": "\#(id)", "conversationId": "yard", "senderId": "ben", "senderName": "\#(name)", "kind": "\#(kind)", "#
                + #""text": "x", "timestamp": "2026-01-0\#(id)T10:00:00Z"}"#
        }
        let people = #"{"id": "yard", "participants": [{"id": "ben", "name": "BQ (on leave)", "aliases": ["Benno"]}]}"#
        let conversations = try bench.write(people, to: "conversations.jsonl")
        let messages = try bench.write(
            [
                line(1, "Ben Quist"), line(2, "Ben Quist"), line(3, "BQ"), line(4, "Pump alarm", kind: "bot"),
                line(5, "ben"),
            ]
            .joined(separator: "\n"), to: "messages.jsonl")

        _ = try await bench.run(conversations)
        _ = try await bench.run(messages)

        #expect(try await names(of: "ben", in: "yard") == ["BQ (on leave)", "Benno", "Ben Quist", "BQ"])
        let change = try await bench.store.latestChange()
        _ = try await bench.run(conversations, messages)
        #expect(try await bench.store.latestChange() == change)
    }

    @Test func membershipsStayAsTheyAre() async throws {
        let people = #"{"id": "yard", "participants": [{"id": "ben", "name": "BQ"}, {"id": "ada", "name": "Ada"}]}"#
        let message =
            #"{"id": "1", "conversationId": "yard", "senderId": "ben", "senderName": "Ben Quist", "text": "x", "#
            + #""timestamp": "2026-01-01T10:00:00Z"}"#
        _ = try await bench.run(try bench.write(people, to: "conversations.jsonl"))
        let left = Timestamp(microseconds: 1_800_000_000_000_000)
        try await bench.store.removeMember("ben", from: "yard", at: left)

        _ = try await bench.run(try bench.write(message, to: "messages.jsonl"))

        let members = try await bench.store.roster(of: "yard").members
        #expect(members.map(\.leftAt) == [nil, left])
        #expect(members.map(\.aliases) == [[], ["Ben Quist"]])
    }
}
