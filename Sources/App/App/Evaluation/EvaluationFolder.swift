import ChatCore
import Crypto
import Evaluation
import Foundation
import Histories
import Ingest
import Logging
import MessageStore
import ModelClients
import SentenceEncoder
import UseCases

/// A dataset in its own data folder, imported and embedded once for all later runs.
struct EvaluationFolder {
    private static let marker = "complete"

    /// The parts over the folder; the caller closes them.
    let node: Node

    /// Opens the folder of a dataset, and fills it first when it is new.
    ///
    /// - Parameters:
    ///   - dataset: The dataset.
    ///   - source: The folder with its files.
    ///   - cache: The folder that holds the data folders of datasets.
    ///   - settings: The settings of the workspace; their data folder is not touched.
    ///   - logger: The logger of every part.
    ///   - show: Called with the progress.
    /// - Throws: Errors of the import, the embedder and the store.
    init(
        _ dataset: EvaluationDataset, at source: URL, cache: URL, settings: NexusSettings, logger: Logger,
        show: @escaping @Sendable (StageProgress) -> Void
    ) async throws {
        var settings = settings
        settings.dataFolder = cache.appending(
            path: try dataset.cacheName(embedder: settings.embedding.spaceName), directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        node = try await Node.open(settings, logger: logger)
        do {
            try await fill(dataset, from: source, show: show)
        } catch {
            await node.close()
            throw error
        }
    }

    private func fill(
        _ dataset: EvaluationDataset, from source: URL, show: @escaping @Sendable (StageProgress) -> Void
    ) async throws {
        let marker = node.workspace.settings.dataFolder.appending(path: Self.marker)
        let store = node.workspace.store
        try await store.releaseAllLeases()
        if !FileManager.default.fileExists(atPath: marker.path) {
            let history = HistoryImport(
                store: store, options: HistoryOptions(format: .jsonLines, source: "evaluation"), now: node.workspace.now
            )
            let files = ["conversations", "messages"].map { source.appending(path: "\($0).jsonl") }
            _ = try await history.run(files) { progress in
                show(StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount))
            } rejected: { item in
                throw OperatorFailure(message: item.line)
            }
            let rosters = dataset.openRosters
            if !rosters.isEmpty {
                _ = try await store.store(rosters, source: "evaluation", mode: .importing, at: node.workspace.now())
            }
            try Data().write(to: marker)
        }
        try await node.worker.drain { generation in
            let queue = try await store.status(of: generation.number)
            show(StageProgress(stage: .embedding, done: queue.embeddedCount, total: queue.embeddableCount))
        }
    }
}

extension NexusSettings.Embedding {
    /// A name that differs where vectors differ, for the folder of an embedded dataset.
    fileprivate var spaceName: String {
        let model = service.map { "\($0.provider)-\($0.model)" } ?? "builtin-\(builtInModel.name)"
        let cut = dimensions.map { "-\($0)" } ?? ""
        let words = [
            queryPrefix, passagePrefix, inputTypes?.query ?? "", inputTypes?.passage ?? "",
            outputType.map { $0.numbers == .float ? "" : $0.text } ?? "",
        ]
        guard words.contains(where: { !$0.isEmpty }) else { return model + cut }
        let digest = SHA256.hash(data: Data(words.joined(separator: "\u{0}").utf8))
        return "\(model)\(cut)-\(digest.prefix(4).map { String(format: "%02x", $0) }.joined())"
    }
}

/// A data folder for one measurement; it is filled with a dataset, and deleted afterwards.
enum MeasuredFolder {
    /// Imports a dataset into a temporary workspace, without embedding it.
    ///
    /// - Parameters:
    ///   - source: The folder with the dataset's files.
    ///   - settings: The settings of the workspace; their data folder is not touched.
    ///   - body: Measures something in the workspace.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``OperatorFailure`` when no language model is configured; errors of the import, the store and `body`.
    static func with<Value>(
        _ source: URL, settings: NexusSettings, _ body: (Node) async throws -> Value
    ) async throws -> Value {
        guard settings.chat != nil else {
            throw OperatorFailure(message: "no language model is configured: set chat.provider")
        }
        return try await TemporaryFolder.with { folder in
            var settings = settings
            settings.dataFolder = folder
            let node = try await Node.open(settings, logger: CommandLogging.logger(settings))
            do {
                try await fill(node, from: source)
                let value = try await body(node)
                await node.close()
                return value
            } catch {
                await node.close()
                throw error
            }
        }
    }

    /// Does the same for a dataset that is in no folder.
    static func with<Value>(
        _ dataset: EvaluationDataset, settings: NexusSettings, _ body: (Node) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { source in
            try dataset.write(to: source)
            return try await with(source, settings: settings, body)
        }
    }

    private static func fill(_ node: Node, from source: URL) async throws {
        let history = HistoryImport(
            store: node.workspace.store, options: HistoryOptions(format: .jsonLines, source: "evaluation"),
            now: node.workspace.now)
        _ = try await history.run(["conversations", "messages"].map { source.appending(path: "\($0).jsonl") }) { _ in
        } rejected: { item in
            throw OperatorFailure(message: item.line)
        }
    }
}
