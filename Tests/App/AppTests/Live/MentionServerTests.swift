import Crypto
import Foundation
import TestSupport
import Testing

/// Mentions through a server: posted by HTTP, answered in the conversation, told to another system; a server that is killed
/// answers after the next start, and nothing twice.
@Suite(.serialized, .hangGuard) struct MentionServerTests {
    private static let secret = "hook-secret"

    private func arguments(_ service: StubServer, _ hook: StubServer) -> [String] {
        [
            "--mentions", "audience", "--set", "provider=compatible", "--set", "base-url=\(service.baseURL)", "--set",
            "embedding.model=e", "--set", "chat.model=c", "--set", "embedding.dimensions=4", "--set",
            "mentions.webhook-url=\(hook.baseURL)/hook", "--set", "mentions.webhook-secret=\(Self.secret)",
        ]
    }

    private func answers(_ server: NexusServer) async throws -> [[String: Any]] {
        let page = try await server.send("GET", "/v1/conversations/dock/messages", user: "ada")
        let messages = page.json["messages"] as? [[String: Any]] ?? []
        return messages.filter { $0["senderId"] as? String == "nexus" }
    }

    private func waitForAnswers(_ count: Int, _ server: NexusServer) async throws -> [[String: Any]] {
        while true {
            let found = try await answers(server)
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func ask(_ id: String, _ server: NexusServer) async throws {
        let message = ["id": id, "text": "@ai when is the crane up?"]
        let posted = try await server.send("POST", "/v1/conversations/dock/messages", message, user: "ada")
        #expect(posted.status == 201)
    }

    @Test func isAnsweredAndToldAlsoAfterAKill() async throws {
        let service = try StubServer { request in
            if request.target.hasSuffix("/embeddings") { return .embeddings(for: request) }
            return .chat("On Thursday [1].", usage: (prompt: 700, completion: 30))
        }
        let hook = try StubServer { request in
            request.number == 1 ? .text("busy", status: 503) : .text("", status: 204)
        }
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, arguments(service, hook))
        let made = try await server.send(
            "POST", "/v1/conversations", ["id": "dock", "members": [["userId": "ada"]]], user: "ada")
        #expect(made.status == 201)
        _ = try await server.send(
            "POST", "/v1/conversations/dock/messages",
            ["id": "m1", "text": "The crane is repaired on Thursday"], user: "ada")
        try await ask("m2", server)

        let first = try await waitForAnswers(1, server)
        await hook.waitForRequests(2)
        // Killed at once after a question: it is answered by the next process, the other one is not answered again.
        try await ask("m3", server)
        server.process.signal(SIGKILL)
        _ = await server.process.result()
        let next = try await NexusServer(binary, arguments(service, hook))
        let all = try await waitForAnswers(2, next)
        while try !hook.requests.contains(where: { try told(in: $0).replyTo == "m3" }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        _ = await next.stop()

        #expect(first.first?["replyTo"] as? String == "m2")
        #expect(first.first?["threadRoot"] as? String == "m2")
        #expect(first.first?["kind"] as? String == "assistant")
        #expect((first.first?["text"] as? String)?.hasPrefix("On Thursday [1].\n\n[1] ") == true)
        #expect(Set(all.compactMap { $0["replyTo"] as? String }) == ["m2", "m3"])
        #expect(all.count == 2)
        try check(hook.requests)
    }

    /// Returns the message that a request tells of.
    private func told(in request: StubRequest) throws -> (id: String, replyTo: String) {
        let body = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        #expect(body["type"] as? String == "message.created")
        let message = try #require(body["message"] as? [String: Any])
        return (message["id"] as? String ?? "", message["replyTo"] as? String ?? "")
    }

    /// Checks that the first attempt was repeated, and that nothing is told under two deliveries.
    ///
    /// A kill between the reply to a delivery and its record makes the next process repeat it.
    private func check(_ requests: [StubRequest]) throws {
        var order: [String] = []
        var deliveries: Set<String> = []
        for request in requests {
            #expect(request.target == "/v1/hook" || request.target == "/hook")
            let message = try told(in: request)
            order.append(message.replyTo)
            let parts = try #require(request.header("X-Nexus-Signature")).split(separator: ",")
            let time = try #require(parts.first?.dropFirst(2))
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(time).".utf8) + request.body, using: SymmetricKey(data: Data(Self.secret.utf8)))
            let wanted = code.map { String(format: "%02x", $0) }.joined()
            #expect(parts.last == "v1=\(wanted)")
            let delivery = try #require(request.header("X-Nexus-Delivery"))
            #expect(delivery == "\(message.id)/message.created")
            deliveries.insert(delivery)
        }
        #expect(order.prefix(2) == ["m2", "m2"])
        #expect(order.drop(while: { $0 == "m2" }) == ["m3"])
        #expect(deliveries.count == 2)
    }
}
