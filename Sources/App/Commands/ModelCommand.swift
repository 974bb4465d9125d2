import ArgumentParser
import Foundation
import SentenceEncoder

/// `nexus model`.
struct ModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "The built-in encoder's model.", subcommands: [Fetch.self, Vectors.self])

    /// `nexus model fetch`.
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetches the sentence model all-MiniLM-L6-v2 (91 MB) from its page on the public hub.",
            discussion: "Every file is checked against its SHA-256 before it is put into place.")

        @OptionGroup var common: CommonOptions
        @Option(help: "Take the files from this folder, or this one file, instead of the net.", completion: .file())
        var from: String?
        @Option(help: .hidden) var hub = ModelDownload.hub

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let folder = settings.encoderFolder
                if (try? ModelFiles.standard.verify(folder: folder)) != nil {
                    return Console.print("the model is in place: \(folder.path)")
                }
                if let from {
                    try ModelDownload.install(from: URL(filePath: from), to: folder)
                } else {
                    try await ModelDownload(hub: hub).run(to: folder) { Console.note($0) }
                }
                try ModelFiles.standard.verify(folder: folder)
                Console.print("the model is in place: \(folder.path)")
            }
        }
    }
}
