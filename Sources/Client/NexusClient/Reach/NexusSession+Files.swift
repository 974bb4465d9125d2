public import Foundation
public import NexusModel

/// Files of messages.
extension NexusSession {
    /// How long the connection may be silent.
    private static let uploadTimeout = Duration.seconds(300)

    /// Uploads a file, which is then sent with a message: ``OutgoingDraft/attachments``.
    ///
    /// The file is read while it is sent.
    ///
    /// - Parameters:
    ///   - file: The file on this device.
    ///   - name: Its name for others; nil takes that of the file.
    ///   - mediaType: Its media type; the server looks at the bytes and does not trust it.
    ///   - progress: Gets the share that was sent, 0...1.
    /// - Returns: The file, as the server has it.
    /// - Throws: ``SessionError``; cancelling the task ends the upload.
    public func upload(
        _ file: URL, name: String? = nil, mediaType: String = "application/octet-stream",
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(SessionError) -> FileDetails {
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize else { throw .storage(.failed) }
        let request = ClientRequest(
            "POST", "/v1/files" + Self.query(["name": name ?? file.lastPathComponent]),
            headers: ["Content-Type": mediaType], timeout: Self.uploadTimeout)
        let response = try await response(to: request) { [transport] request in
            try await transport.upload(request, from: file) { progress(size == 0 ? 1 : Double($0) / Double(size)) }
        }
        return try Self.value(response.body)
    }

    /// Begins to read a file of a message.
    ///
    /// - Parameter file: The id of an attachment.
    /// - Returns: The file, whose bytes come as they are read.
    /// - Throws: ``SessionError``.
    public func download(_ file: String) async throws(SessionError) -> FileDownload {
        let stream = try await openStream(ClientRequest("GET", "/v1/files/\(Self.encoded(file))"))
        return FileDownload(
            mediaType: stream.headers["content-type"], byteCount: stream.headers["content-length"].flatMap { Int($0) },
            bytes: stream.body)
    }

    /// Reads a file of a message into a file of this device.
    ///
    /// - Parameters:
    ///   - file: The id of an attachment.
    ///   - place: Where it is written; nothing is there after a failure.
    ///   - progress: Gets the share that was read, 0...1, if the server says how large the file is.
    /// - Throws: ``SessionError``; cancelling the task ends the download.
    public func download(
        _ file: String, to place: URL, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(SessionError) {
        let download = try await download(file)
        do {
            try Data().write(to: place)
            let handle = try FileHandle(forWritingTo: place)
            defer { try? handle.close() }
            var count = 0
            for try await piece in download.bytes {
                try handle.write(contentsOf: piece)
                count += piece.count
                if let size = download.byteCount, size > 0 { progress(Double(count) / Double(size)) }
            }
            try Task.checkCancellation()
            if let size = download.byteCount, size != count { throw ClientTransportError.broken }
        } catch {
            try? FileManager.default.removeItem(at: place)
            let isElsewhere = error is ClientTransportError || error is CancellationError
            throw isElsewhere ? .unavailable : .storage(.failed)
        }
    }

    /// Deletes an uploaded file that no message has.
    public func deleteFile(_ id: String) async throws(SessionError) {
        try await change("DELETE", "/v1/files/\(Self.encoded(id))")
    }

    /// Returns how much the person's files take.
    public func fileUse() async throws(SessionError) -> FileUseDetails { try await fetch("GET", "/v1/files") }
}

/// A file that is being read.
public struct FileDownload: Sendable {
    /// The media type.
    public var mediaType: String?
    /// The size, if the server says it.
    public var byteCount: Int?
    /// The bytes in pieces, for one reader; leaving them ends the request.
    public var bytes: AsyncThrowingStream<Data, any Error>
}
