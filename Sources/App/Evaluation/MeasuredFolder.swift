import Evaluation
import Foundation
import Histories
import MessageStore

/// A data folder for one measurement, filled with a dataset and deleted afterwards.
enum MeasuredFolder {
    /// Imports a dataset, and gives the workspace over it; nothing is embedded.
    ///
    /// - Parameters:
    ///   - source: The folder with the dataset's files.
    ///   - settings: What everything is made from; its data folder is not touched.
    ///   - body: What is measured.
    /// - Returns: What it returns.
    /// - Throws: ``OperatorFailure`` when there is no language model to measure; what an import, the store and the body
    ///   throw.
    static func with<Value>(
        _ source: URL, settings: NexusSettings, _ body: (Workspace) async throws -> Value
    ) async throws -> Value {
        guard settings.chat != nil else {
            throw OperatorFailure(message: "no language model is configured that could be measured: set chat.provider")
        }
        return try await TemporaryFolder.with { folder in
            var settings = settings
            settings.dataFolder = folder
            let workspace = try await Workspace.open(settings, logger: CommandLogging.logger(settings))
            do {
                try await fill(workspace, from: source)
                let value = try await body(workspace)
                await workspace.close()
                return value
            } catch {
                await workspace.close()
                throw error
            }
        }
    }

    /// Writes a dataset into a folder, and continues as above.
    static func with<Value>(
        _ dataset: EvaluationDataset, settings: NexusSettings, _ body: (Workspace) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { source in
            try dataset.write(to: source)
            return try await with(source, settings: settings, body)
        }
    }

    private static func fill(_ workspace: Workspace, from source: URL) async throws {
        let history = HistoryImport(
            store: workspace.store, options: HistoryOptions(format: .jsonLines, source: "evaluation"),
            now: Workspace.now)
        _ = try await history.run(["conversations", "messages"].map { source.appending(path: "\($0).jsonl") }) { _ in
        } rejected: { item in
            throw OperatorFailure(message: item.line)
        }
    }
}
