import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct SafetyCommandTests {
    private func proof(_ result: RunResult) throws -> [String: Any] {
        try #require(try result.json()["proof"] as? [String: Any], "\(result.errors)")
    }

    private func holds(_ text: String, in folder: URL) throws -> Bool {
        let walk = try #require(FileManager.default.enumerator(atPath: folder.path))
        for case let name as String in walk {
            guard let data = try? Data(contentsOf: folder.appending(path: name)) else { continue }
            if data.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    @Test func aBackupOfARunningServerIsRestoredElsewhere() async throws {
        let folder = try await FilledFolder(30)
        let server = try await NexusServer(folder.binary, folder.settings)
        let made = try await folder.binary.run(["backup", "--json", "copy"])
        #expect(made.status == 0, "\(made.errors)")
        let again = try await folder.binary.run(["backup", "copy"])
        let taken = try await folder.binary.run(["restore", "--replace", "copy"])
        _ = await server.stop()

        let restored = try await folder.binary.run(["restore", "--json", "--data", "other", "copy"])

        #expect(again.status == 2)
        #expect(again.errors.contains("is not empty"))
        #expect(taken.status == 2)
        #expect(taken.errors.contains("in use"))
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output == made.output)
        let counts = try made.json()["counts"] as? [String: Int]
        #expect(counts == ["conversations": 10, "messages": 30, "vectors": 30, "queued": 0, "turns": 0])
        let doctor = try await folder.binary.run(["doctor", "--data", "other"] + folder.settings)
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(doctor.output.contains("ok    index of vectors: 30 rows, as stored"))
        #expect(doctor.output.contains("ok    index of words: 30 rows, as stored"))
        #expect(doctor.output.contains("ok    database: sound, SQLite 3."))
    }

    @Test func anErasureIsAnnouncedThenDoneAndProved() async throws {
        let folder = try await FilledFolder(30)
        #expect(try holds("message 17", in: folder.binary.data))

        let asked = try await folder.binary.run(["erase", "--conversation", "c7"] + folder.settings)
        let done = try await folder.binary.run(["erase", "--conversation", "c7", "--yes", "--json"] + folder.settings)

        #expect(asked.status == 1)
        #expect(asked.output.hasPrefix("would be erased: 3 messages, 3 vectors, 1 memberships, 1 conversations\n"))
        #expect(done.status == 0, "\(done.errors)")
        let proof = try proof(done)
        #expect((proof["remains"] as? [Any])?.isEmpty == true)
        // The vectors and the longer one of the texts: `message 7` is too short.
        #expect(proof["searchedCount"] as? Int == 3)
        #expect(try !holds("message 17", in: folder.binary.data))
        #expect(try holds("message 18", in: folder.binary.data))
        let doctor = try await folder.binary.run(["doctor"] + folder.settings)
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(doctor.output.contains("ok    index of words: 27 rows, as stored"))
    }

    @Test func aServerErasesAndItsIndexFilesAreRewritten() async throws {
        let folder = try await FilledFolder(12_000)
        _ = try await folder.search("message 11")
        #expect(folder.files.count == 1)
        #expect(folder.wordFiles.count == 1)
        let before = folder.files + folder.wordFiles
        let server = try await NexusServer(folder.binary, folder.settings)

        let erased = try await folder.binary.run(["erase", "--conversation", "c3", "--yes", "--json"])

        #expect(erased.status == 0, "\(erased.errors)")
        let proof = try proof(erased)
        #expect((proof["remains"] as? [Any])?.isEmpty == true)
        #expect(try #require(proof["searchedCount"] as? Int) > 2_000)
        #expect(folder.files.count == 1)
        #expect(folder.wordFiles.count == 1)
        #expect(Set(folder.files + folder.wordFiles).isDisjoint(with: before))
        let doctor = try await folder.binary.run(["doctor"] + folder.settings)
        #expect(doctor.output.contains("ok    index of vectors: 10800 rows, as stored"), "\(doctor.output)")
        #expect(doctor.output.contains("ok    index of words: 10800 rows, as stored"), "\(doctor.output)")
        _ = await server.stop()
        #expect(try !holds("message 11993", in: folder.binary.data))
    }

    @Test(arguments: [20, 60, 120, 250])
    func anErasureThatIsKilledIsCompletedByARepetition(milliseconds: Int) async throws {
        let folder = try await FilledFolder(12_000)
        let running = try folder.binary.start(["erase", "--user", "ada", "--yes"] + folder.settings)
        try await Task.sleep(for: .milliseconds(milliseconds))
        running.signal(SIGKILL)
        _ = await running.result()

        let doctor = try await folder.binary.run(["doctor"] + folder.settings)
        #expect(doctor.status == 0, "\(doctor.output)")
        let again = try await folder.binary.run(["erase", "--user", "ada", "--yes", "--json"] + folder.settings)

        #expect(again.status == 0, "\(again.errors)")
        #expect((try proof(again)["remains"] as? [Any])?.isEmpty == true)
        #expect(try !holds("message 11", in: folder.binary.data))
        let counts = try await folder.binary.run(["erase", "--user", "ada"] + folder.settings)
        #expect(counts.output == "would be erased: nothing\n")
    }

    @Test(arguments: [5, 20, 60])
    func aRestoreThatIsKilledIsAsBeforeOrCompleted(milliseconds: Int) async throws {
        let folder = try await FilledFolder(3_000)
        #expect(try await folder.binary.run(["backup", "copy"]).status == 0)
        #expect(try await folder.binary.run(["erase", "--conversation", "c1", "--yes"] + folder.settings).status == 0)
        let running = try folder.binary.start(["restore", "--replace", "copy"])
        try await Task.sleep(for: .milliseconds(milliseconds))
        running.signal(SIGKILL)
        _ = await running.result()

        let doctor = try await folder.binary.run(["doctor"] + folder.settings)

        #expect(doctor.status == 0, "\(doctor.output)")
        let counts = [2_700, 3_000].map { "ok    index of words: \($0) rows, as stored" }
        #expect(counts.contains { doctor.output.contains($0) }, "\(doctor.output)")
    }
}
