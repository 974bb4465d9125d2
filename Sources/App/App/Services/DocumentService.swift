import ChatCore
import Documents
import Foundation
import Logging
import MessageStore
import ServiceLifecycle

/// Reads the words of documents that people sent, one after another, and stores them with their messages.
struct DocumentService: Service {
    /// A file whose reading was begun this often without an end has ended the server with it.
    private static let tryLimit = 3

    private let store: SQLStore
    private let process: DocumentProcess
    private let types: Set<MediaType>
    private let logger: Logger
    /// Signalled when messages may have arrived.
    private let arrival = WorkSignal()

    /// - Parameters:
    ///   - store: Contains the files.
    ///   - program: Reads them: this program.
    ///   - types: The types of files that are read.
    ///   - logger: Receives failures; never names or texts.
    init(store: SQLStore, program: String, types: Set<MediaType>, logger: Logger) {
        (self.store, self.types, self.logger) = (store, types, logger)
        process = DocumentProcess(program: program, readsPictures: types.contains(.png))
    }

    func run() async throws {
        let unreadable = unreadable
        await cancelWhenGracefulShutdown {
            await arrival.repeating(failed: log) {
                while let document = try await store.beginDocument(besides: unreadable) {
                    do {
                        try await read(document)
                    } catch {
                        // A stopping server is no fault of the file.
                        try? await withoutCancellation { try await store.releaseDocument(document.id) }
                        throw error
                    }
                }
                return nil
            }
        }
    }

    /// The types of files for which no reader is installed, or which are not to be read any more: they keep waiting.
    private var unreadable: Set<MediaType> {
        var missing = FileLimits.documentTypes.union(FileLimits.pictureTypes).subtracting(types)
        if types.contains(.pdf), !DocumentReader.has("pdftotext") {
            missing.insert(.pdf)
            logger.warning("PDF files are not read: install poppler-utils, and restart")
        }
        if types.contains(.png), !DocumentReader.has("tesseract") {
            missing.formUnion(FileLimits.pictureTypes)
            logger.warning("Pictures are not read: install tesseract-ocr, and restart")
        }
        return missing
    }

    /// Reads if the changes may contain messages with files; see ``ChangeFollower/Listener``.
    func follow(_ changes: [Change]?) {
        if changes?.contains(where: { $0.messageKey != nil }) ?? true { arrival.signal() }
    }

    private func log(_ error: any Error) {
        logger.warning("Documents are not read", metadata: ["error.type": "\(type(of: error))"])
    }

    private func read(_ document: WaitingDocument) async throws {
        let found =
            document.tries < Self.tryLimit
            ? try await contents(of: document.id) : ReadDocument(reading: FileReading(.failed, problem: .crashed))
        _ = try await store.endDocument(
            document.id, reading: found.reading, content: found.content, at: store.services.clock())
        if let problem = found.reading?.problem {
            logger.info(
                "A document could not be read",
                metadata: ["file.id": "\(document.id.rawValue)", "problem": "\(problem.rawValue)"])
        }
    }

    /// Copies a file to where another process can open it, and reads it there.
    private func contents(of id: FileID) async throws -> ReadDocument {
        guard let content = try await store.documentContent(of: id) else {
            // The message was deleted meanwhile, and the file with it; or its bytes are missing.
            return ReadDocument(reading: FileReading(.failed, problem: .damaged))
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "nexus-document-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "document")
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        try await copy(content, to: try FileHandle(forWritingTo: file))
        return try await process.read(file)
    }

    private func copy(_ content: FileContent, to handle: FileHandle) async throws {
        defer { try? handle.close() }
        var offset = 0
        while true {
            let bytes = try await content.bytes(from: offset, count: 1 << 20)
            guard !bytes.isEmpty else { return }
            try handle.write(contentsOf: Data(bytes))
            offset += bytes.count
        }
    }
}
