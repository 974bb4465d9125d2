import Foundation
import TestSupport
import Testing

@Suite struct ModelFetchTests {
    /// The model as the tests' own set-up has put it.
    private static var cached: URL {
        let environment = ProcessInfo.processInfo.environment
        let root = environment["NEXUS_MODEL_DIR"] ?? "\(environment["HOME"] ?? "")/.cache/nexus/models"
        return URL(filePath: root).appending(path: "all-MiniLM-L6-v2")
    }

    private func environment(_ binary: NexusBinary) -> [String: String] {
        ["NEXUS_MODEL_DIR": binary.folder.appending(path: "models").path]
    }

    private func fetched(_ binary: NexusBinary, _ name: String) -> URL {
        binary.folder.appending(path: "models/all-MiniLM-L6-v2/\(name)")
    }

    /// A hub that sends every file through a redirect, as the real one does with large files.
    private func hub(_ body: @escaping @Sendable (String) -> Data) throws -> StubServer {
        try StubServer { request in
            let name = request.target.split(separator: "/").last.map(String.init) ?? ""
            if request.target.hasPrefix("/page/") {
                return StubResponse(status: 302, headers: [("Location", "/store/\(name)")])
            }
            return StubResponse(body: body(name))
        }
    }

    @Test func takesTheFilesFromTheHubThroughRedirects() async throws {
        let binary = try NexusBinary()
        let cached = Self.cached
        let stub = try hub { (try? Data(contentsOf: cached.appending(path: $0))) ?? Data() }

        let result = try await binary.run(
            ["model", "fetch", "--hub", "\(stub.baseURL)/page"], environment: environment(binary))

        #expect(result.status == 0, "\(result.errors)")
        let again = try await binary.run(["model", "fetch"], environment: environment(binary))
        #expect(again.status == 0, "\(again.errors)")
        #expect(stub.requests.count == 6)
        #expect(stub.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func aWrongOrPartialFileIsRefusedAndLeavesNothing() async throws {
        let binary = try NexusBinary()
        let stub = try hub { _ in Data("<html>sorry</html>".utf8) }

        let result = try await binary.run(
            ["model", "fetch", "--hub", "\(stub.baseURL)/page"], environment: environment(binary))

        #expect(result.status == 2)
        #expect(result.errors.contains("not "), "\(result.errors)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: binary.folder.appending(path: "models/all-MiniLM-L6-v2").path)
        #expect(left.isEmpty, "\(left)")
    }

    @Test func takesTheFilesFromAFolderOrOneByOne() async throws {
        let one = try NexusBinary()
        for name in ["config.json", "vocab.txt", "model.safetensors"] {
            let copy = one.folder.appending(path: "download-of-\(name.count)")
            try FileManager.default.copyItem(at: Self.cached.appending(path: name), to: copy)
            let result = try await one.run(
                ["model", "fetch", "--from", copy.path], environment: environment(one))
            #expect(FileManager.default.fileExists(atPath: fetched(one, name).path), "\(result.errors)")
        }
        #expect(try await one.run(["model", "fetch"], environment: environment(one)).status == 0)

        let all = try NexusBinary()
        let result = try await all.run(["model", "fetch", "--from", Self.cached.path], environment: environment(all))
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func theMultilingualModelIsTakenFromAFile() async throws {
        let binary = try NexusBinary()
        try binary.write("wrong.bin", "E5S1")

        let none = try await binary.run(
            ["model", "fetch", "--model", "multilingual-e5-small"], environment: environment(binary))
        let wrong = try await binary.run(
            ["model", "fetch", "--set", "embedding.model=multilingual-e5-small", "--from", "wrong.bin"],
            environment: environment(binary))

        #expect(none.status == 2)
        #expect(none.errors.contains("scripts/fetch-model"), "\(none.errors)")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("wrong.bin"), "\(wrong.errors)")
    }

    @Test func aHubThatIsNotThereIsSaid() async throws {
        let binary = try NexusBinary()

        let result = try await binary.run(
            ["model", "fetch", "--hub", "http://127.0.0.1:1/page"], environment: environment(binary))

        #expect(result.status == 2)
        #expect(result.errors.contains("cannot connect"), "\(result.errors)")
    }
}
