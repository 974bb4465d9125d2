import Foundation
import TestSupport
import Testing

/// An answer that a later message makes wrong, through the program.
@Suite(.serialized, .hangGuard) struct OutdatedServerTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    private func post(_ id: String, _ text: String, _ server: NexusServer) async throws {
        let reply = try await server.send(
            "POST", "/v1/conversations/ferry/messages", ["id": id, "text": text], user: "ben")
        #expect(reply.status == 201, "\(reply.json)")
    }

    private func cursor(of user: String, _ server: NexusServer) async throws -> String {
        try #require(try await server.send("GET", "/v1/sync", user: user).json["cursor"] as? String)
    }

    private func changes(_ events: [[String: Any]], _ type: String) -> [[String: Any]] {
        events.flatMap { $0["changes"] as? [[String: Any]] ?? [] }.filter { $0["type"] as? String == type }
    }

    private func messageID(_ change: [String: Any]) -> String? {
        ((change["outdated"] as? [String: Any] ?? change)["by"] as? [String: Any])?["messageId"] as? String
    }

    /// Asks in a new thread; returns the turn and its thread.
    private func ask(_ question: String, _ server: NexusServer) async throws -> (turn: String, thread: String) {
        let thread = try await server.send("POST", "/v1/threads", [:] as [String: Any], user: "ada")
        let id = try #require(thread.json["id"] as? String)
        let answer = try await server.send("POST", "/v1/ask", ["question": question, "threadId": id], user: "ada")
        #expect((answer.json["answer"] as? String)?.contains("27 October") == true)
        return (try #require(answer.json["turnId"] as? String), id)
    }

    @Test func theOldAnswerSaysThatItIsNoLongerTrue() async throws {
        let binary = try NexusBinary()
        var server = try await NexusServer(binary, Self.local)
        let members = [["userId": "ada"], ["userId": "ben"]]
        _ = try await server.send("POST", "/v1/conversations", ["id": "ferry", "members": members], user: "ben")
        try await post("m1", "The launch of the ferry line is on 27 October.", server)
        try await post("m2", "Bring the long ropes for the barge.", server)
        let asked = try await ask("When is the launch of the ferry line?", server)
        let (start, other) = (try await cursor(of: "ada", server), try await cursor(of: "ben", server))

        try await post("m3", "The launch of the ferry line has been moved to 3 November.", server)
        let came = try await server.follow(start, user: "ada") { !changes([$0], "outdated").isEmpty }
        let turn = try await server.send("GET", "/v1/turns/\(asked.turn)", user: "ada").json
        let listed = try await server.send("GET", "/v1/turns?threadId=\(asked.thread)", user: "ada").json
        // A process that begins compares again, and tells nothing twice.
        server.process.signal(SIGKILL)
        _ = await server.process.result()
        server = try await NexusServer(binary, Self.local)
        let later = try await ask("When is the launch of the ferry line?", server)
        try await post("m4", "The launch of the ferry line has been moved to 9 November.", server)
        let all = try await server.follow(start, user: "ada") {
            changes([$0], "outdated").contains { messageID($0) == "m4" }
        }
        let end = try await cursor(of: "ada", server)
        let others = try await server.follow(other, user: "ben") { changes([$0], "message").count > 0 }
        _ = try await server.send(
            "PATCH", "/v1/conversations/ferry/messages/m1", ["text": "The launch is on 1 December."], user: "ben")
        let edited = try await server.follow(end, user: "ada") { !changes([$0], "outdated").isEmpty }
        let redacted = try await server.send("GET", "/v1/turns/\(asked.turn)", user: "ada").json
        _ = await server.stop()

        let told = changes(came, "outdated")
        #expect(told.map(messageID) == ["m3"])
        #expect(told.first?["turnId"] as? String == asked.turn && told.first?["threadId"] as? String == asked.thread)
        #expect(messageID(turn) == "m3" && (turn["answer"] as? String)?.contains("27 October") == true)
        #expect((listed["turns"] as? [[String: Any]])?.map(messageID) == ["m3"])
        let ofTurn = changes(all, "outdated").filter { $0["turnId"] as? String == asked.turn }
        #expect(ofTurn.map(messageID).filter { $0 == "m3" }.count == 1)
        #expect(changes(all, "outdated").contains { $0["turnId"] as? String == later.turn && messageID($0) == "m4" })
        #expect(changes(others, "outdated").isEmpty)
        #expect(changes(edited, "outdated").contains { messageID($0) == "m1" })
        #expect(redacted["redactedReason"] as? String == "source_edited" && messageID(redacted) == "m1")
    }
}
