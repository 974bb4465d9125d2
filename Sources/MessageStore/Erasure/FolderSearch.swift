import Foundation
import Glibc

/// Reads every file below a folder in search of byte strings.
struct FolderSearch {
    private static let pieceByteCount = 4 << 20

    let search: ByteSearch

    /// Returns what was found in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder; links are not followed.
    ///   - count: How many texts and vectors the numbers of byte strings stand for.
    /// - Returns: The proof, without the count of what was not looked for.
    /// - Throws: ``BackupError/io(operation:code:)`` for a file that cannot be read.
    func run(in folder: URL, counting count: (Set<Int>) -> Int) throws(BackupError) -> ErasureProof {
        var proof = ErasureProof()
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else {
            throw .io(operation: "read folder", code: ENOENT)
        }
        while let name = walk.nextObject() as? String {
            guard walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            // A file that went while the folder was read holds nothing any longer.
            guard let (found, byteCount) = try found(in: folder.appending(path: name).path) else { continue }
            proof.fileCount += 1
            proof.byteCount += byteCount
            if !found.isEmpty { proof.remains.append(ErasureProof.Remains(file: name, count: count(found))) }
        }
        proof.remains.sort { $0.file < $1.file }
        return proof
    }

    private func found(in path: String) throws(BackupError) -> (indexes: Set<Int>, byteCount: Int)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .io(operation: "open", code: errno)
        }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: Self.pieceByteCount)
        var found: Set<Int> = []
        var kept = 0
        var byteCount = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(file, bytes.baseAddress.map { $0 + kept }, bytes.count - kept)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .io(operation: "read", code: errno) }
            guard count > 0 else { return (found, byteCount) }
            byteCount += count
            let filled = kept + count
            buffer.withUnsafeBytes { bytes in
                search.search(UnsafeRawBufferPointer(rebasing: bytes[..<filled])) { found.insert($0) }
            }
            // What may begin at the end of this piece.
            kept = min(filled, max(0, search.longestByteCount - 1))
            buffer.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(filled - kept)..<filled]))
            }
        }
    }
}
