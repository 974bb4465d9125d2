import Foundation
import TestSupport
import Testing

/// `nexus import` of what other applications export.
@Suite(.serialized, .hangGuard) struct HistoryCommandTests {
    private static let slack: [(String, String)] = [
        (
            "users.json",
            #"[{"id": "U1", "name": "ada", "profile": {"display_name": "Ada", "email": "ada@example.org"}}, "#
                + #"{"id": "B1", "name": "tide", "is_bot": true}]"#
        ),
        ("channels.json", #"[{"id": "C1", "name": "pier", "members": ["U1"]}]"#),
        (
            "pier/2016-01-15.json",
            #"[{"user": "U1", "text": "the crane is repaired", "ts": "1452837318.000002"}, "#
                + #"{"user": "U1", "subtype": "channel_join", "text": "joined", "ts": "1452837319.000002"}, "#
                + #"{"text": "canary of nobody", "ts": "1452837320.000002"}]"#
        ),
    ]

    private func writeExport(_ binary: NexusBinary) throws -> String {
        let zip = HandmadeZip(members: Self.slack.map { HandmadeZip.Member($0.0, $0.1) })
        let file = binary.folder.appending(path: "export.zip")
        try Data(zip.bytes()).write(to: file)
        return file.path
    }

    @Test func aDryRunTellsWhatWouldComeInAndMakesNothing() async throws {
        let binary = try NexusBinary()
        let file = try writeExport(binary)

        let shown = try await binary.run(["import", "--dry-run", file])
        let json = try await binary.run(
            ["import", "--dry-run", "--json", "--set", "embedding.price-per-million=1000000", file])

        #expect(shown.status == 1, "\(shown.errors)")
        #expect(
            shown.output == """
                \(file): slack
                  slack-C1 "pier" (open): 1 messages, 1 people, 2016-01-15 to 2016-01-15
                would import: 1 messages in 1 conversations of 1 people
                left out: 1 notices of the application
                not taken: 1
                to embed: about 9 tokens

                """)
        #expect(shown.errors.contains("\(file): pier/2016-01-15.json: item 3: missing field \"user\"\n"))
        #expect(!(shown.output + shown.errors).contains("canary"))
        let summary = try json.json()
        #expect(summary["messageCount"] as? Int == 1)
        #expect(summary["tokenCount"] as? Int == 9)
        #expect(summary["cost"] as? Double == 9)
        #expect(summary["skipped"] as? [String: Int] == ["notice": 1])
        #expect(FileManager.default.fileExists(atPath: binary.data.path) == false)
    }

    @Test func whatIsImportedIsFoundOnceItsAuthorIsJoinedToAUser() async throws {
        let binary = try NexusBinary()
        let file = try writeExport(binary)

        let report = try await binary.run(["import", "--json", "--source", "yard", file]).json()
        let listed = try await binary.run(["users", "list"])
        let mapped = try await binary.run(["users", "map", "--source", "yard", "yard-U1", "ada"])
        let again = try await binary.run(["import", "--json", "--source", "yard", file]).json()

        #expect(report["insertedMessages"] as? Int == 1)
        #expect(report["rejectedItems"] as? Int == 1)
        #expect(
            listed.output == """
                yard  yard-B1 (tide, bot)  ->  yard-B1
                yard  yard-U1 (Ada, ada@example.org)  ->  yard-U1

                """)
        #expect(mapped.output == "yard-U1 is ada: 1 messages\n")
        #expect(again["unchangedMessages"] as? Int == 1)
        #expect(again["newConversations"] as? Int == 0)
    }

    @Test(arguments: [
        (["--format", "slak"], "--format wants one of jsonl, slack, whatsapp, telegram, discord, element, mattermost"),
        (["--date-order", "dym"], "--date-order wants one of dmy, mdy, ymd"),
        (["--time-zone", "Mars/Base"], "--time-zone: not the IANA name of a time zone"),
        (["--source", ""], "--source wants 1 to 64 bytes without control characters"),
    ])
    func wrongOptionsAreWrongUsage(options: [String], text: String) async throws {
        let binary = try NexusBinary()
        let file = try writeExport(binary)

        let result = try await binary.run(["import", file] + options)

        #expect(result.status == 64)
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: binary.data.path) == false)
    }

    @Test func anUnclearOrderOfDatesIsOneLine() async throws {
        let binary = try NexusBinary()
        let file = try binary.write("Crew.txt", "01/02/23, 10:00 - Ada: hello")

        let refused = try await binary.run(["import", "--dry-run", file])
        let taken = try await binary.run(["import", "--dry-run", "--date-order", "mdy", file])

        #expect(refused.status == 2)
        #expect(
            refused.errors
                == "nexus: \(file): its dates can be read in more than one order; say --date-order dmy, mdy or ymd\n")
        #expect(taken.output.contains("2023-01-02 to 2023-01-02"), "\(taken.output)")
    }
}
