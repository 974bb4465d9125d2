import ChatCore
import Documents
import Foundation
import Glibc
import Testing

@Suite struct DocumentProcessTests {
    /// Runs a shell script instead of the program; it gets `read-file` and the path.
    private func read(_ script: String, timeLimit: Duration = .seconds(60)) async throws -> ReadDocument {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "program")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        chmod(program.path, 0o700)
        return try await DocumentProcess(program: program.path, timeLimit: timeLimit).read(
            folder.appending(path: "file"))
    }

    @Test func returnsWhatTheProgramPrints() async throws {
        let expected = ReadDocument(reading: FileReading(.read, unit: .page), content: "one\n\u{0C}two")
        let json = String(decoding: try JSONEncoder().encode(expected), as: UTF8.self)
        #expect(try await read("cat <<'END'\n\(json)\nEND") == expected)
    }

    @Test(arguments: ["kill -9 $$", "exit 3", "echo nonsense", "yes"])
    func whateverTheProgramDoesIsAStateOfTheFile(script: String) async throws {
        #expect(try await read(script).reading == FileReading(.failed, problem: .crashed))
    }

    @Test func theProgramSeesNothingOfThisProcess() async throws {
        setenv("NEXUS_TEST_SECRET", "secret", 1)
        let found = try await read("[ -z \"$NEXUS_TEST_SECRET\" ] && echo '{}'")
        #expect(found == ReadDocument(reading: nil))
    }

    /// What a program started may outlive it, and hold the output open.
    @Test(.timeLimit(.minutes(1))) func timeEndsAProgramWithWhatItStarted() async throws {
        let started = ContinuousClock.now
        let found = try await read("sleep 3600 & sleep 3600", timeLimit: .milliseconds(300))
        #expect(found.reading == FileReading(.failed, problem: .tookTooLong))
        #expect(ContinuousClock.now - started < .seconds(50))
    }

    @Test func longTextsAreCutAtAByteLimit() {
        let text = DocumentText(unit: .sheet, parts: [.init(label: "A", text: "äöü"), .init(label: "B", text: "x")])
        let whole = ReadDocument(text, byteLimit: 100)
        #expect(whole.content == "äöü\n\u{0C}x")
        #expect(whole.reading?.labels == ["A", "B"])
        let cut = ReadDocument(text, byteLimit: 5)
        #expect(cut.content == "äö")
        #expect(cut.reading?.isCut == true)
        #expect(cut.reading?.labels == ["A"])
        #expect(ReadDocument(DocumentText(parts: [.init(text: "- — …")]), byteLimit: 9).reading == FileReading(.noText))
    }
}
