import AnswerSupport
import ArgumentParser
import ChatCore
import Evaluation
import Foundation
import Transport

extension SupportCase.Half: ExpressibleByArgument {}

extension EvalCommand {
    /// `nexus eval support`.
    struct Support: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares the check of answers with labelled sentences.",
            discussion: """
                Precision, recall and F1 of sentences that are not supported by their messages: the check with the \
                configured embedding model if it is built in, the check with words alone, and the plain cosine and \
                word overlap with the thresholds that are best on the development half. --fit fits the weights of the \
                check on that half and prints them.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The file of labelled sentences.", completion: .file()) var cases = "eval/support/pairs.jsonl"
        @Option(help: "Which half to measure: dev or test.") var half = SupportCase.Half.dev
        @Flag(help: "Fit the weights on the development half, and print them.") var fit = false
        @Option(help: "Write the report as JSON.", completion: .file()) var json: String?

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let cases = try SupportCase.read(URL(filePath: cases))
                let transport = try CurlTransport()
                let outcome: Result<[String], any Error>
                do {
                    outcome = .success(try await lines(cases, settings, transport))
                } catch {
                    outcome = .failure(error)
                }
                await transport.shutdown()
                for line in try outcome.get() { Console.print(line) }
            }
        }

        private func lines(
            _ cases: [SupportCase], _ settings: NexusSettings, _ transport: CurlTransport
        ) async throws -> [String] {
            let embedder = try ConfiguredEmbedders(settings: settings, transport: transport).configured
            let measure = SupportMeasure(encoder: embedder as? any TokenEncoder, embedder: embedder)
            guard !fit else {
                let (withTokens, withWords) = try await measure.fit(on: cases)
                return (withTokens.map { Self.lines("with tokens", $0) } ?? []) + Self.lines("with words", withWords)
            }
            let report = try await measure.report(on: cases, half: half)
            try EvaluationText.write(report, to: json)
            return report.lines
        }

        private static func lines(_ name: String, _ model: SupportModel) -> [String] {
            ["\(name): bias \(String(format: "%.2f", model.bias))"]
                + zip(SupportFeatures.names, model.weights).map { "  \($0) \(String(format: "%.2f", $1))" }
        }
    }
}
