import ArgumentParser
import ChatCore
import Evaluation
import Foundation
import Retrieval

/// `nexus eval`: measures the search on transcripts whose answers are known.
struct EvalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval", abstract: "Measures the search on transcripts with questions.",
        subcommands: [
            Run.self, Compare.self, Report.self, Answer.self, CompareAnswers.self, Adversarial.self, Judge.self,
            Support.self, Facts.self, Tune.self, Calibrate.self, Convert.self, FromFeedback.self,
        ])
}

extension EvalCommand {
    /// `nexus eval run`.
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Asks the questions of a dataset, and measures the messages found.",
            discussion: """
                Messages are embedded once for each dataset and embedder, and stay in the cache. Adversarial questions \
                are not part of the headline and have their own row. The command exits with 1 if a message was found \
                that the asker may not see. For the other tasks the configured language model works on the labelled \
                conversations, and its results are compared with the labels: action-items, decisions and deadlines \
                with items.jsonl, summaries with facts.jsonl, priorities with priorities.jsonl, replies with \
                replies.jsonl. With --judge the model also says which statements of its summaries follow from their \
                citations. Several --embedding are measured one after the other, and shown side by side.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: DatasetOptions
        @Option(name: .customLong("search"), help: "A JSON file of search settings; they override the defaults.")
        var search: String?
        @Option(help: "What to measure: search, or a task of the language model.")
        var task = EvalTask.search
        @Flag(help: "With --task summaries: let the configured language model judge the statements.") var judge = false
        @Option(
            help: """
                A model to measure with: the name of a built-in one, or settings without "embedding.", as \
                provider=compatible,base-url=http://127.0.0.1:8080/v1,model=bge-m3; may be repeated.
                """) var embedding: [EmbeddingOption] = []
        @Option(help: "The numbers k of the metrics.") var k = "5,10,20"
        @Option(help: "How many hits are measured, 1 to 50.") var depth = 50
        @Option(help: "The run's name.") var name: String?
        @Option(help: "Write the rankings of the answerable questions as a TREC run.", completion: .file()) var run:
            String?
        @Option(help: "Write the evidence of the same questions as TREC qrels.", completion: .file()) var qrels: String?
        @Option(help: "Write the whole report as JSON.", completion: .file()) var json: String?
        @Flag(help: "Leave texts and rankings out of the report; it can still be compared.") var brief = false

        func validate() throws {
            guard SearchRequest.limitRange.contains(depth) else { throw ValidationError("--depth must be 1 to 50") }
            guard !judge || task == .summaries else { throw ValidationError("--judge needs --task summaries") }
            guard cutoffs != nil else { throw ValidationError("--k must be numbers, as 5,10,20") }
            guard embedding.isEmpty || task == .search else { throw ValidationError("--embedding needs --task search") }
            guard embedding.count < 2 || run == nil && qrels == nil else {
                throw ValidationError("--run and --qrels take one --embedding")
            }
        }

        private var cutoffs: [Int]? {
            let parts = k.split(separator: ",").map { Int($0.trimmingCharacters(in: .whitespaces)) }
            let numbers = parts.compactMap { $0 }.filter { $0 >= 1 }
            return numbers.isEmpty || numbers.count != parts.count ? nil : numbers
        }

        func run() async throws {
            try await Failures.reported {
                if embedding.count > 1 { return try await compareEmbeddings() }
                let settings = try await common.settings(embedding.first?.settings ?? [:])
                switch task {
                case .search: try await measureSearch(settings: settings)
                case .actionItems: try await measureItems(.actionItem, settings: settings)
                case .decisions: try await measureItems(.decision, settings: settings)
                case .deadlines: try await measureItems(.deadline, settings: settings)
                case .summaries: try await measureSummaries(settings: settings)
                case .priorities: try await measurePriorities(settings: settings)
                case .replies: try await measureReplies(settings: settings)
                }
            }
        }

        private func measureSearch(settings: NexusSettings) async throws {
            let outcome = try await outcome(settings: settings, name: name)
            try write(outcome, to: json)
            Console.print(EvaluationText.summary(of: outcome.report))
            if outcome.report.leakCount > 0 { throw ExitCode(1) }
        }

        /// Asks the same questions with each model, and prints one row for each.
        private func compareEmbeddings() async throws {
            var reports: [RunReport] = []
            for choice in embedding {
                let outcome = try await outcome(
                    settings: try await common.settings(choice.settings), name: choice.label)
                try write(outcome, to: json.map { choice.path(beside: $0) })
                reports.append(outcome.report)
            }
            Console.print(EvaluationText.sideBySide(reports))
            if reports.contains(where: { $0.leakCount > 0 }) { throw ExitCode(1) }
        }

        private func outcome(settings: NexusSettings, name: String?) async throws -> EvaluationRun.Outcome {
            var settings = settings
            if let search { settings.search = try Settings.search(URL(filePath: search)) }
            let dataset = try options.read()
            return try await options.withFolder(of: dataset, settings: settings) { folder in
                try await measure(dataset, in: folder, settings: settings, name: name)
            }
        }

        private func measure(
            _ dataset: EvaluationDataset, in folder: EvaluationFolder, settings: NexusSettings, name: String?
        ) async throws -> EvaluationRun.Outcome {
            let progress = SharedProgress()
            defer { progress.close() }
            let total = min(options.limit ?? .max, dataset.questions.count)
            let system = SearchSystem(searcher: folder.node.searcher, scope: options.scope)
            let run = EvaluationRun(
                name: name ?? "\(dataset.name)-\(options.scope.rawValue)", cutoffs: cutoffs ?? [], depth: depth,
                questionLimit: options.limit, keepsTexts: !brief)
            return try await run.measure(
                dataset, with: system, configuration: try settings.search.runConfiguration(options.scope)
            ) { done in
                progress.show(StageProgress(stage: .asking, done: done, total: total))
            }
        }

        private func write(_ outcome: EvaluationRun.Outcome, to path: String?) throws {
            let report = brief ? outcome.report.withoutRankings : outcome.report
            try EvaluationText.write(report, to: path)
            if let run {
                try Data(outcome.rankings.text(tag: report.name).utf8)
                    .write(to: URL(filePath: run), options: .atomic)
            }
            if let qrels {
                try Data(outcome.qrels.text.utf8).write(to: URL(filePath: qrels), options: .atomic)
            }
        }
    }

    /// `nexus eval compare`.
    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares two reports question by question.",
            discussion: "Exits with 1 if a gate is missed: --gate recall@10=-0.01 allows a loss of one point.")

        @Argument(help: "The report to compare with.", completion: .file()) var first: String
        @Argument(help: "The report that is judged.", completion: .file()) var second: String
        @Option(help: "The least difference of a metric that passes; may be repeated.") var gate: [String] = []
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let gates = try gate.map { try MetricGate(text: $0) }
                let comparison = try RunComparison(
                    try RunReport(file: URL(filePath: first)), try RunReport(file: URL(filePath: second)),
                    gates: gates)
                Console.print(
                    json ? String(decoding: try comparison.json(), as: UTF8.self) : comparison.text)
                if !comparison.missedGates.isEmpty { throw ExitCode(1) }
            }
        }
    }
}
