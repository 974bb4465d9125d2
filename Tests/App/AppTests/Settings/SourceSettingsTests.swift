import Crypto
import Foundation
import TestSupport
import Testing
import Transport

@Suite struct SourceSettingsTests {
    private static var conversation: [String: Any] {
        ["id": "d", "kind": "direct", "members": [["userId": "ada", "name": "Ada"], ["userId": "bob"]]]
    }

    @Test func directConversationsAreExcludedByASettingThatIsAppliedAtTheStart() async throws {
        let stub = try StubServer { .embeddings(for: $0, dimensions: 8) }
        let binary = try NexusBinary()
        let settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e", "--set", "embedding.exclude-direct=true",
        ]
        let server = try await NexusServer(binary, settings)
        _ = try await server.send("POST", "/v1/conversations", Self.conversation, user: "ada")
        _ = try await server.send(
            "POST", "/v1/conversations/d/messages", ["id": "m", "text": "the combination is 4711"], user: "ada")
        let excluded = try await server.send("GET", "/v1/conversations/d", user: "ada").json["isEmbedded"] as? Bool
        _ = await server.stop()
        let sent = stub.requests.flatMap(\.input)
        let search = ["search", "--user", "ada", "combination"] + settings
        let found = try await binary.run(search)

        let again = try await NexusServer(binary, Array(settings.dropLast(2)))
        let included = try await again.send("GET", "/v1/conversations/d", user: "ada").json["isEmbedded"] as? Bool
        _ = await again.stop()

