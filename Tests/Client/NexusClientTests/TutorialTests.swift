import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

/// The tutorial of the documentation: its files are compiled here, run, and the same as in the articles.
@Suite(.hangGuard) @MainActor struct TutorialTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    @Test func theArticlesShowTheseFiles() throws {
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let articles = root.appending(path: "Sources/Client/NexusClient/NexusClient.docc")
        let files = FileManager.default
        let texts = try files.contentsOfDirectory(atPath: articles.path).sorted().map {
            try String(contentsOf: articles.appending(path: $0), encoding: .utf8)
        }
        let shown = texts.flatMap { $0.components(separatedBy: "```swift\n").dropFirst() }.compactMap {
            $0.components(separatedBy: "```").first
        }
        let folder = Self.tests.appending(path: "Tutorial")
        let compiled = try files.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }

        #expect(compiled.count == 5)
        #expect(shown.sorted() == compiled.sorted())
    }

    @Test func theFilesAreAnApp() async throws {
        let folder = try TemporaryFolder()
        let answer =
            #"event: done\#ndata: {"answer":"Friday [1]","citations":[{"number":1,"messageId":"m1","conversationId":"pier","#
            + #""start":7,"end":10}],"#
            + #""sources":[]}"#
        let plain = FakeTransport { request in
            if request.path.hasPrefix("/v1/session") {
                var reply = ChatFixture.json(
                    #"{"accessToken":"t","expiresAt":"x","user":{"userId":"ada","name":"Ada","role":"member","#
                        + #""hasPassword":true}}"#)
                reply.headers["set-cookie"] = "nexus-session=c; Path=/v1/session"
                return reply
            }
            if request.path == "/v1/sync" {
                return ChatFixture.json(
                    #"{"cursor":"2f-1","conversations":[\#(Wire.conversation("pier", head: 2, unread: 1))]}"#)
            }
            if request.path == "/v1/threads" {
                return ChatFixture.json(#"{"id":"h1","title":"","turnCount":0,"createdAt":"x","updatedAt":"x"}"#)
            }
            if request.path == "/v1/direct" { return ChatFixture.json(#"{"id":"pier"}"#) }
            if request.path.contains("/messages?") { return ChatFixture.json(Wire.page([1, 2])) }
            if request.method == "GET" { return ChatFixture.json(#"{"members":[],"receipts":[]}"#) }
            return request.path.hasSuffix("/messages")
                ? ChatFixture.json(#"{"code":"invalid_field"}"#, status: 400) : ChatFixture.json("{}")
        }
        let streams = FakeStreams(plain: plain)
        let server = tutorialServer("https://chat.example.com", over: streams, in: folder.url)
        #expect(try await tutorialResume(on: server) == nil)
        let first = try await tutorialSignIn("ada", password: "secret", on: server)
        await first.hub.session.store.close()
        let other = try await tutorialSignIn(on: server) { _ in "token of the app" }
        await other.hub.session.store.close()
        #expect(try await tutorialResume(on: server) == nil)
        await (try await tutorialSignIn("ada", password: "secret", on: server)).hub.session.store.close()
        let chat = try #require(try await tutorialResume(on: server))
        #expect(chat.headline == "There is no connection to the server.")
        let running = Task { await chat.run() }
        try await wait { chat.connection.state == .live }
        #expect(chat.headline == nil)

        let list = await ConversationListModel(chat.hub)
        #expect(tutorialLines(of: list) == ["Pier (1)"])
        let model = try #require(await tutorialConversation(with: "ben", in: chat))
        await tutorialWrite("hello", in: model)
        let lines = ["Ben: text 1", "Ben: text 2"]
        try await wait { tutorialLines(of: model).last?.hasPrefix("hello – ") == true }
        try await wait { tutorialLines(of: model).dropLast() == lines[...] }
        await tutorialRetry(in: model)
        try await wait { plain.requests.count { $0.method == "POST" && $0.path.hasSuffix("/messages") } == 2 }
        #expect(try await tutorialSearch("text", in: chat).sorted() == lines)
        await tutorialNetworkChanged(chat)

        streams.pieces.yield(Data((answer + "\n\n").utf8))
        streams.pieces.finish()
        let assistant = await tutorialAsk("When?", in: chat) { _ in }
        #expect(tutorialAnswer(of: assistant) == "Friday <[1]>")
        try await tutorialSignOut(chat)
        await running.value
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
