import ChatCore
import Foundation
import Ingest
import MessageStore
import Retrieval

extension Workspace {
    /// The share of a generation's messages that may still wait when an operator switches to it.
    private static let waitingShare = 0.01

    /// Returns reports on all generations that were not dropped.
    func generationReports() async throws -> [GenerationReport] {
        var reports: [GenerationReport] = []
        for generation in try await store.generations() where generation.state != .retired {
            reports.append(try await report(on: generation))
        }
        return reports
    }

    /// Returns a report on one generation.
    func report(on number: GenerationNumber) async throws -> GenerationReport {
        try await report(on: generation(number.rawValue))
    }

    private func report(on generation: EmbeddingGeneration) async throws -> GenerationReport {
        let usage = try await store.usage(on: now().day).first { $0.generation == generation.number }
        return GenerationReport(
            generation, queue: try await store.status(of: generation.number),
            failures: try await store.failures(of: generation.number), usage: usage?.total ?? EmbeddingUsage(),
            pricePerMillion: settings.embedding.pricePerMillion)
    }

    /// Returns the generation with a number that a person typed.
    func generation(_ number: Int64) async throws -> EmbeddingGeneration {
        guard let found = try await store.generations().first(where: { $0.number.rawValue == number }) else {
            throw OperatorFailure(message: "there is no generation \(number); see nexus generations list")
        }
        return found
    }

    /// Returns a line for each generation that was not dropped and that no search can use.
    func unusableGenerations() async throws -> [String] {
        try await store.generations().filter { $0.state != .retired && !$0.space.isUsable }.map(Self.unusable)
    }

    private static func unusable(_ generation: EmbeddingGeneration) -> String {
        let number = generation.number.rawValue
        return "generation \(number) has vectors of \(generation.space.dimensions) dimensions, at most "
            + "\(EmbeddingSpace.dimensionRange.upperBound) can be searched: searches use words alone; "
            + "check embedding.base-url and embedding.model, then run nexus ingest (a running server does the same), "
            + "which drops the generation and embeds the messages again; nexus generations drop \(number) only drops it"
    }

    /// Returns a generation that was not dropped and can be used.
    func presentGeneration(_ number: Int64) async throws -> EmbeddingGeneration {
        let found = try await generation(number)
        guard found.state != .retired else { throw OperatorFailure(message: "generation \(number) was dropped") }
        guard found.space.isUsable else { throw OperatorFailure(message: Self.unusable(found)) }
        return found
    }

    /// Switches to another generation; searches use the old one until the new one's index is ready.
    func switchGeneration(_ number: Int64, isForced: Bool, isServing: Bool) async throws -> OperatorOutcome {
        let next = try await presentGeneration(number)
        let queue = try await store.status(of: next.number)
        guard isForced || Double(queue.pendingCount) <= Self.waitingShare * Double(queue.embeddableCount) else {
            throw OperatorFailure(
                message: "\(queue.pendingCount) of \(queue.embeddableCount) messages still wait in generation "
                    + "\(number): searches would find fewer; --force switches anyway")
        }
        if isServing { try await index.prepare(next) }
        try await store.switchTo(next.number, at: now())
        if isServing { try await index.follow() }
        return .generations([try await report(on: next.number)])
    }

    /// Drops a generation that does not serve.
    func dropGeneration(_ number: Int64, isServing: Bool) async throws -> OperatorOutcome {
        let old = try await generation(number)
        // Searches in the old generation are repeated if another one serves by then.
        if isServing { try await index.follow() }
        let before = databaseByteCount
        try await store.drop(old.number, at: now())
        return .generationDropped(number: number, freedByteCount: max(0, before - databaseByteCount))
    }

    /// The size of the database file.
    private var databaseByteCount: Int {
        let file = settings.dataFolder.appending(path: "nexus.sqlite")
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
