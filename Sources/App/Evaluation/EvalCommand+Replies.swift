import Assistant
import ChatCore
import Evaluation
import Foundation

extension EvalCommand.Run {
    /// Suggests replies to messages as they were, and compares them with the labels.
    func measureReplies(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = options.first(try ReplyCase.read(URL(filePath: options.dataset), of: dataset))
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
        Console.print(EvaluationText.lines(of: report.values))
    }
}
