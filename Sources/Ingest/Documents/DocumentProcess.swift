package import ChatCore
package import Foundation

/// What was found in a file.
package struct ReadDocument: Hashable, Sendable, Codable {
    /// The state of the file.
    package var reading: FileReading?
    /// Its words; a form feed ends each part but the last one.
    package var content: String?

    package init(reading: FileReading?, content: String? = nil) {
        self.reading = reading
        self.content = content
    }
}

/// Reads documents in a separate process, with limits of time, memory and output.
///
/// A document comes from a stranger, and readers of documents have faults. So nothing of it is read in the process that
/// has the store and the keys; a process that takes too long is ended with those that it started.
package struct DocumentProcess: Sendable {
    /// The most bytes of words that are kept.
    package static let textByteLimit = FileLimits.searchedBytes
    /// The most bytes that the process may print: words, each as up to six bytes of JSON, and names of parts.
    private static let printedByteLimit = 8 << 20

    private let process: SeparateProcess
    private let readsPictures: Bool

    /// - Parameters:
    ///   - program: The path of a program that reads the file named last and prints a ``ReadDocument`` as JSON.
    ///   - readsPictures: Whether pictures are read, and pages that are pictures.
    ///   - timeLimit: After this time the process is ended.
    package init(program: String, readsPictures: Bool = false, timeLimit: Duration = .seconds(60)) {
        process = SeparateProcess(program: program, timeLimit: timeLimit, printedByteLimit: Self.printedByteLimit)
        self.readsPictures = readsPictures
    }

    /// Reads a file.
    ///
    /// - Throws: `CancellationError`. Whatever happens to the process is a state of the file.
    package func read(_ file: URL) async throws -> ReadDocument {
        switch try await process.run(["read-file"] + (readsPictures ? ["--pictures"] : []), on: file) {
        case .tookTooLong: return ReadDocument(reading: FileReading(.failed, problem: .tookTooLong))
        case .ended(status: 0, let output):
            let found = try? JSONDecoder().decode(ReadDocument.self, from: Data(output))
            return found ?? Self.crashed
        case .ended, .crashed: return Self.crashed
        }
    }

    private static let crashed = ReadDocument(reading: FileReading(.failed, problem: .crashed))
}

extension DocumentReader {
    /// Reads a file and says how it went.
    package static func document(_ file: URL, readsPictures: Bool = false) async -> ReadDocument {
        do {
            let document = try await text(of: file, readsPictures: readsPictures)
            return ReadDocument(document, byteLimit: DocumentProcess.textByteLimit)
        } catch DocumentError.protected {
            return ReadDocument(reading: FileReading(.protected))
        } catch DocumentError.tooLarge {
            return ReadDocument(reading: FileReading(.tooLarge))
        } catch DocumentError.unknownFormat {
            return ReadDocument(reading: nil)
        } catch {
            return ReadDocument(reading: FileReading(.failed, problem: .damaged))
        }
    }
}

extension ReadDocument {
    /// Keeps the words of a document up to a number of bytes.
    package init(_ document: DocumentText, byteLimit: Int) {
        guard !document.isEmpty else {
            self.init(reading: FileReading(.noText))
            return
        }
        var content = document.parts.map(\.text).joined(separator: "\n\u{0C}")
        var reading = FileReading(.read, unit: document.unit)
        if document.isRecognized { reading.isRecognized = true }
        if document.isCut { reading.isCut = true }
        if document.parts.contains(where: { $0.label != nil }) {
            reading.labels = document.parts.map { $0.label ?? "" }
        }
        if content.utf8.count > byteLimit {
            content = String(content.prefix(utf8Count: byteLimit))
            reading.isCut = true
            reading.labels = reading.labels.map { Array($0.prefix(content.count { $0 == "\u{0C}" } + 1)) }
        }
        self.init(reading: reading, content: content)
    }
}
