import Foundation
import TestSupport
import Testing

/// The real program starts from the index's file, and finds the same whatever became of it.
@Suite(.serialized, .hangGuard) struct IndexFileTests {
    @Test func aRestartMapsTheFileInPlaceOfReadingEveryVector() async throws {
        let folder = try await FilledFolder(12_000)

        let first = try await folder.search("message 77")
        #expect(first.ids.first == "m77")
        #expect(first.log.contains("index.source=store"), "\(first.log)")
        #expect(folder.files.count == 1)
        #expect(folder.wordFiles.count == 1)
        let (file, wordFile) = (folder.files, folder.wordFiles)
        let second = try await folder.search("message 11999")
        #expect(second.ids.first == "m11999")
        #expect(second.log.contains("index.source=file"), "\(second.log)")
        #expect(second.log.contains("index.changed=0"), "\(second.log)")
        #expect(!second.log.contains("index.source=store"), "\(second.log)")
        #expect(folder.wordFiles == wordFile)

        let server = try await NexusServer(folder.binary, folder.settings + ["--log-level", "debug"])
        let posted = try await server.send(
            "POST", "/v1/conversations/c1/messages", ["id": "new", "senderId": "ada", "text": "news"], user: "ada")
        #expect(posted.status == 201, "\(posted.json)")
        let deleted = try await server.send("DELETE", "/v1/conversations/c7/messages/m77", user: "ada")
        #expect(deleted.status == 204, "\(deleted.json)")
        while true {
            let status = try await folder.binary.run(["status", "--json"] + folder.settings).json()
            if status["searchablePassages"] as? Int == 12_000 { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let ended = await server.stop()

        #expect(ended.errors.contains("index.source=file"), "\(ended.errors)")
        #expect(folder.files == file)
        let third = try await folder.search("message 77")
        #expect(!third.ids.contains("m77"))
        #expect(third.log.contains("index.source=file"), "\(third.log)")
        #expect(third.log.contains("index.changed="), "\(third.log)")
        #expect(folder.wordFiles.count == 1)
        #expect(folder.wordFiles != wordFile, "it held the words of m77")
        try FileManager.default.removeItem(at: folder.index)
        #expect(try await folder.search("message 78").ids.first == "m78")
    }

    @Test func aServerThatIsKilledWhileItWritesTheFileStartsAgain() async throws {
        let folder = try await FilledFolder(30_000)
        for milliseconds in [0, 2, 5, 10, 40] {
            try? FileManager.default.removeItem(at: folder.index)
            let server = try await NexusServer(folder.binary, folder.settings)
            while folder.files.isEmpty, server.process.isRunning { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(milliseconds))
            server.process.signal(SIGKILL)
            _ = await server.process.result()

            let found = try await folder.search("message 29999")

            #expect(found.ids.first == "m29999")
            #expect(folder.files.count == 1)
            #expect(folder.wordFiles.count == 1)
            #expect((folder.files + folder.wordFiles).allSatisfy { !$0.hasSuffix(".partial") })
        }
    }
}
