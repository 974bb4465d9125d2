import Foundation
import TestSupport
import Testing

/// Whatever a foreign team writes, edits or deletes: every reply to those who are not in it stays the same, byte for byte.
@Suite(.serialized, .hangGuard) struct ForeignWriteTests {
    private static let crew = [["userId": "ada", "name": "Ada"], ["userId": "ben", "name": "Benjamin Cole"]]
    private static let yard = [["userId": "ada", "name": "Ada"], ["userId": "cleo", "name": "Cleo"]]

    /// What the crew and the yard say, in turns.
    private static let texts = [
        "Who repairs the crane?", "The crane is repaired by Cole on Thursday", "zebrafish budget is 4,500 euros",
        "Die Kranprüfung ist am Montag im Hafen", "ok", "The pilot goes live on 3 March", "thanks, all good",
        "Where does the ferry berth?", "The ferry berths at pier 7, next to the old warehouse",
        "We decided to paint the quartz boat green", "Der Lotse kommt erst nach dem Mittagessen",
        "deployment failed because the certificate expired", "crane crane crane", "lunch at noon?",
        "The rota for September is with Ada", "marzipan for everybody on Friday",
    ]

    private static let questions = [
        "crane", "Who repairs the crane?", "zebrafish", "What is the zebrafish budget?", "When does the pilot go live?",
        "Where does the ferry berth?", "quartz boat", "Wann ist die Kranprüfung?", "What did Cole say about the crane?",
        "marzipan on Friday", "Why did the deployment fail?", "unknownword anywhere", "rota for September 2026",
        "what about the yard?", "\"crane is repaired\"", "ok", "How many euros?", "Lotse",
    ]

