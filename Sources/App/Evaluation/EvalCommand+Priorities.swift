import Assistant
import ChatCore
import Evaluation
import Foundation

extension EvalCommand.Run {
    /// Lets unread messages be judged as they were, and compares the scores with the labels.
    func measurePriorities(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = options.first(try PriorityCase.read(URL(filePath: options.dataset), of: dataset))
        guard !cases.isEmpty else { throw EvaluationError.nothingToMeasure("labelled messages") }
        let said = try await MeasuredFolder.with(dataset.cut(cases.map(\.cut)), settings: settings) { workspace in
            try await each(cases, id: \.id) { labelled in
                try await workspace.extractor.priorities(
                    in: labelled.cut.id, asker: labelled.readerID, from: .after(labelled.readID), timeZone: nil
                ).reduce(into: [:]) { $0[$1.message.key.messageID] = $1.score }
            }
        }
        let report = try PriorityReport(said, of: cases, dataset: dataset.name)
        try EvaluationText.write(report, to: json)
        Console.print(
            "priorities: \(report.labelledCount) labelled, \(report.scoredCount) scored, \(report.pairCount) pairs")
        Console.print(EvaluationText.lines(of: [("pairwise accuracy", report.accuracy)]))
    }

    /// Measures case by case; what came of each, by its id.
    func each<Case, Value>(
        _ cases: [Case], id: (Case) -> String, _ body: (Case) async throws -> Value
    ) async throws -> [String: Value] {
        let progress = SharedProgress()
        defer { progress.close() }
        var values: [String: Value] = [:]
        for labelled in cases {
            values[id(labelled)] = try await body(labelled)
            progress.show(StageProgress(stage: .asking, done: values.count, total: cases.count))
        }
        return values
    }
}
