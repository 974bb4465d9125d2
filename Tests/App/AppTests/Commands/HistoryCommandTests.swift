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
        ("channels.json", #"[{"id": "C1", "name": "pier", "is_channel": true, "members": ["U1"]}]"#),
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
                    read by: everyone but guests, and its members (1)
                    joins 1: slack-U1 Ada
                would import: 1 messages in 1 conversations of 1 people
                left out: 1 notices of the application
                not imported: 1
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

    @Test func anImportOfNothingIsNoSuccess() async throws {
        let binary = try NexusBinary()
        let chat = binary.folder.appending(path: "result.json")
        try Data(#"{"name": "Buoys", "type": "private_group", "id": 7, "messages": []}"#.utf8).write(to: chat)
        let package = binary.folder.appending(path: "messages.json")
        try Data(#"[{"ID": 7, "Timestamp": "2024-01-02 10:00:00", "Contents": "canary"}]"#.utf8).write(to: package)

        let empty = try await binary.run(["import", chat.path])
        let preview = try await binary.run(["import", "--dry-run", chat.path])
        let foreign = try await binary.run(["import", package.path])

        #expect(empty.status == 1)
        #expect(empty.output.hasPrefix("no messages imported"))
        #expect(preview.status == 1)
        #expect(foreign.status == 2)
        #expect(foreign.errors.contains("looks like Discord's own data package: "))
        #expect(!(foreign.output + foreign.errors).contains("canary"))
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

    @Test func aDryRunTellsWhoWouldComeAndGo() async throws {
        let binary = try NexusBinary()
        _ = try await binary.run(["import", try writeExport(binary)])
        let later = HandmadeZip(
            members: [
                (
                    "users.json",
                    #"[{"id": "U1", "name": "ada"}, {"id": "U2", "name": "ben", "is_ultra_restricted": true}]"#
                ),
                ("channels.json", #"[{"id": "C1", "name": "pier", "is_channel": true, "members": ["U2"]}]"#),
                ("pier/2016-01-16.json", #"[{"user": "U2", "text": "hello", "ts": "1452923718.000001"}]"#),
            ].map { HandmadeZip.Member($0.0, $0.1) })
        let file = binary.folder.appending(path: "later.zip")
        try Data(later.bytes()).write(to: file)

        let shown = try await binary.run(["import", "--dry-run", file.path])
        let json = try await binary.run(["import", "--dry-run", "--json", file.path]).json()

        #expect(
            shown.output.contains(
                """
                    read by: everyone but guests, and its members (1, 1 of them guests)
                    joins 1: slack-U2 ben
                    leaves 1: slack-U1

                """), "\(shown.output)")
        #expect((json["memberships"] as? [[String: Any]])?.first?["leaving"] as? [String] == ["slack-U1"])
        // Nothing has changed yet.
        let place = try await binary.run(["conversations", "show", "slack-C1", "--json"]).json()
        #expect((place["people"] as? [[String: Any]])?.map { $0["userId"] as? String } == ["slack-U1"])

        _ = try await binary.run(["import", file.path])
        let present = try await binary.run(["conversations", "show", "slack-C1"])
        #expect(present.output.contains("slack-U1  Ada, left 2016-01-17"), "\(present.output)")
        #expect(present.output.contains("slack-U2  ben (guest)\n"))
        let listed = try await binary.run(["conversations", "list"])
        #expect(
            listed.output
                == "slack-C1 \"pier\" (group, open to everyone but guests): 2 messages, 1 members, "
                + "last 2016-01-16T05:55Z, from slack\n")
        #expect(try await binary.run(["conversations", "show", "none"]).status == 2)
    }

    @Test func manyAuthorsAreMappedByTheirAddressesOrByAFile() async throws {
        let binary = try NexusBinary()
        _ = try await binary.run(["import", try writeExport(binary)])
        let bad = try binary.write("bad.csv", "source,externalId,userId\nslack,slack-U1,ada\nslack,slack-U9,eve\n,x")
        let good = try binary.write("good.csv", "email,userId\n\"ada@example.org\",ada.l\n")

        let refused = try await binary.run(["users", "map", "--csv", bad])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("line 4: 2 columns instead of 3"), "\(refused.errors)")
        let unknown = try await binary.run([
            "users", "map", "--csv",
            try binary.write("b.csv", "source,externalId,userId\nslack,slack-U1,ada\nslack,slack-U9,eve"),
        ])
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("line 3: no author slack-U9 of the source slack"), "\(unknown.errors)")
        #expect(try await binary.run(["users", "list"]).output.contains("->  slack-U1"))

        let byEmail = try await binary.run(["users", "map", "--by-email"])
        #expect(byEmail.output == "slack-U1 of the source slack  ->  ada@example.org\nmapped: 1 authors, 1 messages\n")
        let byFile = try await binary.run(["users", "map", "--csv", good])
        #expect(byFile.status == 0, "\(byFile.errors)")
        #expect(try await binary.run(["users", "list"]).output.contains("->  ada.l"))
        #expect(try await binary.run(["users", "map"]).status == 64)
    }

    @Test func namesOfExportsWithoutIDsAreMappedByAFile() async throws {
        let binary = try NexusBinary()
        let chats = [
            ("Garden", ["Mum: who has the key?", "Jon: it hangs on the gate", "Mum: good"]),
            ("Boat", ["Jon: is the engine oiled?", "Mum: since Monday", "Mum: and the key is in the locker"]),
        ]
        for (chat, texts) in chats {
            let lines = texts.enumerated().map { minute, line in "[13/05/2024, 09:0\(minute):12] \(line)" }
            let file = try binary.write("WhatsApp Chat with \(chat).txt", lines.joined(separator: "\n"))
            let result = try await binary.run(["import", file])
            #expect(result.status == 0, "\(result.errors)")
        }
        let words = try await binary.run(["conversations", "list"]).output.split(whereSeparator: \.isWhitespace)
        let garden = try #require(words.first { $0.hasPrefix("whatsapp-Garden-") })
        let boat = try #require(words.first { $0.hasPrefix("whatsapp-Boat-") })
        let map = { (name: String, text: String, more: [String]) in
            try await binary.run(["users", "map", "--csv", try binary.write(name, text)] + more)
        }

        // A name in several conversations needs a confirmation, and nothing is mapped without one.
        let unsure = try await map(
            "a.csv", "source,externalId,userId\nwhatsapp,Mum,ada\nwhatsapp,Jon,jon", [])
        #expect(unsure.status == 1 && unsure.errors.contains("a name in 2 conversations"), "\(unsure.errors)")
        #expect(!(try await binary.run(["users", "list"]).output.contains("->  ada")))

        let sure = try await map(
            "b.csv",
            "source,conversation,externalId,userId\nwhatsapp,\(garden),Mum,ada\nwhatsapp,\(boat),Mum,eve\n", [])
        #expect(sure.status == 0, "\(sure.errors)")
        #expect(sure.output.contains("mapped: 2 authors, 4 messages"), "\(sure.output)")
        #expect(try await binary.run(["search", "--user", "ada", "key"]).output.contains("Garden"))
        #expect(!(try await binary.run(["search", "--user", "ada", "key"]).output.contains("Boat")))

        let all = try await map("c.csv", "source,externalId,userId\nwhatsapp,Jon,jon", ["--yes"])
        #expect(all.output.contains("mapped: 1 authors, 2 messages"), "\(all.output) \(all.errors)")
        let wrong = try await map(
            "d.csv", "source,externalId,conversation,userId\nwhatsapp,Mum,\(garden)x,ada\nwhatsapp,Tom,,ada", [])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("line 2: no author Mum of the source whatsapp in"), "\(wrong.errors)")
        #expect(wrong.errors.contains("line 3: no author Tom of the source whatsapp"), "\(wrong.errors)")
    }

    @Test func theKindOfAUserIsStatedAndLeftToImportsAgain() async throws {
        let binary = try NexusBinary()
        _ = try await binary.run(["import", try writeExport(binary)])

        #expect(try await binary.run(["search", "--user", "eve", "crane"]).status == 0)
        #expect(try await binary.run(["users", "kind", "eve", "guest"]).output == "eve is a guest\n")
        #expect(try await binary.run(["search", "--user", "eve", "crane"]).status == 1)
        #expect(try await binary.run(["users", "list"]).output.contains("eve is a guest, set by hand"))
        #expect(try await binary.run(["users", "kind", "eve", "imported"]).output == "eve is a member\n")
        #expect(try await binary.run(["users", "kind", "eve", "owner"]).status == 64)
    }

    @Test func aDatasetIsImportedWithoutItsQuestions() async throws {
        let binary = try NexusBinary()

        let result = try await binary.run(["import", NexusBinary.sample.path])

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("files without messages"), "\(result.output)")
    }

    @Test(arguments: [
        (
            ["--format", "slak"],
            "--format must be one of jsonl, slack, whatsapp, telegram, discord, element, synapse, mattermost"
        ),
        (["--date-order", "dym"], "--date-order must be one of dmy, mdy, ymd"),
        (["--time-zone", "Mars/Base"], "--time-zone must be the IANA name of a time zone"),
        (["--source", ""], "--source must have 1 to 64 bytes and no control characters"),
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
                == "nexus: \(file): its dates are ambiguous: choose the order of dates (--date-order dmy, mdy or ymd)\n"
        )
        #expect(taken.output.contains("2023-01-02 to 2023-01-02"), "\(taken.output)")
    }
}
