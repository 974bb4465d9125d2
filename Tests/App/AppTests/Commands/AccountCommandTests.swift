import Foundation
import TestSupport
import Testing

/// Accounts as an operator makes them, in the program itself.
@Suite(.serialized, .hangGuard) struct AccountCommandTests {
    private static let password = "correct horse"

    /// Accepts a link; returns the reply.
    private func accept(_ link: String, _ server: NexusServer) async throws -> (status: Int, json: [String: Any]) {
        let code = try #require(link.split(separator: "/").last)
        return try await server.send("POST", "/v1/invitations/\(code)", ["password": Self.password])
    }

    private func signIn(_ user: String, _ server: NexusServer) async throws -> (status: Int, json: [String: Any]) {
        try await server.send("POST", "/v1/session", ["userId": user, "password": Self.password])
    }

    @Test func theFirstStartShowsALinkForTheFirstAdministrator() async throws {
        let binary = try NexusBinary()
        let arguments = ["--set", "auth.mode=required"]
        let first = try await NexusServer(binary, arguments)
        try await first.process.waitForOutput("#/invitation/")
        let link = try #require(
            first.process.outputText.split(whereSeparator: \.isWhitespace).first { $0.contains("#/invitation/") })
        #expect(link.hasPrefix(first.url + "/#/invitation/"))

        let accepted = try await accept(String(link), first)

        let user = try #require(accepted.json["user"] as? [String: Any])
        #expect(accepted.status == 200 && user["role"] as? String == "administrator")
        #expect(try await accept(String(link), first).status == 404)
        #expect(await first.stop().status == 0)

        let second = try await NexusServer(binary, arguments)
        #expect(try await signIn("admin", second).status == 200)
        let ended = await second.stop()
        #expect(!ended.output.contains("#/invitation/"), "\(ended.output)")
    }

    @Test func peopleAreInvitedChangedAndDisabledBesideARunningServer() async throws {
        let binary = try NexusBinary()
        // The first account makes authentication required from the next start on.
        let early = try await binary.run(["accounts", "invite", "ada", "--administrator", "--json"])
        #expect(early.status == 0, "\(early.errors)")
        let server = try await NexusServer(binary)
        #expect(try await server.send("GET", "/v1/conversations", user: "ada").status == 401)
        let earlyLink = try #require(try early.json()["address"] as? String)
        #expect(try await accept(earlyLink, server).status == 200)

        let invited = try await binary.run(["accounts", "invite", "ben", "--name", "Ben"])
        let link = invited.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(link.hasPrefix(server.url + "/#/invitation/"), "\(invited.errors)")
        #expect(try await accept(link, server).status == 200)
        #expect(try await signIn("ben", server).status == 200)

        #expect(try await binary.run(["accounts", "disable", "ben"]).status == 0)
        #expect(try await signIn("ben", server).json["code"] as? String == "account_disabled")
        #expect(try await binary.run(["accounts", "enable", "ben"]).status == 0)
        #expect(try await signIn("ben", server).status == 200)
        let role = try await binary.run(["accounts", "role", "ben", "administrator"])
        #expect(role.output.contains("administrator"), "\(role.errors)")
        let reset = try await binary.run(["accounts", "reset", "ben", "--json"]).json()
        #expect(try await accept(try #require(reset["address"] as? String), server).status == 200)

        let list = try await binary.run(["accounts", "list"])
        // The server made `admin`, because nobody could sign in as an administrator when it started.
        #expect(list.output.split(separator: "\n").count == 3, "\(list.output)")
        #expect(list.output.contains("ben") && list.output.contains("Ben"))
        let unknown = try await binary.run(["accounts", "disable", "eve"])
        #expect(unknown.status != 0 && unknown.errors.contains("no such account"), "\(unknown.errors)")
        let twice = try await binary.run(["accounts", "invite", "ben"])
        #expect(twice.status != 0, "\(twice.output)")

        let ended = await server.stop()
        #expect(!ended.errors.contains(Self.password))
        for file in ["nexus.sqlite", "nexus.sqlite-wal"] {
            let data = (try? Data(contentsOf: binary.data.appending(path: file))) ?? Data()
            for secret in [Self.password, String(link.suffix(43)), String(earlyLink.suffix(43))] {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(file) has a secret")
            }
        }
    }
}
