import Foundation
import Testing

/// Figures, printed: `NEXUS_SPEED_TESTS=1 swift test -c release --filter StartSpeedTests`.
///
/// A million messages with vectors of 384 components take about 5 GB in the temporary folder and some minutes to make.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["NEXUS_SPEED_TESTS"] == "1"))
struct StartSpeedTests {
    private func seconds(_ duration: Duration) -> String {
        String(format: "%.2f s", Double(duration.components.attoseconds) * 1e-18 + Double(duration.components.seconds))
    }

    /// From the start of the program to the first answer 200 of `/ready`.
    private func started(_ folder: FilledFolder) async throws -> (server: NexusServer, time: Duration) {
        let start = ContinuousClock.now
        let server = try await NexusServer(folder.binary, folder.settings)
        while try await server.send("GET", "/ready").status != 200 { try await Task.sleep(for: .milliseconds(5)) }
        return (server, ContinuousClock.now - start)
    }

    @Test func aMillionMessages() async throws {
        let folder = try await FilledFolder(1_000_000, conversationCount: 1_000, dimensions: 384)

        let first = try await started(folder)
        print("ready without a file: \(seconds(first.time))")
        while !folder.files.contains(where: { !$0.hasSuffix(".partial") }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        _ = await first.server.stop()

        for _ in 0..<5 {
            let next = try await started(folder)
            print("ready with a file: \(seconds(next.time))")
            let start = ContinuousClock.now
            let reply = try await next.server.send("POST", "/v1/search", ["query": "message 77"], user: "ada")
            print("its first search: \(seconds(ContinuousClock.now - start))")
            #expect(((reply.json["results"] as? [[String: Any]])?.first?["messageId"] as? String) == "m77")
            _ = await next.server.stop()
        }
    }
}
