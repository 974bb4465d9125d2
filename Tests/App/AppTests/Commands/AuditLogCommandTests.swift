import Foundation
import NexusModel
import TestSupport
import Testing

/// The audit log of commands, in the program itself.
@Suite(.serialized, .hangGuard) struct AuditLogCommandTests {
    private func entries(_ binary: NexusBinary, _ arguments: [String] = []) async throws -> [AuditLogEntry] {
        let shown = try await binary.run(["audit-log", "--json"] + arguments)
        #expect(shown.status == 0, "\(shown.errors)")
        return try shown.output.split(separator: "\n").map {
            try JSONDecoder().decode(AuditLogEntry.self, from: Data($0.utf8))
        }
    }

    /// Who revokes a key often has all of it at hand.
    @Test func aWholeKeyIsRevokedAndItsSecretIsNowhere() async throws {
        let binary = try NexusBinary()
        let made = try await binary.run(["keys", "create", "--role", "admin"])
        let secret = try #require(made.output.firstMatch(of: /nxk_[0-9a-f]+_[0-9a-f]+/)).output
        let id = String(secret.split(separator: "_")[1])

        let revoked = try await binary.run(["keys", "revoke", String(secret)])
        let wrong = try await binary.run(["keys", "revoke", "\(secret)0"])

        #expect(revoked.status == 0 && wrong.status != 0, "\(revoked.errors)")
        let all = try await entries(binary)
        #expect(all.map(\.result) == ["failed", "done", "done"])
        #expect(all[1].subjectId == id && all[0].subjectId != id)
        let shown = try await binary.run(["audit-log"]).output + revoked.output + wrong.errors
        #expect(!shown.contains(secret.split(separator: "_")[2]))
    }

    @Test func commandsThatChangeSomethingHaveEntries() async throws {
        let binary = try NexusBinary()
        #expect(try await binary.run(["accounts", "invite", "ada", "--administrator"]).status == 0)
        #expect(try await binary.run(["accounts", "role", "ada", "member"]).status == 0)
        #expect(try await binary.run(["accounts", "disable", "eve"]).status != 0)
        let key = try await binary.run(["keys", "create", "--role", "ingest", "--json"]).json()
        let id = try #require((key["key"] as? [String: Any])?["id"] as? String)
        for arguments in [["accounts", "list"], ["keys", "list"], ["status"], ["erase", "--user", "ada"]] {
            _ = try await binary.run(arguments)
        }
        #expect(try await binary.run(["keys", "revoke", id]).status == 0)

        let all = try await entries(binary)
        #expect(
            all.map(\.action) == [
                "key.revoked", "key.made", "account.disabled", "account.role-changed", "account.invited",
            ])
        #expect(all.map(\.result) == ["done", "done", "failed", "done", "done"])
        #expect(all.allSatisfy { $0.actor == "operator" && $0.origin == "command" })
        #expect(all[0].subjectId == id && all[1].subjectId == id && all[1].detail == "ingest")
        #expect(try await entries(binary, ["--person", "ada"]).count == 2)
        #expect(try await entries(binary, ["--action", "key.made", "--limit", "1"]).count == 1)

        let erased = try await binary.run(["erase", "--user", "ada", "--yes"])
        #expect(erased.status == 0, "\(erased.errors)")
        let rest = try await entries(binary)
        #expect(rest.first?.action == "user.erased" && rest.first?.result == "done")
        #expect(rest.allSatisfy { $0.subjectId != "ada" })

        let text = try await binary.run(["audit-log", "--limit", "1"])
        #expect(text.output.contains("  operator  command  user.erased  user  done"), "\(text.output)")
        #expect(try await binary.run(["audit-log", "--person", "nobody"]).status == 1)
        #expect(try await binary.run(["audit-log", "--action", "nothing"]).status == 2)
    }
}
