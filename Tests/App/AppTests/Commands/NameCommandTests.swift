import Foundation
import TestSupport
import Testing

/// People whose exports have names instead of ids, and a second export of their chat.
@Suite(.serialized, .hangGuard) struct NameCommandTests {
    private let binary: NexusBinary

    init() throws {
        binary = try NexusBinary()
    }

    /// Writes an export; each folder has one.
    private func write(_ lines: [String], to folder: String, name: String = "WhatsApp Chat with Mum.txt") throws
        -> String
    {
        let place = binary.folder.appending(path: folder)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(lines.joined(separator: "\n").utf8).write(to: place.appending(path: name))
        return place.path
    }

    /// Imports the chats that two people have with their mothers; returns the ids of the conversations.
    private func imported() async throws -> [String] {
        let ben = try write(["13/01/2024, 09:00 - Mum: soup at six?", "13/01/2024, 09:01 - Ben: yes"], to: "ben")
        let cy = try write(
            ["14/01/2024, 09:00 - Cy: a secret about pears", "14/01/2024, 09:01 - Mum: sure"], to: "cy")
        _ = try await binary.run(["import", ben])
        _ = try await binary.run(["import", cy])
        let listed = try await binary.run(["conversations", "list"]).output.split(separator: "\n")
        return listed.compactMap { $0.split(separator: " (").first.map(String.init) }
    }

    @Test func aNameInSeveralConversationsIsNotMappedWithoutAConfirmation() async throws {
        let ids = try await imported()
        #expect(ids.count == 2)

        let refused = try await binary.run(["users", "map", "--source", "whatsapp", "Mum", "helen"])

        #expect(refused.status == 1)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("Mum: a name in 2 conversations\n"), "\(refused.errors)")
        for id in ids { #expect(refused.errors.contains("  \(id): whatsapp-Mum-"), "\(refused.errors)") }
        #expect(refused.errors.contains("repeat with --yes"))
        #expect(try await binary.run(["search", "--user", "helen", "pears"]).status == 1)
        let confirmed = try await binary.run(["users", "map", "--source", "whatsapp", "--yes", "Mum", "helen"])
        #expect(confirmed.output == "Mum is helen: 2 messages in 2 conversations\n")
        #expect(try await binary.run(["search", "--user", "helen", "pears"]).status == 0)
    }

    @Test func aNameOfOneConversationIsMappedAlone() async throws {
        let ids = try await imported()
        let ben = try #require(ids.first { $0.contains("Ben") })

        let mapped = try await binary.run([
            "users", "map", "--source", "whatsapp", "--conversation", ben, "Mum", "helen",
        ])

        #expect(mapped.output == "Mum is helen: 1 messages in 1 conversation\n", "\(mapped.errors)")
        #expect(try await binary.run(["search", "--user", "helen", "soup"]).status == 0)
        #expect(try await binary.run(["search", "--user", "helen", "pears"]).status == 1)
        let unknown = try await binary.run([
            "users", "map", "--source", "whatsapp", "--conversation", ben, "Cy", "eve",
        ])
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("no author Cy of the source whatsapp in \(ben)"), "\(unknown.errors)")
    }

    @Test func aDryRunTellsHowAnExportDiffersFromWhatIsStored() async throws {
        let first = [
            "13/05/2024, 09:00 - Mara: who has the ladder?", "13/05/2024, 09:01 - Jon: behind the shed",
            "13/05/2024, 09:01 - Jon: or in it", "13/05/2024, 21:30 - Mara: found it",
        ]
        let second = [
            "[13/05/2024, 09:00:12] Mara Quist: who has the ladder?", "[13/05/2024, 09:01:40] Jon: or in it",
            "[13/05/2024, 21:30:05] Mara Quist: found it", "[14/05/2024, 07:00:31] Jon: bring it on Friday",
        ]
        let name = "WhatsApp Chat with Garden.txt"
        _ = try await binary.run(["import", try write(first, to: "first", name: name)])
        let file = try write(second, to: "second", name: name)

        let shown = try await binary.run(["import", "--dry-run", file])
        let json = try await binary.run(["import", "--dry-run", "--json", file]).json()

        #expect(
            shown.output.contains("    stored before: 3 messages are the same, 1 new, 1 missing, which stay\n"),
            "\(shown.output)\(shown.errors)")
        #expect(shown.output.contains("    renamed: Mara -> Mara Quist (whatsapp-Mara-"))
        let place = try #require((json["conversations"] as? [[String: Any]])?.first)
        let comparison = try #require(place["comparison"] as? [String: Any])
        #expect(comparison["same"] as? Int == 3)
        let report = try await binary.run(["import", file]).output
        #expect(report.hasPrefix("imported: 1 new messages, 3 known before\n"), "\(report)")
        #expect(report.contains("missing: 1 stored messages, which stay\n"))
        #expect(report.contains("renamed: Mara -> Mara Quist"))
    }
}
