import Crypto
import Foundation

/// Compares a file with its pinned size and digest.
enum FileDigest {
    private static let chunkByteCount = 1 << 20

    /// Reads all of a file, unless its size tells already that it is wrong.
    static func check(_ url: URL, is file: ModelFile) throws(ModelFilesError) {
        guard let identity = FileIdentity(url: url) else { throw .missing(file: file.name) }
        guard identity.byteCount == file.byteCount else {
            throw .wrongSize(file: file.name, expected: file.byteCount, got: identity.byteCount)
        }
        guard let digest = sha256(of: url) else { throw .missing(file: file.name) }
        guard digest == file.sha256 else { throw .wrongDigest(file: file.name) }
    }

    /// Returns the digest in lower-case hexadecimal digits, nil when the file cannot be read to its end.
    private static func sha256(of url: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        var hash = SHA256()
        do {
            while let chunk = try handle.read(upToCount: chunkByteCount), !chunk.isEmpty { hash.update(data: chunk) }
        } catch { return nil }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
