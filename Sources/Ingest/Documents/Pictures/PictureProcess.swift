package import ChatCore
import Foundation

/// Makes small squares of pictures in a separate process, as ``DocumentProcess`` reads documents.
package struct PictureProcess: Sendable {
    /// The most bytes of a square: one of noise has 22 KiB.
    private static let squareByteLimit = 128 << 10

    private let process: SeparateProcess

    /// - Parameters:
    ///   - program: The path of this program, or of another one that prints the square of the picture named last.
    ///   - timeLimit: After this time the process is ended.
    package init(program: String, timeLimit: Duration = .seconds(20)) {
        process = SeparateProcess(
            program: program, timeLimit: timeLimit, printedByteLimit: Self.squareByteLimit)
    }

    /// Whether the program that draws pictures is installed.
    package static var isInstalled: Bool { DocumentReader.has(PictureSquare.program) }

    /// Returns a small square JPEG of the middle of a picture.
    ///
    /// - Parameter file: The bytes of a PNG or a JPEG.
    /// - Returns: The bytes of the JPEG.
    /// - Throws: ``PictureError``, `CancellationError`; errors of the disk.
    package func square(of file: [UInt8]) async throws -> [UInt8] {
        guard Self.isInstalled else { throw PictureError.notInstalled }
        let folder = FileManager.default.temporaryDirectory.appending(path: "nexus-picture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appending(path: "picture")
        guard
            FileManager.default.createFile(
                atPath: place.path, contents: Data(file), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        switch try await process.run(["read-file", "--square"], on: place) {
        case .ended(status: 0, let output) where MediaType(beginning: output) == .jpeg: return output
        case .ended(let status, _): throw PictureError(status: status) ?? .unreadable
        case .crashed, .tookTooLong: throw PictureError.unreadable
        }
    }
}

extension PictureError {
    /// The status with which the process ends.
    package var status: Int32 {
        switch self {
        case .unreadable: 3
        case .unknownFormat: 4
        case .tooLarge: 5
        case .notInstalled: 6
        }
    }

    fileprivate init?(status: Int32) {
        guard let error = Self.allCases.first(where: { $0.status == status }) else { return nil }
        self = error
    }
}
