import ArgumentParser
import ChatCore
import Documents
import Foundation

/// `nexus read-file`: what a server starts to read a document or a picture apart from its store and its keys.
struct ReadFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-file", abstract: "Prints the words of a document as JSON.", shouldDisplay: false)

    @Flag(help: "Pictures are read too.") var pictures = false
    @Flag(help: "Prints a small square JPEG of the picture instead.") var square = false
    @Argument(help: "The file.") var file: String

    func run() async throws {
        ProcessLimits.apply()
        if square { return try await printSquare() }
        let found = await DocumentReader.document(URL(filePath: file), readsPictures: pictures)
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(found))
    }

    private func printSquare() async throws {
        do {
            let bytes = try await PictureSquare.make(of: URL(filePath: file))
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch let error as PictureError {
            throw ExitCode(error.status)
        }
    }
}
