import ChatCore
import Evaluation
import Foundation
import Histories
import Ingest
import Logging
import MessageStore

/// A dataset in a data folder of its own, imported and embedded once: later runs find it as it is.
struct EvaluationFolder {
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
        let space = settings.embedding.service.map { "\($0.provider)-\($0.model)" } ?? "builtin"
        settings.dataFolder = cache.appending(
            path: try dataset.cacheName(embedder: space), directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        workspace = try await Workspace.open(settings, logger: logger)
        do {
            try await fill(dataset, from: source, show: show)
        } catch {
            await workspace.close()
            throw error
        }
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
            let rosters = dataset.openRosters
            if !rosters.isEmpty {
                _ = try await store.store(rosters, source: "evaluation", mode: .importing, at: Workspace.now())
            }
            try Data().write(to: marker)
        }
        try await workspace.worker.drain { generation in
            let queue = try await store.status(of: generation.number)
            show(StageProgress(stage: .embedding, done: queue.embeddedCount, total: queue.embeddableCount))
        }
    }
}
