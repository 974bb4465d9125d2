import Foundation
import HTTPAPI
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import Transport

/// What administrators do over the network.
@Suite(.hangGuard) struct AdministrationTests {
    private static func lines(_ lines: String...) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for line in lines { continuation.yield(Data(line.utf8)) }
            continuation.finish()
        }
    }

    @Test func commandsAreAnsweredWithLines() async throws {
        var parts = ServerParts()
        parts.performs = { _ in Self.lines(#"{"progress":1}"#, #"{"done":2}"#) }
        try await withServer(parts) { server in
            let path = "/v1/administration/operator"
            let reply = try await server.send("POST", path, #"{"status":{}}"#)
            #expect(reply.status == 200 && reply.headers["Content-Type"] == "application/x-ndjson")
            #expect(reply.text == "{\"progress\":1}\n{\"done\":2}\n")
            let forbidden = try await server.send("POST", path, #"{"backup":{}}"#)
            #expect(forbidden.status == 403 && forbidden.field("code") == "command_forbidden")
            let unknown = try await server.send("POST", path, "[]")
            #expect(unknown.status == 400 && unknown.field("code") == "command_unknown")
            let text = try await server.send(
                "POST", path, #"{"status":{}}"#, headers: [("Content-Type", "text/plain")])
            #expect(text.status == 415)
        }
    }

    @Test func anUploadIsImportedAndDeleted() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "imports-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let seen = Mutex<[(upload: HistoryUpload, content: String)]>([])
        var parts = ServerParts()
        parts.settings.importFolder = folder
        parts.settings.importByteLimit = 20
        parts.imports = { upload in
            let content = FileManager.default.contents(atPath: upload.path).map { String(decoding: $0, as: UTF8.self) }
            seen.withLock { $0.append((upload, content ?? "")) }
            return Self.lines(#"{"done":{}}"#)
        }
        try await withServer(parts) { server in
            let path = "/v1/administration/imports"
            let type = [(name: "Content-Type", value: "application/octet-stream")]
            let reply = try await server.send(
                "POST",
                path + "?name=../a%20b.zip&dryRun=true&workspaceURL=https://a.slack.com/&timeZone=Europe/Berlin"
                    + "&dateOrder=dmy&openChannels=true", "some bytes", headers: type)
            #expect(reply.status == 200 && reply.text == "{\"done\":{}}\n")
            let found = try #require(seen.withLock { $0.first })
            #expect(found.content == "some bytes" && found.upload.isDryRun)
            #expect(found.upload.path.hasSuffix("/a b.zip") && found.upload.path.hasPrefix(folder.path + "/"))
            #expect(found.upload.workspaceURL == "https://a.slack.com")
            #expect(found.upload.timeZone == "Europe/Berlin" && found.upload.dateOrder == "dmy")
            #expect(found.upload.areChannelsOpen)

            let large = try await server.send("POST", path, String(repeating: "x", count: 21), headers: type)
            #expect(large.status == 413)
            for query in [
                "?dryRun=maybe", "?workspaceURL=javascript:x", "?timeZone=Mars/Base", "?dateOrder=dym",
                "?openChannels=yes",
            ] {
                #expect(try await server.send("POST", path + query, "x", headers: type).status == 400)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
        #expect(seen.withLock { $0.count } == 1)
    }

    @Test func modelsAreTested() async throws {
        let reply = try await withServer { try await $0.send("POST", "/v1/administration/models/test") }
        #expect(
            reply.text == #"{"checks":[{"detail":"fake","isReady":true,"milliseconds":1,"name":"embedding"}]}"#)
    }
}
