import ArgumentParser
import ChatCore
import Evaluation
import Foundation
import Retrieval
import Synchronization

extension EvalCommand {
    /// `nexus eval tune`.
    struct Tune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Searches for better weights, cross-validated by conversation.",
            discussion: """
                The objective is the mean of recall@5 and recall@10. The held-out figure was measured on conversations \
                that the weights were not tuned on; only this figure shows whether they are better.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: DatasetOptions
        @Option(name: .customLong("search"), help: "Search settings to begin with; they override the defaults.")
        var search: String?
        @Option(
            help: "A weight and its bounds, as fusion.window=0:2; may be repeated. The default is all of the fusion.")
        var weight: [String] = []
        @Option(help: "How many folds the cross-validation has.") var folds = 5
        @Option(help: "How many random points are tried first.") var random = 16
        @Option(help: "How often steps are halved.") var halvings = 3
        @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1
        @Option(help: "Write the settings that were found.", completion: .file()) var out: String?
        @Option(help: "Write the whole result as JSON.", completion: .file()) var json: String?

        func validate() throws {
            let numbers = [folds, random, halvings]
            guard numbers.allSatisfy({ (0...100_000).contains($0) }) else {
                throw ValidationError("--folds, --random and --halvings must be 0 to 100000")
            }
        }

        func run() async throws {
            try await Failures.reported {
                var settings = try await common.settings()
                if let search { settings.search = try Settings.search(URL(filePath: search)) }
                let weights = try TunableWeights(weight, of: settings.search)
                let dataset = try options.read()
                let result = try await options.withFolder(of: dataset, settings: settings) { folder in
                    try await tune(weights, on: dataset, in: folder, from: settings.search)
                }
                try write(result, weights: weights, base: settings.search)
            }
        }

        private func tune(
            _ weights: TunableWeights, on dataset: EvaluationDataset, in folder: EvaluationFolder,
            from base: RetrievalSettings
        ) async throws -> WeightTuner.Result {
            let node = folder.node
            let searcher = HybridSearcher(
                node.workspace, node.indexes, embedders: RememberingEmbedders(node.models.embedders))
            let measure = EvaluationRun(
                name: "tune", cutoffs: [5, 10], depth: 10, questionLimit: options.limit, keptRanks: 0,
                keepsTexts: false, concurrency: ProcessInfo.processInfo.activeProcessorCount)
            func report(_ point: [String: Double]) async throws -> RunReport {
                let settings = try weights.settings(point, over: base)
                return try await measure.measure(
                    dataset, with: SearchSystem(searcher: searcher.with(settings), scope: options.scope),
                    configuration: try settings.runConfiguration(options.scope)
                ).report
            }
            let tuner = WeightTuner(
                weights: weights.tuned, randomPoints: random, halvings: halvings, seed: seed)
            let counter = Mutex(0)
            return try await tuner.tune(groups: try await report([:]).objectiveGroups, folds: folds) { point in
                let objectives = try await report(point).objectives(["recall@5", "recall@10"])
                let count = counter.withLock { count in
                    count += 1
                    return count
                }
                let mean = objectives.reduce(0, +) / Double(max(objectives.count, 1))
                if count % 10 == 0 { Console.note("\(count) points, the last \(String(format: "%.4f", mean))") }
                return objectives
            }
        }

        private func write(
            _ result: WeightTuner.Result, weights: TunableWeights, base: RetrievalSettings
        ) throws {
            if let out {
                try weights.settings(result.weights, over: base).encoded().write(
                    to: URL(filePath: out), options: .atomic)
            }
            if let json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                try encoder.encode(result).write(to: URL(filePath: json), options: .atomic)
            }
            for (name, value) in result.weights.sorted(by: { $0.key < $1.key }) {
                Console.print("\(name) \(String(format: "%.3f", value))")
            }
            Console.print(
                String(
                    format: "before %.4f, tuned %.4f, held out %.4f (%d points)", result.initialObjective,
                    result.objective, result.heldOutObjective, result.pointCount))
        }
    }
}

/// The weights that are tuned, by their paths in the search settings.
struct TunableWeights {
    private static let usual = [
        "fusion.cosine=0:2", "fusion.window=0:2", "fusion.answer=0:1", "fusion.lexicalDate=0:4", "fusion.coverage=0:2",
        "fusion.speaker=0:1", "fusion.company=0:2", "fusion.question=-0.5:0", "fusion.time=0:1", "fusion.number=0:1",
    ]

    /// The weights with their bounds.
    let tuned: [TunedWeight]

    /// Reads weights as `fusion.window=0:2`.
    ///
    /// - Throws: `ValidationError` for a text of another form, ``RetrievalSettingsError`` for a path that does not lead
    ///   to a number.
    init(_ texts: [String], of settings: RetrievalSettings) throws {
        let present = try JSONDecoder().decode(JSONValue.self, from: settings.encoded())
        tuned = try (texts.isEmpty ? Self.usual : texts).map { text in
            let parts = text.split(separator: "=")
            let bounds = parts.last?.split(separator: ":").compactMap { Double($0) } ?? []
            guard parts.count == 2, bounds.count == 2, bounds[0] < bounds[1],
                (bounds[1] - bounds[0]).isFinite
            else {
                throw ValidationError("--weight must be PATH=LOW:HIGH, as fusion.window=0:2")
            }
            let path = String(parts[0])
            guard let value = Self.number(at: path, in: present) else {
                throw RetrievalSettingsError(path: path, reason: "is not a number in the settings")
            }
            return TunedWeight(name: path, initial: value, in: bounds[0]...bounds[1])
        }
    }

    /// Returns the settings with the weights of a point.
    func settings(_ point: [String: Double], over base: RetrievalSettings) throws -> RetrievalSettings {
        var settings = base
        for (path, value) in point {
            let nested = path.split(separator: ".").reversed().reduce(value as Any) { [String($1): $0] }
            settings = try RetrievalSettings(
                json: try JSONSerialization.data(withJSONObject: nested), over: settings)
        }
        return settings
    }

    /// Returns the number at a path; nil for anything else, flags included.
    private static func number(at path: String, in value: JSONValue) -> Double? {
        var place: JSONValue? = value
        for key in path.split(separator: ".") {
            guard case .object(let fields) = place else { return nil }
            place = fields[String(key)]
        }
        return place?.number
    }
}
