import Foundation
import Logging
import Synchronization
import Telemetry
import Testing

@Suite struct JSONLogTests {
    private func lines(_ body: (Logger) -> Void) -> [String] {
        let written = Mutex<[String]>([])
        withoutActuallyEscaping(body) { body in
            let box = Box()
            let provider = Logger.MetadataProvider { ["request.id": "r1", "who": "provider"] }
            var logger = Logger(label: "test") { _ in
                JSONLogHandler(
                    metadataProvider: provider, now: { Date(timeIntervalSince1970: 1_761_215_400.25) },
                    write: { box.add($0) })
            }
            logger.logLevel = .debug
            body(logger)
            written.withLock { $0 = box.all }
        }
        return written.withLock { $0 }
    }

    private final class Box: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }

    @Test func writesOneObjectALine() {
        let lines = lines { logger in
            var logger = logger
            logger[metadataKey: "who"] = "logger"
            logger.info("a \"b\"\nc", metadata: ["z": ["x", "y"], "a": ["k": "v"], "level": "mine"])
            logger.trace("not this")
        }

        #expect(
            lines == [
                #"{"time":"2025-10-23T10:30:00.250Z","level":"info","message":"a \"b\"\nc","a":{"k":"v"},"#
                    + #""metadata.level":"mine","request.id":"r1","who":"logger","z":["x","y"]}"# + "\n"
            ])
    }

    @Test func ofAnErrorOnlyTheTypeIsWritten() {
        struct Leak: Error { let text = "heliotrope" }

        let lines = lines { $0.warning("failed", error: Leak()) }

        #expect(lines.first?.contains(#""message":"failed","error.type":"Leak","request.id""#) == true)
        #expect(lines.first?.contains("heliotrope") == false)
    }
}
