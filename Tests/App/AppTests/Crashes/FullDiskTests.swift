import Foundation
import TestSupport
import Testing
import Transport

/// A server whose files may not grow beyond a size, as on a full disk.
@Suite(.serialized, .hangGuard) struct FullDiskTests {
    private static let long = String(repeating: "The pilot boards the ferry at the north quay. ", count: 80)

    private func settings(_ stub: StubServer) -> [String] {
        [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1", "--set",
            "embedding.model=e", "--set", "mentions.scope=off",
        ]
    }

    /// Writes long messages until the disk is full; returns how many it took.
    private func fill(_ server: NexusServer) async throws -> Int {
        for number in 0..<2_000 {
            let reply = try await server.send(
                "POST", "/v1/conversations/c/messages", ["id": "m\(number)", "text": "\(number) \(Self.long)"],
                user: "ada")
            guard reply.status != 201 else { continue }
            #expect(reply.status == 507)
            #expect(reply.json["code"] as? String == "storage_full")
            return number
        }
        return 2_000
    }

    @Test func searchesAndStatusAnswerWhileNothingCanBeStored() async throws {
        let stub = try StubServer.openAI()
        let binary = try NexusBinary()
        // 1,500 KiB a file, 3,000 with a shell that does not count in 512 bytes: 800 are used by empty tables, and the log is
        // emptied at 4 MiB only.
        let server = try await NexusServer(binary, settings(stub), shellPrefix: "trap '' XFSZ; ulimit -S -f 3000")
        _ = try await server.send(
            "POST", "/v1/conversations", ["id": "c", "members": [["userId": "ada"]]], user: "ada")

        #expect(try await fill(server) > 10)

        // Small things may still fit for a while.
        var number = 0
        while !(try await notes(server)).contains("storage_full") {
            number += 1
            _ = try await server.send(
                "POST", "/v1/conversations/c/messages", ["id": "s\(number)", "text": "more"], user: "ada")
        }
        for _ in 0..<3 {
            let found = try await server.send("POST", "/v1/search", ["query": "pilot"], user: "ada")
            #expect(found.status == 200)
            #expect((found.json["results"] as? [Any])?.isEmpty == false)
        }
        let asked = try await server.send("POST", "/v1/ask", ["question": "Where is the pilot?"], user: "ada")
        #expect(asked.status == 200)
        // What is small may fit again once the log was emptied into the file.
        var status = try await binary.run(["status"])
        while status.status == 0, !(status.output + status.errors).contains("the disk is full") {
            number += 1
            _ = try await server.send(
                "POST", "/v1/conversations/c/messages", ["id": "s\(number)", "text": "more"], user: "ada")
            status = try await binary.run(["status"])
        }
        #expect(status.status == 0, "\(status.errors)")
        let stopped = await server.stop()
        #expect(stopped.status == 0, "\(stopped.errors)")
    }

    @Test func aServerThatStartsOnAFullDiskServesWhatItHas() async throws {
        let stub = try StubServer.openAI()
        let binary = try NexusBinary()
        let first = try await NexusServer(binary, settings(stub))
        _ = try await first.send("POST", "/v1/conversations", ["id": "c", "members": [["userId": "ada"]]], user: "ada")
        _ = try await first.send(
            "POST", "/v1/conversations/c/messages", ["id": "m1", "text": Self.long], user: "ada")
        #expect(await first.stop().status == 0)

        // No file may be written at all.
        let server = try await NexusServer(binary, settings(stub), shellPrefix: "trap '' XFSZ; ulimit -S -f 0")
        let found = try await server.send("POST", "/v1/search", ["query": "pilot"], user: "ada")
        #expect((found.json["results"] as? [Any])?.count == 1)
        let asked = try await server.send("POST", "/v1/ask", ["question": "Where is the pilot?"], user: "ada")
        #expect(asked.status == 200)
        #expect((asked.json["notices"] as? [String])?.contains("not_stored") == true)
        let posted = try await server.send(
            "POST", "/v1/conversations/c/messages", ["id": "m2", "text": "more"], user: "ada")
        #expect(posted.status == 507)
        #expect(posted.json["code"] as? String == "storage_full")
        #expect(try await notes(server).contains("storage_full"))
        let doctor = try await binary.run(["doctor"])
        #expect((doctor.output + doctor.errors).contains("nothing can be stored"))

        try await lift(server)
        while try await notes(server).contains("storage_full") { try await Task.sleep(for: .milliseconds(20)) }
        let again = try await server.send(
            "POST", "/v1/conversations/c/messages", ["id": "m2", "text": "more"], user: "ada")
        #expect(again.status == 201)
        #expect(await server.stop().status == 0)
    }

    private func notes(_ server: NexusServer) async throws -> [String] {
        let ready = try await server.send("GET", "/ready")
        try #require(ready.status == 200)
        return try #require(ready.json["notes"] as? [String])
    }

    /// Lets the files of a running server grow.
    private func lift(_ server: NexusServer) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(server.process.identifier)", "--fsize=unlimited"]
        try process.start()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