        #expect(excluded == false)
        #expect(!sent.contains { $0.contains("4711") })
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.contains("the combination is 4711"))
        #expect(included == true)
    }

    @Test func eventsOfFirestoreNeedASecret() async throws {
        let binary = try NexusBinary()
        let closed = try await NexusServer(binary)
        let nothing = try await closed.send("POST", "/v1/events/firestore", [:])
        _ = await closed.stop()
        let open = try await NexusServer(binary, environment: ["NEXUS_FIRESTORE_SECRET": "s3cret"])
        let refused = try await open.send("POST", "/v1/events/firestore", [:])
        _ = await open.stop()
        let wrong = try await binary.run(["serve", "--set", "firestore.message-path=chats/{c}"])

        #expect(nothing.status == 404)
        #expect(refused.status == 401)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("firestore.message-path"))
    }

    @Test func aHomeserverNeedsItsToken() async throws {
        let binary = try NexusBinary()
        let path = "/_matrix/app/v1/transactions/1"
        let closed = try await NexusServer(binary)
        let nothing = try await closed.send("PUT", path, ["events": [Int]()])
        _ = await closed.stop()
        let matrix = [
            "homeserver-url=http://127.0.0.1:9", "user=@nexus:home.test", "as-token=a-token", "hs-token=h-token",
        ].flatMap { ["--set", "matrix.\($0)"] }
        let open = try await NexusServer(binary, matrix)
        let refused = try await open.send("PUT", path, ["events": [Int]()])
        let unknown = try await open.send("GET", "/_matrix/app/v1/users/@eve:home.test")
        let taken = try await CurlTransport(configuration: .init(usesProxyVariables: false)).send(
            HTTPExchangeRequest(
                method: "PUT", url: open.url + path, headers: ["Authorization": "Bearer h-token"],
                body: Data(#"{"events":[]}"#.utf8)))
        let described = String(decoding: try await open.exchange("GET", "/openapi.json").body, as: UTF8.self)
        _ = await open.stop()
        let wrong = try await binary.run(["serve", "--set", "matrix.homeserver-url=http://127.0.0.1:9"])

        #expect(nothing.status == 404)
        #expect(refused.status == 403)
        #expect(refused.json["errcode"] as? String == "M_FORBIDDEN")
        #expect(unknown.status == 403)
        #expect(taken.status == 200)
        #expect(!described.contains("_matrix"))
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("matrix.as-token"))
    }

    @Test func eventsOfSlackNeedTheirSignature() async throws {
        let binary = try NexusBinary()
        let path = "/v1/events/slack"
        let closed = try await NexusServer(binary)
        let nothing = try await closed.send("POST", path, ["type": "url_verification"])
        _ = await closed.stop()
        let settings = ["bot-token=xoxb-1", "signing-secret=s3cret", "url=http://127.0.0.1:9/api"]
        let server = try await NexusServer(binary, settings.flatMap { ["--set", "slack.\($0)"] })
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        func post(_ body: String, secret: String) async throws -> HTTPExchangeResponse {
            let time = String(Int(Date().timeIntervalSince1970))
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("v0:\(time):\(body)".utf8), using: SymmetricKey(data: Data(secret.utf8)))
            return try await transport.send(
                HTTPExchangeRequest(
                    method: "POST", url: server.url + path,
                    headers: [
                        "Content-Type": "application/json", "X-Slack-Request-Timestamp": time,
                        "X-Slack-Signature": "v0=" + code.map { String(format: "%02x", $0) }.joined(),
                    ], body: Data(body.utf8)))
        }
        let unsigned = try await server.send("POST", path, ["type": "url_verification"])
        let question = #"{"type":"url_verification","challenge":"3eZb"}"#
        let wrong = try await post(question, secret: "another")
        let verified = try await post(question, secret: "s3cret")
        let event = #"{"type":"event_callback","event_id":"Ev1","event":{"type":"message"}}"#
        let kept = [try await post(event, secret: "s3cret").status, try await post(event, secret: "s3cret").status]
        // 30,000 letters that Slack writes as \u3042, in two fields.
        let text = String(repeating: #"\u3042"#, count: 30_000)
        let long = event.replacing("Ev1", with: "Ev2").replacing(
            #""message""#, with: #""message","text":"\#(text)","blocks":["\#(text)"]"#)
        let large = try await post(long, secret: "s3cret").status
        let described = String(decoding: try await server.exchange("GET", "/openapi.json").body, as: UTF8.self)
        _ = await server.stop()

        #expect(nothing.status == 404)
        #expect(unsigned.status == 401 && wrong.status == 401)
        #expect(verified.status == 200 && String(decoding: verified.body, as: UTF8.self) == #"{"challenge":"3eZb"}"#)
        #expect(kept == [200, 200] && large == 200)
        #expect(!described.contains("events/slack"))
    }

    @Test(arguments: [
        ["mattermost.url=https://chat.test"], ["mattermost.url=http://chat.test", "mattermost.token=t"],
        ["mattermost.url=ftp://127.0.0.1", "mattermost.token=t"],
    ])
    func aMattermostServerNeedsAProtectedAddressAndAToken(settings: [String]) async throws {
        let wrong = try await NexusBinary().run(["serve"] + settings.flatMap { ["--set", $0] })

        #expect(wrong.status == 64)
        #expect(wrong.errors.contains(settings.count == 1 ? "mattermost.token" : "mattermost.url"))
    }

    @Test(arguments: [
        (["slack.bot-token=t"], "slack.app-token"), (["slack.app-token=t"], "slack.bot-token"),
        (["slack.signing-secret=t"], "slack.bot-token"),
        (["slack.bot-token=t", "slack.app-token=t", "slack.signing-secret=t"], "slack.signing-secret"),
        (["slack.bot-token=t", "slack.app-token=t", "slack.url=http://slack.test/api"], "slack.url"),
        (["slack.bot-token=t", "slack.app-token=t", "slack.channels=#plans"], "slack.channels"),
    ])
    func aSlackWorkspaceNeedsBothTokensAndIdsOfChannels(settings: [String], wrongOne: String) async throws {
        let wrong = try await NexusBinary().run(["serve"] + settings.flatMap { ["--set", $0] })

        #expect(wrong.status == 64)
        #expect(wrong.errors.contains(wrongOne))
    }
}
