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
        let compressed = Gzip.compressed([UInt8](content)).map { Data($0) }
        self.compressed = compressed.flatMap { $0.count < content.count ? $0 : nil }
        tag = "\"\(SHA256.hash(data: content).shortText)\""
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
        "png": "image/png",
    ]
}
