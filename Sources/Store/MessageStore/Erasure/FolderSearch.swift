import Foundation
import Glibc

/// Searches every file below a folder for pieces of erased content.
struct FolderSearch {
    private static let pieceByteCount = 4 << 20

    let search: PieceSearch

    /// Returns the result of a search in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder; links are not followed.
    ///   - count: Returns the number of texts and vectors that these pieces belong to.
    ///   - progress: Called with the bytes that were read, and with all bytes.
    /// - Returns: The proof, without ``ErasureProof/indistinctCount``.
    /// - Throws: ``BackupError/io(operation:code:)`` for a file that cannot be read; the errors of `progress`.
    func run(
        in folder: URL, counting count: (Set<Int>) -> Int, progress: (_ done: Int, _ total: Int) async throws -> Void
    ) async throws -> ErasureProof {
        var proof = ErasureProof()
        let files = try Self.files(in: folder)
        let total = files.reduce(0) { $0 + $1.byteCount }
        for (name, _) in files {
            // A file that was deleted during the search holds nothing any more.
            guard let file = try OpenFile(folder.appending(path: name).path, keeping: search.longestByteCount) else {
                continue
            }
            var found: Set<Int> = []
            while let bytes = try file.next() {
                search.search(bytes) { found.insert($0) }
                try await progress(proof.byteCount + file.byteCount, total)
            }
            proof.fileCount += 1
            proof.byteCount += file.byteCount
            if !found.isEmpty { proof.remains.append(ErasureProof.Remains(file: name, count: count(found))) }
        }
        proof.remains.sort { $0.file < $1.file }
        return proof
    }

    private static func files(in folder: URL) throws(BackupError) -> [(name: String, byteCount: Int)] {
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else {
            throw .io(operation: "read folder", code: ENOENT)
        }
        var files: [(name: String, byteCount: Int)] = []
        while let name = walk.nextObject() as? String {
            let attributes = walk.fileAttributes
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            files.append((name, attributes?[.size] as? Int ?? 0))
        }
        return files
    }
}

/// A file that is read in overlapping pieces.
private final class OpenFile {
    private static let pieceByteCount = 4 << 20

    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
    private let overlap: Int
    private var filled = 0
    /// The number of bytes that were read.
    private(set) var byteCount = 0

    /// Opens a file; nil when there is none.
    ///
    /// - Parameters:
    ///   - path: The file; links are refused.
    ///   - length: Content up to this length lies completely within one of the pieces.
    /// - Throws: ``BackupError/io(operation:code:)``.
    init?(_ path: String, keeping length: Int) throws(BackupError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        overlap = max(0, length - 1)
        guard descriptor < 0 else { return }
        if errno == ENOENT { return nil }
        throw .io(operation: "open", code: errno)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
    }

    /// Returns the next bytes after the end of the previous ones, valid until the next call; nil at the end.
    func next() throws(BackupError) -> UnsafeRawBufferPointer? {
        let kept = min(filled, overlap)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[(filled - kept)..<filled]))
        var count = read(descriptor, buffer.baseAddress.map { $0 + kept }, buffer.count - kept)
        while count < 0, errno == EINTR {
            count = read(descriptor, buffer.baseAddress.map { $0 + kept }, buffer.count - kept)
        }
        guard count >= 0 else { throw .io(operation: "read", code: errno) }
        guard count > 0 else { return nil }
        byteCount += count
        filled = kept + count
        return UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    }
}

/// The result of a search for erased content in a data folder, and in the tables of PostgreSQL.
package struct ErasureProof: Hashable, Sendable, Codable {
    /// A file, or a column of PostgreSQL, that still holds erased content.
    package struct Remains: Hashable, Sendable, Codable {
        /// The file's path within the data folder; or the names of a table and a column, with a dot between them.
        package var file: String
        /// The number of erased texts and vectors in it.
        package var count: Int

        package init(file: String, count: Int) {
            self.file = file
            self.count = count
        }
    }

    /// Texts and vectors that were searched for; equal ones count once.
    package var searchedCount = 0
    /// Texts and vectors that were not searched for: too short, or also present in the remaining content.
    package var indistinctCount = 0
    /// Files that were read to their end.
    package var fileCount = 0
    /// Tables of PostgreSQL that were read to their end.
    package var tableCount = 0
    /// The bytes that were read.
    package var byteCount = 0
    /// The files and columns with erased content; empty when nothing was found.
    package var remains: [Remains] = []

    package init() {}
}
