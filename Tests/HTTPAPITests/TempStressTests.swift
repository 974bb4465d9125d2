import Foundation
import HTTPAPI
import Testing
import Transport

struct TempStressTests {
    @Test func stress() async throws {
        for hang in [true, false] {
        var parts = ServerParts()
        parts.settings.shutdownGrace = .milliseconds(100)
        parts.answering = StubAnswering(Sample.events, ending: hang ? .hang : .finish)
        let r = try await withServer(parts) { server in
            await withTaskGroup(of: Int.self) { group in
                for i in 0..<600 {
                    group.addTask {
                        let t = Task { () -> Int in
                            let path = i % 2 == 0 ? "/v1/ask" : "/ragQuery"
                            let body = i % 2 == 0 ? #"{"question":"q"}"# : #"{"data":{"question":"q"}}"#
                            let h: [(name: String, value: String)] = i % 3 == 0 ? [("Accept", "text/event-stream")] : []
                            return (try? await server.send("POST", path, body, headers: h))?.status ?? 0
                        }
                        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<30000)))
                        t.cancel()
                        return await t.value
                    }
                }
                return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
        }
        print("STRESS", hang, r)
        }
    }
}
