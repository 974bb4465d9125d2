import Foundation
import GRDB
import Glibc
import TestSupport
import Testing
import Transport

/// Files through the program: upload, attachment, search, deletion, and a server that is killed.
@Suite(.serialized, .hangGuard) struct FileServerTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]
    private static let words = "Deliver the marigold crates to berth seven before the tide turns."

    private static func exchange(
        _ method: String, _ path: String, _ body: Data? = nil, user: String, with server: NexusServer
    ) async throws -> HTTPExchangeResponse {
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let response = try await transport.send(
            HTTPExchangeRequest(
                method: method, url: server.url + path,
                headers: ["X-Nexus-User": user, "Content-Type": "application/octet-stream"], body: body,
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900)),
                responseByteLimit: 256 << 20))
        await transport.shutdown()
        return response
    }

    private static func upload(
        _ text: String, name: String = "plan.txt", user: String = "ada", to server: NexusServer
    ) async throws -> String {
        let reply = try await exchange(
            "POST", "/v1/files?name=\(name)", Data(text.utf8), user: user, with: server)
        #expect(reply.status == 201)
        let json = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any]
        return try #require(json?["id"] as? String)
    }

    private static func status(_ file: String, user: String, with server: NexusServer) async throws -> Int {
        try await exchange("GET", "/v1/files/\(file)", user: user, with: server).status
    }

    private static func group(_ server: NexusServer) async throws {
        let made = try await server.send(
            "POST", "/v1/conversations",
            ["id": "team", "name": "Team", "members": [["userId": "ada"], ["userId": "bob"]]], user: "ada")
        #expect(made.status == 201)
    }

    private static func names(_ binary: NexusBinary) -> [String] {
        let all = FileManager.default.enumerator(atPath: binary.data.appending(path: "files").path)
        return (all?.compactMap { $0 as? String } ?? []).filter { $0 != "incoming" }
    }

    @Test func aFileIsReadFoundAndDeletedWithItsMessage() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        try await Self.group(server)
        let file = try await Self.upload(Self.words, to: server)
        let early = try await Self.status(file, user: "bob", with: server)
        let path = "/v1/conversations/team/messages"
        let posted = try await server.send(
            "POST", path, ["id": "m1", "senderId": "ada", "attachments": [file]] as [String: Any], user: "ada")
        let taken = try await server.send(
            "POST", path, ["id": "m2", "senderId": "ada", "attachments": [file]] as [String: Any], user: "ada")
        let history = try await server.send("GET", path, user: "bob")
        let inbox = try await server.send("GET", "/v1/conversations", user: "bob")
        let sent = try await Self.exchange("GET", "/v1/files/\(file)", user: "bob", with: server)
        let foreign = try await Self.status(file, user: "eve", with: server)
        let search = ["query": "marigold crates"]
        let found = try await server.exchange("POST", "/v1/search", search, user: "bob")
        let foundByEve = try await server.exchange("POST", "/v1/search", search, user: "eve")
        _ = try await server.send("DELETE", path + "/m1", user: "ada")
        let gone = try await Self.status(file, user: "bob", with: server)
        let foundAfter = try await server.exchange("POST", "/v1/search", search, user: "bob")
        let left = Self.names(binary)
        _ = await server.stop()

        #expect(early == 404 && posted.status == 201 && taken.status == 400)
        let message = (history.json["messages"] as? [[String: Any]])?.first
        let attachment = (message?["attachments"] as? [[String: Any]])?.first
        #expect(message?["text"] as? String == "")
        #expect(Set((attachment ?? [:]).keys) == ["id", "name", "mediaType", "byteCount"])
        #expect(attachment?["id"] as? String == file && attachment?["mediaType"] as? String == "text/plain")
        let entry = (inbox.json["conversations"] as? [[String: Any]])?.first
        let last = (entry?["lastMessage"] as? [String: Any])?["attachments"] as? [[String: Any]]
        #expect(last?.first?["id"] as? String == file)
        #expect(sent.status == 200 && sent.body == Data(Self.words.utf8))
        #expect(foreign == 404)
        let results = try JSONSerialization.jsonObject(with: found.body) as? [String: Any]
        let hit = (results?["results"] as? [[String: Any]])?.first
        #expect(hit?["messageId"] as? String == "m1")
        #expect((hit?["attachments"] as? [[String: Any]])?.count == 1)
        #expect((hit?["text"] as? String)?.contains("marigold") == false)
        #expect(!String(decoding: foundByEve.body, as: UTF8.self).contains("m1"))
        #expect(gone == 404)
        #expect(!String(decoding: foundAfter.body, as: UTF8.self).contains("m1"))
        #expect(left.isEmpty)
    }

    @Test func largeFilesTakeLittleMemory() async throws {
        let binary = try NexusBinary()
        let byteCount = 100 << 20
        // The built-in encoder would be loaded meanwhile, to measure its scale, and take as much as the file.
        let stub = try StubServer.openAI()
        let settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1", "--set",
            "embedding.model=e", "--set", "chat.provider=extractive", "--set", "files.max-bytes=\(byteCount)",
        ]
        let server = try await NexusServer(binary, settings)
        _ = try await Self.upload("small", to: server)
        let before = try Self.peakMemory(server)
        // No format that is known, so that it is neither text nor held as text.
        var body = Data(count: byteCount)
        body[0] = 1
        body[byteCount - 1] = 7
        let stored = try await Self.exchange("POST", "/v1/files", body, user: "ada", with: server)
        let json = try JSONSerialization.jsonObject(with: stored.body) as? [String: Any]
        let id = try #require(json?["id"] as? String)
        let sent = try await Self.exchange("GET", "/v1/files/\(id)", user: "ada", with: server)
        let after = try Self.peakMemory(server)
        let refused = try await Self.exchange("POST", "/v1/files", body + [0], user: "ada", with: server)
        _ = await server.stop()

        #expect(stored.status == 201 && sent.status == 200)
        #expect(sent.body == body)
        #expect(after - before < 90 << 10, "\(after - before) KiB more")
        #expect(refused.status == 413)
    }

    /// The most memory that a server has used, in KiB.
    private static func peakMemory(_ server: NexusServer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.process.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test func anUploadThatIsKilledLeavesNothing() async throws {
        let binary = try NexusBinary()
        var server = try await NexusServer(binary, Self.local)
        let kept = try await Self.upload(Self.words, to: server)
        let incoming = binary.data.appending(path: "files/incoming")
        let killed = server
        // The server waits for the rest of the body.
        let port = try #require(UInt16(killed.url.split(separator: ":").last ?? ""))
        let client = try PlainConnection(port: port)
        let part = String(repeating: "x", count: 300_000)
        client.send(
            "POST /v1/files HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-Nexus-User: ada\r\nContent-Length: 900000\r\n\r\n"
                + part)
        while try FileManager.default.contentsOfDirectory(atPath: incoming.path).isEmpty { await shortPause() }
        server.process.signal(SIGKILL)
        _ = await server.process.result()
        client.close()
        #expect(Self.names(binary).count == 2)

        server = try await NexusServer(binary, Self.local)

        #expect(Self.names(binary) == [kept])
        #expect(try await Self.status(kept, user: "ada", with: server) == 200)
        _ = await server.stop()
        #expect(try await binary.run(["doctor"] + Self.local).output.contains("1 files, each with its bytes"))
    }

    /// The upload began before the erasure, and ends after it.
    @Test func anUploadOfAPersonWhoIsErasedMeanwhileIsRefused() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let kept = try await Self.upload(Self.words, to: server)
        let incoming = binary.data.appending(path: "files/incoming")
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        let client = try PlainConnection(port: port)
        let part = String(repeating: "x", count: 300_000)
        client.send(
            "POST /v1/files HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-Nexus-User: ben\r\nContent-Length: 600000\r\n"
                + "Connection: close\r\n\r\n" + part)
        while try FileManager.default.contentsOfDirectory(atPath: incoming.path).isEmpty { await shortPause() }

        let erased = try await binary.run(["erase", "--user", "ben", "--yes"])
        client.send(part)
        let answer = await client.readToEnd()
        client.close()
        let later = try await Self.upload("new", user: "ben", to: server)
        _ = await server.stop()

        #expect(erased.status == 0, "\(erased.errors)")
        #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("session_ended"), "\(answer)")
        #expect(Self.names(binary).sorted() == [kept, later].sorted())
    }

    @Test func filesWithoutAMessageGoAfterADayAndMakeRoom() async throws {
        let binary = try NexusBinary()
        let settings = Self.local + ["--set", "files.max-unattached=2"]
        var server = try await NexusServer(binary, settings)
        try await Self.group(server)
        let sent = try await Self.upload(Self.words, to: server)
        _ = try await server.send(
            "POST", "/v1/conversations/team/messages",
            ["id": "m1", "senderId": "ada", "attachments": [sent]] as [String: Any], user: "ada")
        let old = try await Self.upload(Self.words, to: server)
        let new = try await Self.upload(Self.words, to: server)
        let refused = try await Self.exchange("POST", "/v1/files", Data("more".utf8), user: "ada", with: server)
        _ = await server.stop()
        let database = try DatabaseQueue(path: binary.data.appending(path: "nexus.sqlite").path)
        try await database.write { db in
            let day = Int64(24 * 3_600) * 1_000_000
            try db.execute(
                sql: "UPDATE files SET uploaded_at = uploaded_at - ? WHERE id IN (?, ?)", arguments: [day, old, sent])
        }
        try database.close()

        server = try await NexusServer(binary, settings)
        while Self.names(binary).contains(old) { await shortPause() }

        #expect(refused.status == 409)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("files_unattached"))
        #expect(Set(Self.names(binary)) == [sent, new])
        #expect(try await Self.status(old, user: "ada", with: server) == 404)
        #expect(try await Self.status(sent, user: "bob", with: server) == 200)
        _ = try await Self.upload(Self.words, to: server)
        _ = await server.stop()
    }

    @Test func erasingAUserDeletesTheFiles() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        try await Self.group(server)
        let file = try await Self.upload(Self.words, to: server)
        let loose = try await Self.upload(Self.words + " Twice.", name: "loose.txt", to: server)
        let other = try await Self.upload("Nothing of Ada.", user: "bob", to: server)
        _ = try await server.send(
            "POST", "/v1/conversations/team/messages",
            ["id": "m1", "senderId": "ada", "text": "see", "attachments": [file]] as [String: Any], user: "ada")
        _ = await server.stop()

        let erased = try await binary.run(["erase", "--user", "ada", "--yes"] + Self.local)

        #expect(erased.status == 0, "\(erased.errors)")
        #expect(erased.output.contains("2 files"))
        #expect(Self.names(binary) == [other])
        #expect(![file, loose].contains(other))
    }
}

/// A connection over which a request is sent in parts.
private struct PlainConnection {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the server closes the connection; on another thread, because the wait blocks.
    func readToEnd() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [descriptor] in
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 65_536)
                while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { bytes += piece[..<count] }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    func close() {
        Glibc.close(descriptor)
    }
}
