import Foundation
import SentenceEncoder
import Transport
import UseCases

/// Fetches the sentence model's files from its page on the public hub.
///
/// The hub answers large files with a redirect; no key is ever sent, so following one reveals nothing.
struct ModelDownload {
    /// The model's page.
    static let hub = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"
    private static let redirectLimit = 5

    let hub: String

    /// Fetches the missing files.
    ///
    /// - Parameters:
    ///   - folder: The folder for the files.
    ///   - note: Called with a line for each file.
    /// - Throws: ``OperatorFailure``, ``ModelFilesError``; a file that arrived complete and valid stays.
    func run(to folder: URL, note: (String) -> Void) async throws {
        let transport = try CurlTransport()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw OperatorFailure(message: "\(folder.path) cannot be made; see model.dir")
        }
        for file in ModelFiles.standard.files where !ModelFiles.standard.isInPlace(file, folder: folder) {
            note("fetching \(file.name) (\(file.byteCount / 1_000) kB)")
            let part = folder.appending(path: ".\(file.name).part")
            defer { try? FileManager.default.removeItem(at: part) }
            try await download(file, to: part, over: transport)
            try Self.naming("the hub's file") { try ModelFiles.standard.install(file: part, as: file, in: folder) }
        }
    }

    /// Adds the origin of the files to errors of their installation.
    private static func naming(_ origin: String, _ install: () throws -> Void) throws {
        do {
            try install()
        } catch let error as ModelFilesError {
            switch error {
            case .wrongSize(let file, let expected, let got):
                throw OperatorFailure(message: "\(origin) is not \(file): \(got) bytes, not \(expected)")
            case .wrongDigest(let file):
                throw OperatorFailure(message: "\(origin) is not \(file): it has other content than expected")
            case .missing(let file): throw OperatorFailure(message: "\(origin) lacks \(file)")
            case .unwritable: throw error
            }
        }
    }

    private func download(_ file: ModelFile, to part: URL, over transport: CurlTransport) async throws {
        var url = "\(hub)/\(file.name)"
        for _ in 0...Self.redirectLimit {
            let request = HTTPExchangeRequest(
                method: "GET", url: url,
                deadlines: HTTPDeadlines(connect: .seconds(20), idle: .seconds(60)),
                responseByteLimit: file.byteCount + 1)
            let response = try await transport.stream(request)
            switch response.status {
            case 200: return try await write(response, to: part)
            case 301, 302, 303, 307, 308: url = try target(of: response, from: url)
            default: throw OperatorFailure(message: "\(file.name): the hub answered \(response.status)")
            }
        }
        throw OperatorFailure(message: "\(file.name): the hub redirects too often")
    }

    private func target(of response: HTTPStreamedResponse, from url: String) throws -> String {
        guard let location = response.headers["Location"], let base = URL(string: url),
            let target = URL(string: location, relativeTo: base)?.absoluteURL,
            target.scheme == "https" || base.scheme == "http"
        else { throw OperatorFailure(message: "the hub redirects without an address") }
        return target.absoluteString
    }

    private func write(_ response: HTTPStreamedResponse, to part: URL) async throws {
        guard FileManager.default.createFile(atPath: part.path, contents: nil) else {
            throw OperatorFailure(message: "\(part.path) cannot be written")
        }
        let handle = try FileHandle(forWritingTo: part)
        defer { try? handle.close() }
        for try await chunk in response.body { try handle.write(contentsOf: chunk) }
        try handle.synchronize()
    }
}

extension ModelDownload {
    /// Takes the files from a folder, or one of them from a file.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - source: A folder that holds all files, or one of the files under any name.
    ///   - folder: The folder for the files.
    /// - Throws: ``ModelFilesError``, ``OperatorFailure``.
    static func install(_ files: ModelFiles, from source: URL, to folder: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder) else {
            throw OperatorFailure(message: "\(source.path): no such file or folder")
        }
        try naming(source.path) {
            if isFolder.boolValue {
                try files.install(from: source, to: folder)
            } else {
                try files.install(copyOf: source, to: folder)
            }
        }
    }
}
