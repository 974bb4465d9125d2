public import Foundation
import NIOCore
import NIOHTTP1
public import NexusClient

extension NIOTransport {
    /// The bytes that are read from the disk at a time.
    private static let pieceByteCount = 64 * 1024

    /// See ``ClientTransport/upload(_:from:progress:)``.
    public func upload(
        _ request: ClientRequest, from file: URL, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ClientResponse {
        let content = try FileHandle(forReadingFrom: file)
        defer { try? content.close() }
        let size = try content.seekToEnd()
        try content.seek(toOffset: 0)
        var head = head(of: request, closes: true)
        head.headers.add(name: "Content-Length", value: "\(size)")
        return try await exchange(head, timeout: request.timeout) { channel in
            var count = 0
            while let piece = try content.read(upToCount: Self.pieceByteCount), !piece.isEmpty {
                try Task.checkCancellation()
                // Waits until the system has taken it.
                try await channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: piece)))).get()
                count += piece.count
                progress(count)
            }
        }
    }
}

extension String {
    /// Appends another value of a header field.
    mutating func append(field value: String) { self += isEmpty ? value : ", " + value }
}