    /// Writes a message.
    private func post(
        _ server: NexusServer, _ conversation: String, _ id: String, by sender: String, _ text: String, at second: Int
    ) async throws {
        let stamp = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: 1_780_000_000 + Double(second)))
        let reply = try await server.send(
            "POST", "/v1/conversations/\(conversation)/messages",
            ["id": id, "senderId": sender, "text": text, "timestamp": stamp])
        try #require(reply.status < 300, "\(reply.json)")
    }

    private func conversation(_ server: NexusServer, _ id: String, _ members: [[String: String]]) async throws {
        let reply = try await server.send(
            "POST", "/v1/conversations", ["id": id, "name": id.capitalized, "members": members])
        try #require(reply.status < 300, "\(reply.json)")
    }

    /// Waits until every message has its vector.
    private func embed(_ binary: NexusBinary) async throws {
        let ended = try await binary.run(["ingest"])
        try #require(ended.status == 0, "\(ended.errors)")
    }

    private func furnish(_ server: NexusServer) async throws {
        try await conversation(server, "crew", Self.crew)
        try await conversation(server, "yard", Self.yard)
        for (number, text) in (Self.texts + Self.texts.map { "\($0) again" }).enumerated() {
            let (place, other) = number % 3 == 2 ? ("yard", "cleo") : ("crew", "ben")
            try await post(
                server, place, "m\(number)", by: number % 2 == 0 ? "ada" : other, text, at: number * 1_200)
        }
    }

    /// Writes 200 messages with the words of the questions, by people of the same names, deletes some and edits others.
    ///
    /// They are in other languages, too. Ben, who is in the crew, is known there under a name that the questions hold.
    private func writeElsewhere(_ server: NexusServer, round: Int) async throws {
        let foreign = "crane\(round)"
        try await conversation(
            server, foreign,
            [["userId": "zoe", "name": "Crane Zebrafish"], ["userId": "ben", "name": "Rota Marzipan"]])
        try await conversation(server, "ferry\(round)", [["userId": "zoe", "name": "Cole"]])
        let endings = ["", " クレーンは木曜日に修理されます。", " Der Kran wird erst am Donnerstag repariert", " unknownword"]
        for number in 0..<200 {
            let text = Self.texts[number % Self.texts.count] + endings[number % endings.count]
            try await post(
                server, number % 4 == 0 ? "ferry\(round)" : foreign, "f\(number)", by: "zoe", text, at: number * 60)
        }
        for number in stride(from: 1, to: 100, by: 6) {
            let path = "/v1/conversations/\(foreign)/messages"
            let gone = try await server.send("DELETE", "\(path)/f\(number)", user: "zoe")
            try #require(gone.status < 300, "\(gone.json)")
            let edited = try await server.send(
                "PATCH", "\(path)/f\(number + 2)", ["text": "zebrafish marzipan quartz crane"], user: "zoe")
            try #require(edited.status < 300, "\(edited.json)")
        }
    }

    /// Everything that Ada is answered, by what she asked.
    private func replies(_ server: NexusServer) async throws -> [String: String] {
        var found: [String: String] = [:]
        func ask(_ method: String, _ path: String, _ body: [String: Any]? = nil, accept: String? = nil) async throws {
            let reply = try await server.exchange(method, path, body, user: "ada", accept: accept)
            #expect(reply.status == 200, "\(path)")
            let sent = try body.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) } ?? Data()
            found["\(found.count) \(path) \(String(decoding: sent, as: UTF8.self))"] = Self.withoutMoments(
                String(decoding: reply.body, as: UTF8.self))
        }
        for question in Self.questions {
            try await ask("POST", "/v1/search", ["query": question, "explain": true, "topK": 20])
        }
        try await ask("POST", "/v1/search", ["query": "crane", "explain": true, "conversationIds": ["crew"]])
        try await ask("POST", "/v1/search", ["query": "crane", "explain": true, "senderIds": ["cleo"]])
        for question in Self.questions.prefix(5) {
            try await ask("POST", "/v1/ask", ["question": question])
        }
        try await ask("POST", "/v1/ask", ["question": Self.questions[5]], accept: "text/event-stream")
        try await ask("POST", "/ragSearch", ["data": ["query": "quartz crane", "userId": "ada"]])
        try await ask("POST", "/ragQuery", ["data": ["question": "Who repairs the crane?", "userId": "ada"]])
        for (tool, arguments) in [("search_messages", ["query": "crane"]), ("ask", ["question": "ferry?"])] {
            try await ask(
                "POST", "/mcp",
                [
                    "jsonrpc": "2.0", "id": 7, "method": "tools/call",
                    "params": ["name": tool, "arguments": arguments],
                ])
        }
        let turns = ["When does the pilot go live?", "And who repairs the crane?"]
        try await ask(
            "POST", "/v1/chat/completions",
            ["model": "nexus", "messages": turns.map { ["role": "user", "content": $0] }])
        for path in [
            "/v1/conversations", "/v1/conversations/crew", "/v1/conversations/crew/messages",
            "/v1/conversations/crew/members", "/v1/conversations/crew/action-items",
            "/v1/conversations/crew/action-items/changes", "/v1/conversations/crew/assistant/changes",
            "/v1/threads/changes", "/v1/threads",
        ] {
            try await ask("GET", path)
        }
        return found
    }

    /// A reply without what is new each time: when it was asked, and the turn's and other random names.
    ///
    /// Of a cursor, which is sealed, its length stays.
    private static func withoutMoments(_ text: String) -> String {
        var text = text
        text.replace(/"next":"([A-Za-z0-9_-]*)"/) { #""next":\#($0.output.1.count)"# }
        for pattern in [
            #"\\?"(turnId|queryTime|id)\\?":\\?"[^"\\]*(-|T)[^"\\]*\\?""#, #""created":\d+"#, "[0-9a-f]{32}",
        ] {
            text = text.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
        }
        return text
    }

    private func compare(_ replies: [String: String], _ first: [String: String], _ when: Comment) {
        #expect(replies.count == first.count)
        for (asked, reply) in first { #expect(replies[asked] == reply, "\(when) \(asked)") }
    }

    @Test func foreignWritesChangeNoByteOfAReply() async throws {
        let binary = try NexusBinary()
        var server = try await NexusServer(binary)
        try await furnish(server)
        try await embed(binary)
        let first = try await replies(server)
        #expect(first.values.contains { $0.contains(#""name":"lexical""#) && $0.contains(#""name":"tokens""#) })
        #expect(first.values.contains { $0.contains(#""extractive""#) })

        try await writeElsewhere(server, round: 1)
        try await embed(binary)
        compare(try await replies(server), first, "after foreign writes:")

        // The indexes are built again from the store; so few messages are not worth a file.
        #expect(await server.stop().status == 0)
        server = try await NexusServer(binary)
        try await writeElsewhere(server, round: 2)
        try await embed(binary)
        compare(try await replies(server), first, "after a restart:")
        _ = await server.stop()
    }
}
