import ChatCore
import Evaluation
import Foundation
import Histories
import Ingest
import Logging
import MessageStore
import TextAnalysis

/// A dataset in a data folder of its own, imported and embedded once: later runs find it as it is.
struct EvaluationFolder {
    /// Asks questions whose asker the dataset does not name.
    static let asker = UserID(rawValue: "evaluation")
    private static let marker = "complete"

    /// The folder's workspace; the caller closes it.
    let workspace: Workspace

    /// Opens the folder of a dataset, and fills it first when it is new.
    ///
    /// - Parameters:
    ///   - dataset: What is measured on.
    ///   - source: The folder with its files.
    ///   - cache: Where data folders of datasets lie.
    ///   - settings: What embeds and searches; its data folder is not touched.
    ///   - logger: Given to every part.
    ///   - show: Told how far it is.
    /// - Throws: What an import, the embedder or the store throws.
    init(
        _ dataset: EvaluationDataset, at source: URL, cache: URL, settings: NexusSettings, logger: Logger,
        show: @escaping @Sendable (StageProgress) -> Void
    ) async throws {
        var settings = settings
        settings.dataFolder = try await Self.folder(of: dataset, in: cache, settings: settings)
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        workspace = try await Workspace.open(settings, logger: logger)
        do {
            try await fill(dataset, from: source, show: show)
        } catch {
            await workspace.close()
            throw error
        }
    }

    /// Names the folder after what is in it: the dataset's content and the space of its vectors.
    private static func folder(
        of dataset: EvaluationDataset, in cache: URL, settings: NexusSettings
    ) async throws -> URL {
        let space = settings.embedding.service.map { "\($0.provider)-\($0.model)" } ?? "builtin"
        let safe = space.map { $0.isLetter || $0.isNumber || "-._".contains($0) ? $0 : "_" }
        let name = try "\(dataset.contentHash().prefix(16))-\(String(safe))-\(PassagePreparation.version)"
        return cache.appending(path: name, directoryHint: .isDirectory)
    }

    private func fill(
        _ dataset: EvaluationDataset, from source: URL, show: @escaping @Sendable (StageProgress) -> Void
    ) async throws {
        let marker = workspace.settings.dataFolder.appending(path: Self.marker)
        let store = workspace.store
        try await store.releaseAllLeases()
        if !FileManager.default.fileExists(atPath: marker.path) {
            let history = HistoryImport(
                store: store, options: HistoryOptions(format: .jsonLines, source: "evaluation"), now: Workspace.now)
            let files = ["conversations", "messages"].map { source.appending(path: "\($0).jsonl") }
            _ = try await history.run(files) { progress in
                show(StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount))
            } rejected: { item in
                throw OperatorFailure(message: item.line)
            }
            try await openToAll(dataset)
            try Data().write(to: marker)
        }
        try await workspace.worker.drain { generation in
            let queue = try await store.status(of: generation.number)
            show(StageProgress(stage: .embedding, done: queue.embeddedCount, total: queue.embeddableCount))
        }
    }

    /// Lets everybody read a dataset whose questions name no asker.
    private func openToAll(_ dataset: EvaluationDataset) async throws {
        guard dataset.questions.allSatisfy({ $0.askerID == nil }) else { return }
        let start = Timestamp(microseconds: 0)
        let rosters = dataset.conversations.map { given in
            ConversationRoster(
                conversation: Conversation(
                    id: given.id, visibility: .everyone, name: given.name, timeZone: given.timeZone,
                    createdAt: start, updatedAt: start),
                members: given.participants.map {
                    Member(userID: $0.id, displayName: $0.name, aliases: $0.aliases ?? [], joinedAt: start)
                }.sorted { $0.userID < $1.userID })
        }
        _ = try await workspace.store.store(rosters, source: "evaluation", mode: .importing, at: Workspace.now())
    }
}
