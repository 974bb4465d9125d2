import ChatCore
import Ingest
import MessageStore
import TextAnalysis
import UseCases

/// Embeds everything again, with the same or another model.
struct Reembedding: Sendable {
    /// How many messages are read at a time for counting.
    private static let countPageSize = 4_096
    /// How long a command waits for a service without progress; the server keeps trying.
    private static let patience = Duration.seconds(30)

    let store: SQLStore
    let embedders: ConfiguredEmbedders
    let worker: IngestWorker
    let generations: EmbeddingGenerations

    /// Fills a new generation, shows its progress, and returns when it serves.
    func run(_ request: ReembedRequest, isServing: Bool, emit: Emit) async throws -> OperatorOutcome {
        let target = try embedders.target(request)
        if request.isDryRun { return .reembeddingEstimated(try await estimate(request, target)) }
        let plan = GenerationPlan(
            space: try await target.embedder.space(), baseURL: target.baseURL,
            requestsDimensions: target.requestsDimensions, since: request.since.map { Timestamp(microseconds: $0) },
            switchShare: request.switchShare, fillRate: request.rate)
        let generation = try await worker.reembed(plan)
        if isServing {
            try await watch(generation.number, emit: emit)
        } else {
            let pace = Pace(interval: .milliseconds(500))
            try await worker.drain { _ in
                try await pace.whenDue { _ = try await self.reportProgress(of: generation.number, emit: emit) }
            }
        }
        return .reembedded(try await reportProgress(of: generation.number, emit: emit))
    }

    /// Shows the progress of the server's worker with a generation until it serves.
    private func watch(_ number: GenerationNumber, emit: Emit) async throws {
        var (lastCount, lastChange) = (-1, ContinuousClock.now)
        while true {
            let start = ContinuousClock.now
            let report = try await reportProgress(of: number, emit: emit)
            switch report.state {
            case .serving, .standby: return
            case .retired:
                throw OperatorFailure(message: "generation \(number.rawValue) was dropped or replaced")
            case .filling: break
            }
            if report.queue.embeddedCount != lastCount { (lastCount, lastChange) = (report.queue.embeddedCount, start) }
            if let trouble = worker.serviceTrouble, start - lastChange > Self.patience {
                throw OperatorFailure(message: "\(ErrorText.line(for: trouble)); the server keeps trying")
            }
            // No message is left to embed, and not enough were embedded.
            if report.queue.pendingCount == 0, report.queue.embeddedCount == 0, report.queue.failedCount > 0 { return }
            // Counting a million messages takes a while; it must not take most of the server's time.
            try await Task.sleep(for: max(.milliseconds(250), (ContinuousClock.now - start) * 10))
        }
    }

    private func reportProgress(of number: GenerationNumber, emit: Emit) async throws -> GenerationReport {
        let report = try await generations.report(on: number)
        try await emit(
            .progress(
                StageProgress(
                    stage: .embedding, done: report.queue.embeddedCount, total: report.queue.embeddableCount,
                    cost: report.cost)))
        return report
    }

    /// Counts the messages that would be embedded, without writing anything.
    private func estimate(_ request: ReembedRequest, _ target: EmbeddingTarget) async throws -> ReembeddingEstimate {
        var estimate = ReembeddingEstimate(
            model: target.model, baseURL: target.baseURL, messageCount: 0, passageCount: 0, embeddedCount: 0,
            tokenCount: 0)
        let limit = try await target.embedder.passageLimit()
        let excluded = try await store.excludedConversations()
        let begun = try await store.generations().last {
            $0.state == .filling && $0.space.model == target.model && $0.baseURL == target.baseURL
        }
        let since = request.since.map { Timestamp(microseconds: $0) } ?? begun?.since
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.countPageSize)
            guard let end = page.last else { break }
            last = end.number
            for message in page where !excluded.contains(message.conversation) {
                guard let content = message.content, since.map({ content.timestamp >= $0 }) ?? true else { continue }
                estimate.add(content, limit: limit)
            }
        }
        if let begun { estimate.embeddedCount = try await store.status(of: begun.number).embeddedCount }
        return estimate
    }
}

extension ReembeddingEstimate {
    /// Adds a message as it would be embedded; one with nothing to embed adds nothing.
    fileprivate mutating func add(_ content: IndexedMessage.Content, limit: PassageLimit) {
        let pieces = PassagePreparation.pieces(
            senderName: content.senderName, searchableText: content.text, limit: limit)
        guard !pieces.isEmpty else { return }
        messageCount += 1
        passageCount += pieces.count
        tokenCount += pieces.reduce(0) { $0 + TokenEstimate.count($1.text) }
    }
}
