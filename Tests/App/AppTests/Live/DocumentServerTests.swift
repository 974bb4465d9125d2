import Foundation
import TestSupport
import Testing
import Transport

/// A document through the program: sent, read in a separate process, found, and deleted with its message.
@Suite(.serialized, .hangGuard) struct DocumentServerTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    /// A PDF of pages with a line each, as small as the format lets it be.
    private static func pdf(_ lines: [String]) -> Data {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [\(lines.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " "))] /Count \(lines.count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for (place, line) in lines.enumerated() {
            let content = "BT /F1 12 Tf 50 700 Td (\(line)) Tj ET"
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents \(5 + 2 * place) 0 R >>"
            )
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (place, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(place + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n" }
        text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Data(text.utf8)
    }

    private static func upload(_ body: Data, name: String, to server: NexusServer) async throws -> String {
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let response = try await transport.send(
            HTTPExchangeRequest(
                method: "POST", url: server.url + "/v1/files?name=\(name)",
                headers: ["X-Nexus-User": "ada", "Content-Type": "application/octet-stream"], body: body,
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900)),
                responseByteLimit: 1 << 20))
        await transport.shutdown()
        let json = try JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return try #require(json?["id"] as? String)
    }

    /// Waits until the file of a message is in another state than `waiting`.
    private static func reading(_ message: String, with server: NexusServer) async throws -> [String: Any] {
        while true {
            let history = try await server.send("GET", "/v1/conversations/team/messages", user: "bob")
            let messages = history.json["messages"] as? [[String: Any]] ?? []
            let found = messages.first { $0["id"] as? String == message }
            let file = (found?["attachments"] as? [[String: Any]])?.first
            if let reading = file?["reading"] as? [String: Any], reading["state"] as? String != "waiting" {
                return reading
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test func aPageOfAPDFIsFoundAndCited() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        _ = try await server.send(
            "POST", "/v1/conversations",
            ["id": "team", "name": "Team", "members": [["userId": "ada"], ["userId": "bob"]]], user: "ada")
        let path = "/v1/conversations/team/messages"
        let plan = Self.pdf(["Contents of the plan", "The marigold crates go to berth seven on 2026-11-27."])
        let file = try await Self.upload(plan, name: "plan.pdf", to: server)
        let damaged = try await Self.upload(Data("%PDF-1.4 and nothing else".utf8), name: "cut.pdf", to: server)
        for (id, file) in [("m1", file), ("m2", damaged)] {
            _ = try await server.send(
                "POST", path,
                ["id": id, "senderId": "ada", "text": "here it is", "attachments": [file]] as [String: Any],
                user: "ada")
        }
        let read = try await Self.reading("m1", with: server)
        let failed = try await Self.reading("m2", with: server)
        let search = ["query": "Where do the marigold crates go?"]
        let found = try await server.send("POST", "/v1/search", search, user: "bob")
        let foundByEve = try await server.exchange("POST", "/v1/search", search, user: "eve")
        let answer = try await server.send(
            "POST", "/v1/ask", ["question": "Where do the marigold crates go?"], user: "bob")
        _ = try await server.send("DELETE", path + "/m1", user: "ada")
        let foundAfter = try await server.exchange("POST", "/v1/search", search, user: "bob")
        _ = await server.stop()

        #expect(read["state"] as? String == "read" && read["isCut"] == nil)
        #expect(failed["state"] as? String == "failed" && failed["problem"] as? String == "damaged")
        let hit = try #require((found.json["results"] as? [[String: Any]])?.first)
        #expect(hit["messageId"] as? String == "m1")
        #expect((hit["excerpt"] as? String)?.contains("2026-11-27") == true)
        #expect((hit["excerpt"] as? String)?.contains("Contents of the plan") == false, "another page")
        let place = try #require(hit["file"] as? [String: Any])
        #expect(place["fileId"] as? String == file && place["name"] as? String == "plan.pdf")
        #expect(place["unit"] as? String == "page" && place["number"] as? Int == 2)
        #expect(!String(decoding: foundByEve.body, as: UTF8.self).contains("m1"))
        let source = (answer.json["sources"] as? [[String: Any]])?.first
        #expect((source?["file"] as? [String: Any])?["number"] as? Int == 2)
        #expect((answer.json["answer"] as? String)?.contains("berth seven") == true)
        #expect(!String(decoding: foundAfter.body, as: UTF8.self).contains("m1"))
    }
}
