import ArgumentParser
import Evaluation
import Foundation

extension EvalCommand {
    /// `nexus eval facts`.
    struct Facts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares the replaced messages that are found with labelled ones.",
            discussion: """
                Precision and recall of pairs of messages of which the later one replaces what the earlier one says, \
                by language and by kind: date, time, amount, place, person and decision. No model is used.
                """)

        @Option(help: "The file of labelled messages.", completion: .file()) var cases = "eval/facts/pairs.jsonl"
        @Option(help: "Which half to measure: dev or test.") var half = SupportCase.Half.dev
        @Option(help: "Write the report as JSON.", completion: .file()) var json: String?

        func run() async throws {
            try await Failures.reported {
                let cases = try ReplacementCase.read(URL(filePath: cases))
                let report = try ReplacementReport(cases, half: half)
                try EvaluationText.write(report, to: json)
                for line in report.lines { Console.print(line) }
            }
        }
    }
}
