import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import Logging
import MessageStore
import PostgresTestSupport
import Prompting
import Retrieval
import ServerTestSupport
import Synchronization
import Telemetry
import TestSupport
import Testing
import Tracing
import WebServer

/// No use of the API shows a word of a message to somebody who may not see it.
///
/// This holds for replies, streams, errors and prompts. No log line or status report shows one to anybody.
///
/// Every message holds its own canary. The model repeats its whole prompt, so that an answer gives away everything that
/// got there.
@Suite(.hangGuard) struct CanaryTests {
    private let lines = KeptLines()
    private let model = RepeatingModel()
    private let lister = ListingModel()

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func noCanaryIsHeardAbroad(seed: UInt64) async throws {
        let world = try await CanaryWorld(seed: seed, model: model, lister: lister, lines: lines)
        let heard = try await withServer(world.parts) { server in
            try await live(world, changing: server, asking: server)
        }
        try check(world, heard: heard)
    }

    /// What is changed at one node holds for every request at the other that begins later.
    @Test func theSameHoldsForTwoNodesOnPostgreSQL() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                let world = try await CanaryWorld(
                    seed: 5, model: model, lister: lister, lines: lines, stored: second)
                var other = world.parts
                (other.stored, other.idPrefix) = (first, "other-")
                let heard = try await withServer(world.parts) { [other] asking in
                    try await withServer(other) { changing in
                        try await live(world, changing: changing, asking: asking)
                    }
                }
                try check(world, heard: heard)
            }
        }
    }

    /// Lets people change things at one server and read at another; returns how many canaries were heard.
    private func live(
        _ world: CanaryWorld, changing: RunningServer, asking: RunningServer
    ) async throws -> Int {
        var world = world
        try await world.furnish(changing)
        for step in 0..<40 {
            try await world.change(changing)
            for _ in 0..<2 { try await world.ask(asking, step: step) }
            try await world.assist(asking, step: step)
            try await world.extract(asking, step: step)
            try await world.mention(asking, step: step)
            try await world.trespass(asking, step: step)
            if step.isMultiple(of: 2) { try await world.call(asking, step: step) }
        }
        #expect(world.heardByTools > 100)
        return world.heardCount
    }

    private func check(_ world: CanaryWorld, heard: Int) throws {
        // The canaries that may be heard were, so that silence elsewhere says something.
        #expect(heard > 400)
        #expect(model.prompts.count > 60)
        #expect(model.prompts.count { $0.hasPrefix("Below is a part") } > 8)
        #expect(lister.prompts.count > 10)
        #expect(lines.all.count > 200)
        for line in lines.all { #expect(Canary.all(in: line).isEmpty) }
        #expect(lines.allJSON.count == lines.all.count)
        #expect(lines.allJSON.contains { $0.contains(#""request.id":"id-"#) })
        for line in lines.allJSON { #expect(Canary.all(in: line).isEmpty) }
        let page = try PrometheusText(world.metrics.text())
        #expect((page.samples[#"nexus_ingest_messages_total{outcome="embedded"}"#] ?? 0) > 20)
        #expect((page.samples[#"nexus_mentions_total{outcome="answered"}"#] ?? 0) > 20)
        #expect((page.samples[#"nexus_request_failures_total{code="conversation_forbidden"}"#] ?? 0) > 20)
        #expect(Canary.all(in: world.metrics.text()).isEmpty)
    }
}

/// A word that stands in one message only, and says which.
struct Canary: Hashable {
    let conversation: ConversationID
    let number: Int

    var text: String { "hush\(conversation)x\(number)q" }

    // Kept, because a literal is compiled at each use.
    nonisolated(unsafe) private static let pattern = /sh(c[0-9])x([0-9]+)q/

    /// Finds all of them in a text.
    static func all(in text: String) -> Set<Canary> {
        // Behind each `u` of "hush": an expression that searches a long text by itself takes seconds.
        let parts = text.utf8.split(separator: UInt8(ascii: "u")).lazy.filter { $0.starts(with: "shc".utf8) }
        return Set(
            parts.compactMap { Substring($0).prefixMatch(of: pattern) }.compactMap { match in
                Int(match.2).map { Canary(conversation: ConversationID(rawValue: String(match.1)), number: $0) }
            })
    }
}

/// A language model that makes an action item of each message that it is shown, with the canary in it, and remembers
/// what it was told.
final class ListingModel: LanguageModel {
    let name = "listing"
    let contextTokenCount = 16_384
    private let kept = Mutex<[String]>([])

    var prompts: [String] { kept.withLock { $0 } }

    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let prompt = request.messages.map(\.content).joined(separator: "\n")
        kept.withLock { $0.append(prompt) }
        let items = prompt.matches(of: /\[(\d+)\] (?:\(earlier\) )?BEGIN.*\nFrom: .*\nDate: .*\nText: (.*)/).map {
            match in
            let word = Canary.all(in: String(match.2)).first?.text ?? "none"
            return #"{"message":\#(match.1),"task":"look after \#(word)","quote":"\#(word)"}"#
        }
        await deliver(.delta(#"{"items":[\#(items.joined(separator: ","))]}"#))
        await deliver(.finished(.stop, nil))
    }
}

/// Keeps each line that is logged at any level, metadata included, and the same as a server writes it as JSON.
final class KeptLines: Sendable {
    private let kept = Mutex<[String]>([])
    private let keptJSON = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }
    var allJSON: [String] { keptJSON.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in
            let present = Logger.MetadataProvider {
                ServiceContext.current?.requestID.map { ["request.id": "\($0)"] } ?? [:]
            }
            var json = JSONLogHandler(metadataProvider: present) { line in self.keptJSON.withLock { $0.append(line) } }
            json.logLevel = .trace
            return MultiplexLogHandler([Handler(lines: self), json])
        }
    }

    private struct Handler: LogHandler {
        let lines: KeptLines
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        init(lines: KeptLines) {
            self.lines = lines
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.message) \(event.metadata ?? [:]) \(metadata) \(event.error.map { "\($0)" } ?? "")"
            lines.kept.withLock { $0.append(line) }
        }
    }
}
