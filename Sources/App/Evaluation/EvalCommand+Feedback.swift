import ArgumentParser
import Foundation

extension EvalCommand {
    /// `nexus eval from-feedback`.
    struct FromFeedback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a dataset of the answers that askers judged.",
            discussion: """
                A question whose answer was found good gets the messages that the answer cites as evidence. The others \
                go into unlabelled.jsonl: add their evidence and move the lines into questions.jsonl. The folder holds \
                questions and whole conversations, readable by its owner only; what is erased later stays in it.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "The folder to write; made if need be.", completion: .directory) var folder: String

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let path = URL(filePath: folder).absoluteURL.path
                guard case .feedbackWritten(let report) = try await session.perform(.writeFeedback(folder: path)) else {
                    throw Failures.unexpectedReply
                }
                if report.leftOutCount > 0 {
                    Console.note("\(report.leftOutCount) turns stand on what their askers cannot see now: left out")
                }
                Console.print(
                    "\(folder): \(report.questionCount) questions, \(report.unlabelledCount) to be labelled, "
                        + "\(report.conversationCount) conversations, \(report.messageCount) messages")
                if report.questionCount + report.unlabelledCount == 0 { throw ExitCode(1) }
            }
        }
    }
}
