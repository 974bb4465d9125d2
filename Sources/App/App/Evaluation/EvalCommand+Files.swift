import ArgumentParser
import Evaluation
import Foundation

extension EvalCommand {
    /// `nexus eval convert`.
    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Converts the files of a public data set into a dataset.",
            discussion: "Formats: \(DatasetConverter.allCases.map(\.rawValue).joined(separator: ", ")).")

        @Argument(help: "The format of the files.", transform: Self.form) var form: DatasetConverter
        @Argument(help: "The files, as they were published.", completion: .file()) var files: [String]
        @Option(help: "The folder to write; created if it does not exist.", completion: .directory) var out: String

        @Sendable private static func form(_ name: String) throws -> DatasetConverter {
            guard let form = DatasetConverter(rawValue: name) else {
                throw ValidationError(
                    "formats are \(DatasetConverter.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return form
        }

        func run() throws {
            try Failures.reportedHere {
                let converted = try form.convert(files.map { URL(filePath: $0) })
                try converted.dataset.write(to: URL(filePath: out, directoryHint: .isDirectory))
                for note in converted.notes { Console.note(note) }
                Console.print(
                    "\(out): \(converted.dataset.conversations.count) conversations, "
                        + "\(converted.dataset.messages.count) messages, \(converted.dataset.questions.count) questions"
                )
            }
        }
    }

    /// `nexus eval report`.
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes reports as one HTML page: charts, and the questions that missed evidence.")

        @Argument(help: "Reports of nexus eval run --json.", completion: .file()) var runs: [String]
        @Option(help: "The page to write.", completion: .file()) var out = "report.html"

        func run() throws {
            try Failures.reportedHere {
                let reports = try runs.map { try RunReport(file: URL(filePath: $0)) }
                try Data(HTMLReport(runs: reports).page.utf8).write(to: URL(filePath: out), options: .atomic)
                Console.print(out)
            }
        }
    }

    /// `nexus eval compare-answers`.
    struct CompareAnswers: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares two reports of answers, and writes them side by side.",
            discussion: "The page shows what changed for each question, and why; the greatest losses come first.")

        @Argument(help: "The report of nexus eval answer --json to compare with.", completion: .file()) var first:
            String
        @Argument(help: "The other report.", completion: .file()) var second: String
        @Option(help: "The page to write.", completion: .file()) var out: String?

        func run() throws {
            try Failures.reportedHere {
                let comparison = try AnswerComparison(
                    EvaluationText.read(URL(filePath: first)), EvaluationText.read(URL(filePath: second)),
                    names: (first, second))
                Console.print(comparison.text)
                guard let out else { return }
                try Data(AnswerComparisonPage(comparison).page.utf8).write(to: URL(filePath: out), options: .atomic)
                Console.print(out)
            }
        }
    }

    /// `nexus eval calibrate`.
    struct Calibrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds the confidence below which there is likely no answer.",
            discussion: """
                The report needs answerable and unanswerable (or adversarial) questions. Write the threshold to the \
                search settings, under "thresholds" and "vectors", or "lexical" for searches by words: \
                {"thresholds": {"vectors": 0.4}}.
                """)

        @Argument(help: "A report of nexus eval run --json.", completion: .file()) var report: String

        func run() throws {
            try Failures.reportedHere {
                try Console.printJSON(ThresholdCalibration(try RunReport(file: URL(filePath: report))))
            }
        }
    }
}

extension EvalCommand {
    /// `nexus eval from-feedback`.
    struct FromFeedback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a dataset from the answers that askers rated.",
            discussion: """
                For a question with a good answer, the cited messages are the evidence. The other questions go to \
                unlabelled.jsonl: add their evidence, and move the lines to questions.jsonl. The folder holds \
                questions and whole conversations, readable by its owner only. Data that is erased later stays in it.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "The folder to write; created if it does not exist.", completion: .directory) var folder: String

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let path = URL(filePath: folder).absoluteURL.path
                guard case .feedbackWritten(let report) = try await session.perform(.writeFeedback(folder: path)) else {
                    throw Failures.unexpectedReply
                }
                if report.leftOutCount > 0 {
                    Console.note("\(report.leftOutCount) turns were left out: their askers cannot see the sources now")
                }
                Console.print(
                    "\(folder): \(report.questionCount) questions, \(report.unlabelledCount) to be labelled, "
                        + "\(report.conversationCount) conversations, \(report.messageCount) messages")
                if report.questionCount + report.unlabelledCount == 0 { throw ExitCode(1) }
            }
        }
    }
}
