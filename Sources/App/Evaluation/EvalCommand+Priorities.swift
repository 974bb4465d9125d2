import Assistant
import ChatCore
import Evaluation
import Foundation

extension EvalCommand.Run {
    /// Lets unread messages be judged as they were, and compares the scores with the labels.
    func measurePriorities(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = try PriorityCase.read(URL(filePath: options.dataset), of: dataset)
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
        EvaluationText.show([("pairwise accuracy", report.accuracy)])
    }

    /// Suggests replies to messages as they were, and compares them with the labels.
    func measureReplies(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = try ReplyCase.read(URL(filePath: options.dataset), of: dataset)
        guard !cases.isEmpty else { throw EvaluationError.nothingToMeasure("cases") }
        let said = try await MeasuredFolder.with(dataset.cut(cases.map(\.cut)), settings: settings) { workspace in
            try await each(cases, id: \.id) { labelled in
                let said = try await workspace.smartReplies.replies(for: labelled.userID, in: labelled.cut.id)
                return ReplyReport.Suggested(replies: said.replies, reason: said.reason?.rawValue)
            }
        }
        let limits = ReplyReport.Limits(count: SmartReplies.limit, length: SmartReplies.lengthLimit)
        let report = try ReplyReport(said, of: cases, limits: limits, dataset: dataset.name)
        try EvaluationText.write(report, to: json)
        Console.print(
            "replies: \(report.cases.count) cases, \(report.replyCount) suggested, \(report.toldCount) of a language")
        EvaluationText.show(report.values)
    }

    /// Measures case by case; what came of each, by its id.
    private func each<Case, Value>(
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
