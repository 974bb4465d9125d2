import Foundation
import NexusClient
import TestSupport
import Testing

/// The example of docs/client.md: it is compiled here, run, and the same as on the page.
@Suite(.hangGuard) @MainActor struct ThirtyLinesTests {
    private static let file = URL(filePath: #filePath)

    @Test func aConversationInThirtyLines() async throws {
        let page = Wire.page([1, 2])
        let transport = FakeTransport { request in
            if request.path == "/v1/sync" {
                return ChatFixture.json(#"{"cursor":"2f-1","conversations":[\#(Wire.conversation("pier"))]}"#)
            }
            return ChatFixture.json(request.path.contains("/messages?") ? page : #"{"status":"inserted"}"#)
        }
        let screen = Screen("pier")
        let running = Task { await chat(on: screen, over: transport, token: "good") }

        while screen.lines.count < 2 { await shortPause() }
        transport.sockets[0].say(Wire.frame(2, Wire.change(Wire.message(3, "hello", localID: "x"))))
        while screen.lines.count < 3 { await shortPause() }
        running.cancel()
        await running.value

        #expect(screen.lines == ["Ben: text 1", "Ben: text 2", "Ben: hello"])
        #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == "Bearer good" })
        #expect(transport.requests.contains { $0.method == "POST" && $0.path == "/v1/conversations/pier/messages" })
    }

    @Test func thePageShowsTheSameLines() throws {
        let folder = Self.file.deletingLastPathComponent()
        let snippet = try String(contentsOf: folder.appending(path: "ConversationIn30Lines.swift"), encoding: .utf8)
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/client.md"), encoding: .utf8)

        #expect(page.contains("```swift\n\(snippet)```"))
        #expect(snippet.split(separator: "\n").count <= 30)
    }

    @Test func everyOtherExampleOfThePageIsCompiled() throws {
        let (blocks, compiled) = try examples(of: "docs/client.md", in: "ClientPage.swift")

        #expect(blocks.count == 7)
        for block in blocks.dropFirst() { #expect(compiled.contains(block)) }
    }

    @Test func everyExampleOfTheFirebasePageIsCompiled() throws {
        let (blocks, compiled) = try examples(of: "docs/integrations/firebase.md", in: "FirebasePage.swift")

        #expect(blocks.count == 10)
        for block in blocks { #expect(compiled.contains(block)) }
    }

    /// The examples of a page and the file that has them, without indentation.
    private func examples(of page: String, in file: String) throws -> (blocks: [String], compiled: String) {
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let folder = Self.file.deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        return (
            blocks.map(lines), lines(try String(contentsOf: folder.appending(path: file), encoding: .utf8))
        )
    }
}
