import Assistant
import ChatCore
import Evaluation
import Foundation
import MessageStore

extension EvalCommand.Run {
    /// Extracts items of the labelled conversations in a data folder of its own, and compares them with the labels.
    func measureItems(_ kind: ExtractedItem.Kind, settings: NexusSettings) async throws {
        let source = URL(filePath: options.dataset)
        let dataset = try options.read()
        let labels = try ItemLabel.read(source, of: dataset).filter { $0.kind == kind }
        guard !labels.isEmpty else { throw EvaluationError.nothingToMeasure("labels of this kind") }
        let conversations = options.first(
            dataset.conversations.filter { given in labels.contains { $0.conversationID == given.id } })
        let items = try await MeasuredFolder.with(source, settings: settings) { workspace in
            try await extract(kind, of: conversations, in: workspace)
        }
        let asked = Set(conversations.map(\.id))
        let report = try ItemReport(
            items, labels: labels.filter { asked.contains($0.conversationID) }, kind: kind, dataset: dataset)
        try EvaluationText.write(report, to: json)
        Console.print("\(kind.rawValue): \(report.labelledCount) labelled, \(report.foundCount) found")
        Console.print(EvaluationText.lines(of: report.values))
    }

    private func extract(
        _ kind: ExtractedItem.Kind, of conversations: [EvaluationConversation], in workspace: Workspace
    ) async throws -> [ExtractedItem] {
        let progress = SharedProgress()
        defer { progress.close() }
        var items: [ExtractedItem] = []
        for (place, conversation) in conversations.enumerated() {
            guard let reader = conversation.participants.first?.id else { continue }
            var isComplete = false
            while !isComplete {
                isComplete = try await workspace.extractor.extract(
                    kind, in: conversation.id, asker: reader, timeZone: nil
                ).isComplete
            }
            let scope = SearchScope(asker: reader, conversations: .only([conversation.id]))
            items += try await workspace.store.items(of: kind, in: scope, at: Workspace.now())
            progress.show(StageProgress(stage: .asking, done: place + 1, total: conversations.count))
        }
        return items
    }
}
