import Foundation
import TestSupport
import Testing
import Transport

/// `nexus connections`, with and without a server.
@Suite(.hangGuard) struct ConnectionCommandTests {
    @Test func connectionsAreListedPausedAndDisconnected() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary)
        let list = try await binary.run(["connections"])
        #expect(list.output.split(separator: "\n").count == 3, "\(list.errors)")
        #expect(list.output.contains("slack: not connected: there are no settings"))

        let paused = try await binary.run(["connections", "pause", "slack"])
        #expect(paused.output.contains("slack: not connected: there are no settings, paused"), "\(paused.errors)")
        _ = await server.stop()
        // It is remembered.
        let later = try await binary.run(["connections", "list", "--json"])
        #expect(later.output.contains(#""state":"paused""#), "\(later.output)")
        #expect(try await binary.run(["connections", "resume", "slack"]).output.contains("paused") == false)

        let room = try await binary.run(["connections", "leave-out", "slack", "C0NOWHERE"])
        #expect(room.status == 2 && room.errors.contains("slack has no room C0NOWHERE"), "\(room.errors)")
        let unknown = try await binary.run(["connections", "pause", "irc"])
        #expect(unknown.status == 2 && unknown.errors.contains("matrix, mattermost, slack"), "\(unknown.errors)")
        let untested = try await binary.run(["connections", "test", "matrix"])
        #expect(untested.status == 2 && untested.errors.contains("docs/connect-matrix.md"), "\(untested.errors)")

        let counted = try await binary.run(["connections", "disconnect", "slack"])
        #expect(counted.status == 1 && counted.output.contains("would be erased: nothing"), "\(counted.errors)")
        let erased = try await binary.run(["connections", "disconnect", "slack", "--yes"])
        #expect(erased.status == 0 && erased.output.contains("none found"), "\(erased.errors)")
        let last = try await binary.run(["connections"]).output
        #expect(last.contains("slack: not connected: there are no settings, disconnected"), "\(last)")
    }

    @Test func addressesAreSetAndLinksListed() async throws {
        let binary = try NexusBinary()
        #expect(try await binary.run(["accounts", "invite", "ada"]).status == 0)
        let set = try await binary.run(["accounts", "email", "ada", "Ada@Example.org"])
        #expect(set.status == 0 && set.output.contains("ada@example.org"), "\(set.errors)")
        #expect(try await binary.run(["accounts", "list"]).output.contains("ada@example.org"))
        for wrong in ["ada", "ada@exаmple.org", "a@b@example.org"] {
            let refused = try await binary.run(["accounts", "email", "ada", wrong])
            #expect(refused.status == 2 && refused.errors.contains("mail address"), "\(refused.errors)")
        }
        #expect(try await binary.run(["accounts", "invite", "ben"]).status == 0)
        let taken = try await binary.run(["accounts", "email", "ben", "ada@example.org"])
        #expect(taken.status == 2 && taken.errors.contains("another account has this mail address"), "\(taken.errors)")
        let unknown = try await binary.run(["accounts", "email", "eve", "eve@example.org"])
        #expect(unknown.status == 2, "\(unknown.errors)")
        let removed = try await binary.run(["accounts", "email", "ada"])
        #expect(removed.status == 0 && !removed.output.contains("@"), "\(removed.errors)")

        let links = try await binary.run(["connections", "links"])
        #expect(links.status == 0 && links.errors.contains("nobody is joined with an account"), "\(links.errors)")
        let ended = try await binary.run(["connections", "unlink", "slack", "slack-U0ADA"])
        #expect(ended.status == 2 && ended.errors.contains("is not joined with an account"), "\(ended.errors)")
    }

    @Test func administratorsManageConnectionsOverTheNetworkAndOthersDoNot() async throws {
        let binary = try NexusBinary()
        let key = try await binary.run(["keys", "create", "--role", "admin"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let other = try await binary.run(["keys", "create", "--role", "read-as-user"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let server = try await NexusServer(binary, ["--set", "auth.mode=required"])
        for command in [
            #"{"listConnections":{}}"#, #"{"setConnection":{"source":"slack","isActive":false}}"#,
            #"{"disconnect":{"source":"slack","isConfirmed":true}}"#, #"{"listLinks":{}}"#,
            #"{"endLink":{"source":"slack","author":"slack-U0ADA"}}"#,
            #"{"setAccountEmail":{"_0":"ada","email":"ada@example.org"}}"#,
        ] {
            #expect(try await post(command, key: other, server).status == 403, "\(command)")
            #expect(try await post(command, key: nil, server).status == 401, "\(command)")
        }
        let paused = try await post(#"{"setConnection":{"source":"slack","isActive":false}}"#, key: key, server)
        #expect(paused.status == 200 && paused.text.contains(#""state":"paused""#), "\(paused.text)")
        let wrong = try await post(#"{"setRoom":{"source":"irc","room":"r","isLeftOut":true}}"#, key: key, server)
        #expect(wrong.text.contains("failed") && wrong.text.contains("no other chat has the name irc"), "\(wrong.text)")
        _ = await server.stop()
    }

    private func post(
        _ command: String, key: String?, _ server: NexusServer
    ) async throws -> (status: Int, text: String) {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if let key { headers.append(name: "Authorization", value: "Bearer \(key)") }
        let reply = try await CurlTransport(configuration: .init(usesProxyVariables: false)).send(
            HTTPExchangeRequest(
                method: "POST", url: server.url + "/v1/administration/operator", headers: headers,
                body: Data(command.utf8)))
        return (reply.status, String(decoding: reply.body, as: UTF8.self))
    }
}
