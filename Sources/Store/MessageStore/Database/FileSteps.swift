import Crypto
package import Foundation
import Glibc

/// File operations that survive a crash.
package enum FileSteps {
    private static let pieceByteCount = 1 << 20

    /// Creates an empty file that only the owner may read.
    package static func create(_ path: String) throws(BackupError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .io(operation: "create", code: errno) }
        close(file)
    }

    /// Waits until a file or a folder is on the disk.
    package static func synchronise(_ path: String) throws(BackupError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .io(operation: "open", code: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .io(operation: "fsync", code: errno) }
    }

    /// Renames a file or a folder, and waits until that is on the disk.
    package static func move(_ path: String, to target: String) throws(BackupError) {
        guard rename(path, target) == 0 else { throw .io(operation: "rename", code: errno) }
        try synchronise(URL(filePath: target).deletingLastPathComponent().path)
    }

    /// Deletes a file; a missing file is no error.
    package static func remove(_ path: String) throws(BackupError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .io(operation: "unlink", code: errno) }
    }

    /// Writes a small new file.
    package static func write(_ data: Data, to path: String) throws(BackupError) {
        try create(path)
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw .io(operation: "open", code: errno) }
        defer { close(file) }
        try write(data, to: file)
        guard fsync(file) == 0 else { throw .io(operation: "fsync", code: errno) }
    }

    /// Reads a file from end to end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - body: Called with each piece.
    /// - Returns: The number of bytes, and their SHA-256 in hexadecimal digits.
    /// - Throws: ``BackupError/io(operation:code:)``, and the errors of `body`.
    @discardableResult
    package static func digest(
        of path: String, body: (Data) throws(BackupError) -> Void = { _ in }
    ) throws(BackupError) -> (byteCount: Int, sha256: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .io(operation: "open", code: errno) }
        defer { close(file) }
        var hash = SHA256()
        var byteCount = 0
        var buffer = [UInt8](repeating: 0, count: pieceByteCount)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .io(operation: "read", code: errno) }
            guard count > 0 else { break }
            let piece = Data(buffer[..<count])
            hash.update(data: piece)
            try body(piece)
            byteCount += count
        }
        return (byteCount, hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// Copies a file to a new file, and waits until it is on the disk; returns the result of `digest`.
    package static func copy(_ path: String, to target: String) throws(BackupError) -> (byteCount: Int, sha256: String)
    {
        try create(target)
        let file = open(target, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw .io(operation: "open", code: errno) }
        defer { close(file) }
        let digest = try digest(of: path) { (piece) throws(BackupError) in try write(piece, to: file) }
        guard fsync(file) == 0 else { throw .io(operation: "fsync", code: errno) }
        return digest
    }

    private static func write(_ data: Data, to file: Int32) throws(BackupError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .io(operation: "write", code: count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }
}
