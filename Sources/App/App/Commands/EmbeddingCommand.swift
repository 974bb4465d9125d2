import ArgumentParser
import ChatCore
import Foundation
import Ingest
import ModelClients
import Transport

/// `nexus embedding`.
struct EmbeddingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embedding", abstract: "Helps to choose and configure an embedding model.",
        subcommands: [Presets.self, Check.self])

    /// `nexus embedding presets`.
    struct Presets: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the models whose prefixes are known.",
            discussion: """
                Nexus puts the prefixes before questions and messages by the model's name. An input type is for hosted \
                versions that put the prefix before texts themselves: set embedding.input-type. Dimensions in brackets \
                are shorter vectors that the model was trained for: set embedding.dimensions. An output type makes \
                replies shorter: set embedding.output-type.
                """)

        func run() {
            for preset in EmbeddingPreset.all {
                Console.print(preset.models)
                Console.print("  dimensions  \(preset.dimensions)")
                if !preset.queryPrefix.isEmpty { Console.print("  questions   \(Self.quoted(preset.queryPrefix))") }
                if !preset.passagePrefix.isEmpty { Console.print("  messages    \(Self.quoted(preset.passagePrefix))") }
                if let type = preset.inputType { Console.print("  input type  \(type)") }
                if let types = preset.outputTypes { Console.print("  output type \(types)") }
            }
        }

        /// A text in quotes, on one line.
        static func quoted(_ text: String) -> String { "\"\(text.replacing("\n", with: "\\n"))\"" }
    }

    /// `nexus embedding check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Embeds known texts with the configured model, and says what is wrong.",
            discussion: """
                Checks whether answers stand out from other messages, whether other prefixes would do better, whether \
                the service reads passages to their end, and whether a batch gives the same vectors as single \
                requests. About 1,300 short texts are sent to a service. Ends with 1 if something is wrong.
                """)

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the result as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let transport = try CurlTransport()
                let outcome: Result<EmbeddingCheck, any Error>
                do {
                    outcome = .success(try await Self.check(settings, transport))
                } catch {
                    outcome = .failure(error)
                }
                await transport.shutdown()
                let check = try outcome.get()
                if json { try Console.printJSON(check) } else { Self.show(check) }
                if !check.faults.isEmpty { throw ExitCode(1) }
            }
        }

        private static func check(
            _ settings: NexusSettings, _ transport: CurlTransport
        ) async throws -> EmbeddingCheck {
            let embedders = try ConfiguredEmbedders(settings: settings, transport: transport)
            let limit = try await embedders.configured.passageLimit()
            return try await EmbeddingCheck(
                of: embedders.configured, variants: try embedders.variants(), passageTokenCount: limit.tokenCount,
                batchCount: settings.embedding.batchItemCount)
        }

        private static func show(_ check: EmbeddingCheck) {
            let space = check.space
            Console.print("model             \(space.name)")
            Console.print(
                "prefixes          \(Presets.quoted(space.queryPrefix)) and \(Presets.quoted(space.passagePrefix))")
            Console.print("unrelated texts   cosine \(number(check.scale.mean))")
            Console.print("answers           \(number(check.distance)) standard deviations above other messages")
            for pair in check.pairs {
                Console.print(
                    pair.relation.padding(toLength: 18, withPad: " ", startingAt: 0)
                        + "cosine \(number(pair.cosine)), read as \(number(pair.onReference))")
            }
            if check.faults.isEmpty { Console.print("nothing is wrong") }
            for fault in check.faults { Console.print("wrong: \(text(of: fault))") }
        }

        static func text(of fault: EmbeddingCheck.Fault) -> String {
            switch fault {
            case .collapsed:
                "answers are no nearer to their questions than other messages; this is no model for search, or its "
                    + "service pools it wrongly"
            case .betterPrefixes(let query, let passage, let distance):
                "answers stand out more (\(number(distance))) with other prefixes; set embedding.query-prefix to "
                    + "\(Presets.quoted(query)) and embedding.passage-prefix to \(Presets.quoted(passage))"
            case .cutsTexts(let tokenCount):
                "the end of a text of \(tokenCount) tokens does not count; set embedding.passage-tokens to "
                    + "\(max(32, tokenCount / 2)), or raise the limit of the service"
            case .otherOrder: "a batch returns the vectors of other texts; set embedding.batch-items to 1"
            case .dependsOnBatch:
                "a text has another vector in a batch than alone; set embedding.batch-items to 1, and tell its makers"
            }
        }

        private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
    }
}

extension ConfiguredEmbedders {
    /// The configured service with the prefixes of other models, for ``EmbeddingCheck``; none for the built-in encoder,
    /// and for services that are told what a text is for.
    fileprivate func variants() throws(ModelServiceError) -> [any Embedder] {
        let own = settings.embedding
        guard let service = own.service, own.inputTypes == nil else { return [] }
        var seen: [[String]] = [[own.queryPrefix, own.passagePrefix]]
        var variants: [any Embedder] = []
        let candidates = EmbeddingPreset.all.map { [$0.queryPrefix, $0.passagePrefix] }
        for candidate in [["", ""]] + candidates where !seen.contains(candidate) {
            seen.append(candidate)
            var embedding = own
            (embedding.queryPrefix, embedding.passagePrefix) = (candidate[0], candidate[1])
            variants.append(try makeEmbedder(service, embedding))
        }
        return variants
    }
}
