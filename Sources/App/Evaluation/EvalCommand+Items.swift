import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import Ingest
import MessageStore

extension EvalCommand.Run {
    /// What is measured.
    enum Task: String, CaseIterable, ExpressibleByArgument {
        /// What the search finds.
        case search
        /// What the language model takes out of conversations: `items.jsonl` holds what there is.
        case actionItems = "action-items"
        case decisions

        /// What it extracts.
        var kind: ExtractedItem.Kind? {
            switch self {
            case .search: nil
            case .actionItems: .actionItem
            case .decisions: .decision
            }
        }
    }

    /// Extracts items of the labelled conversations in a data folder of its own, which is deleted afterwards, and
    /// compares them with the labels.
    func measureItems(_ kind: ExtractedItem.Kind, settings: NexusSettings) async throws {
        let source = URL(filePath: options.dataset)
        let dataset = try options.read()
        let labels = try ItemLabel.read(source, of: dataset)
        var settings = settings
        settings.dataFolder = FileManager.default.temporaryDirectory
            .appending(path: "nexus-items-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: settings.dataFolder) }
        let workspace = try await Workspace.open(settings, logger: CommandLogging.logger(settings))
        let items: [ExtractedItem]
        do {
            items = try await extract(kind, from: source, labels: labels, in: workspace, dataset)
            await workspace.close()
        } catch {
            await workspace.close()
            throw error
        }
        let report = try ItemReport(items, labels: labels, kind: kind, dataset: dataset)
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            try encoder.encode(report).write(to: URL(filePath: json), options: .atomic)
        }
        Console.print("\(kind.rawValue): \(report.labelledCount) labelled, \(report.foundCount) found")
        for (name, value) in report.values { Console.print("\(name) \(String(format: "%.4f", value))") }
    }

    private func extract(
        _ kind: ExtractedItem.Kind, from source: URL, labels: [ItemLabel], in workspace: Workspace,
        _ dataset: EvaluationDataset
    ) async throws -> [ExtractedItem] {
        let history = HistoryImport(
            store: workspace.store, options: HistoryOptions(format: .jsonLines, source: "evaluation"),
            now: Workspace.now)
        _ = try await history.run(["conversations", "messages"].map { source.appending(path: "\($0).jsonl") }) { _ in
        } rejected: { item in
            throw OperatorFailure(message: item.line)
        }
        let progress = SharedProgress()
        defer { progress.close() }
        let labelled = dataset.conversations.filter { given in labels.contains { $0.conversationID == given.id } }
        var items: [ExtractedItem] = []
        for (place, conversation) in labelled.enumerated() {
            guard let reader = conversation.participants.first?.id else { continue }
            var isComplete = false
            while !isComplete {
                isComplete = try await workspace.extractor.extract(
                    kind, in: conversation.id, asker: reader, timeZone: nil
                ).isComplete
            }
            let scope = SearchScope(asker: reader, conversations: .only([conversation.id]))
            items += try await workspace.store.items(of: kind, in: scope, at: Workspace.now())
            progress.show(StageProgress(stage: .asking, done: place + 1, total: labelled.count))
        }
        return items
    }
}
