import HTTPTypes
import Hummingbird
import NIOCore
import WebPage
import WebServer

/// Replies in JSON that are sent in fewer bytes.
enum Compression {
    /// Shorter replies stay as they are: little is won, and those with tokens and passwords are among them.
    private static let leastByteCount = 1_024
    /// Three quarters of what the best level wins, in a third of its time.
    private static let level: Int32 = 3
    /// The most bytes that the comment in the head adds.
    private static let paddingByteCount = 64

    /// Compresses a reply that has all its bytes, if the client takes that.
    ///
    /// A comment of random length is added: what others write in a chat is beside what they may not read, and the exact
    /// length of the compressed whole would let somebody who sees the network guess at it (BREACH).
    static func compress(_ response: Response, to request: Request) async throws -> Response {
        guard let count = response.body.contentLength, count >= leastByteCount,
            response.headers[.contentEncoding] == nil, isJSON(response.headers[.contentType] ?? "")
        else { return response }
        var response = response
        response.headers[.vary] = "Accept-Encoding"
        guard isTaken(by: request) else { return response }
        let collector = BodyCollector()
        try await response.body.write(collector)
        let padding = String(repeating: ".", count: .random(in: 1...paddingByteCount))
        let bytes = Array(collector.buffer.readableBytesView)
        guard let compressed = Gzip.compressed(bytes, level: level, comment: padding) else {
            response.body = ResponseBody(byteBuffer: collector.buffer)
            return response
        }
        response.headers[.contentEncoding] = "gzip"
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: compressed))
        return response
    }

    private static func isJSON(_ type: String) -> Bool {
        type.hasPrefix("application/json") || type.hasPrefix("application/problem+json")
    }

    /// Whether a client takes gzip.
    static func isTaken(by request: Request) -> Bool {
        request.headers.values(of: "accept-encoding").contains { isNamed(in: $0) }
    }

    /// Whether a field `Accept-Encoding` names gzip, and not with the weight 0.
    private static func isNamed(in field: String) -> Bool {
        field.lowercased().split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " } }
            let isRefused = parts.dropFirst().contains { part in
                part.hasPrefix("q=0") && !part.contains { "123456789".contains($0) }
            }
            return parts.first == "gzip" && !isRefused
        }
    }
}

/// Collects the bytes of a body.
final class BodyCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
