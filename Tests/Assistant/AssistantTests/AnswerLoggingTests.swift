import Assistant
import ChatCore
import Logging
import Retrieval
import Synchronization
import TestSupport
import Testing

/// Keeps each line that is logged, metadata included.
private struct KeptLines: LogHandler {
    final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace

    init(_ lines: Lines) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.all.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}

@Suite("Logs of AnswerService")
struct AnswerLoggingTests {
    @Test("No log line at any level holds a word of question, message, name, answer or error text")
    func holdsNoText() async throws {
        let lines = KeptLines.Lines()
        let logger = Logger(label: "test") { _ in KeptLines(lines) }
        let searches = [
            FakeSearching(hits: [hit(1, "canary", sender: "canary")]), FakeSearching(hits: []),
            FakeSearching(failure: ModelServiceError.unreachable(reason: "canary")),
            FakeSearching(failure: RepositoryError.unavailable(reason: "canary")),
        ]
        let usage = TokenUsage(promptTokens: 3, completionTokens: 1)
        let replies: [FakeLanguageModel.Reply?] = [
            .text("canary [1]", usage: usage),
            .failure(after: [.delta("canary")], .rejected(status: 400, code: "canary")),
            nil,
        ]

        for (searching, reply) in searches.flatMap({ search in replies.map { (search, $0) } }) {
            let service = try makeService(
                searching, model: reply.map { FakeLanguageModel(replies: [$0]) },
                turns: RecordedTurns(failure: .conflict("canary")), logger: logger)
            _ = try? await service.events(ask("canary?"))
        }
        var followUp = ask("Why canary?")
        followUp.history = [Exchange(question: "canary?", answer: "canary")]
        for reply in ["Why was the canary moved?", "canary"] {
            let model = FakeLanguageModel(replies: [.text(reply)])
            _ = try? await makeService(searches[0], model: model, logger: logger).events(followUp)
        }
        let tiny = FakeLanguageModel(contextTokenCount: 10, replies: [.text("canary")])
        _ = try? await makeService(searches[0], model: tiny, logger: logger).events(ask("canary?"))

        let logged = lines.all.withLock { $0 }
        #expect(logged.filter { $0.contains("canary") } == [])
        for text in [
            "debug Answered [", "warning The search failed [", "warning The turn cannot be stored [",
            "warning The language model's service cut the prompt [",
            "warning The question does not fit the language model [",
            "warning A follow-up is searched for as it was asked [",
        ] {
            #expect(logged.contains { $0.hasPrefix(text) }, "\(text)")
        }
        let failed = try #require(logged.first { $0.contains("The search failed") })
        #expect(failed.contains("\"error.code\": unreachable") && failed.contains("\(turnID)"))
    }
}
