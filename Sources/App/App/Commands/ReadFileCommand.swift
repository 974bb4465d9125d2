import ArgumentParser
import Documents
import Foundation

/// `nexus read-file`: what a server starts to read a document apart from its store and its keys.
struct ReadFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-file", abstract: "Prints the words of a document as JSON.", shouldDisplay: false)

    @Flag(help: "Pictures are read too.") var pictures = false
    @Argument(help: "The file.") var file: String

    func run() async throws {
        ProcessLimits.apply()
        let found = await DocumentReader.document(URL(filePath: file), readsPictures: pictures)
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(found))
    }
}
