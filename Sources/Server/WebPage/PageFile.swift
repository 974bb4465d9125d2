import CArchive
import Crypto
package import Foundation

extension SHA256Digest {
    /// The first 8 bytes in hexadecimal.
    var shortText: String { prefix(8).map { String(format: "%02x", $0) }.joined() }
}

/// A file of the page.
package struct PageFile: Sendable {
    /// The media type, with the charset of texts.
    package let mediaType: String
    /// The bytes.
    package let content: Data
    /// The bytes compressed with gzip; nil if that does not make them fewer.
    package let compressed: Data?
    /// The entity tag of the content, with quotes.
    package let tag: String

    init(name: String, content: Data) {
        mediaType = Self.types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
        self.content = content
        let compressed = Self.gzip(content)
        self.compressed = compressed.flatMap { $0.count < content.count ? $0 : nil }
        tag = "\"\(SHA256.hash(data: content).shortText)\""
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
        "png": "image/png",
    ]

    /// Compresses bytes with gzip; nil if zlib has no memory.
    private static func gzip(_ content: Data) -> Data? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the header of gzip.
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = [UInt8](content)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : nil
            }
        }
        return count.map { Data(output[..<$0]) }
    }
}
