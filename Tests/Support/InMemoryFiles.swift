package import ChatCore
import Synchronization

/// Files that are kept in memory for the people who uploaded them; no message takes them.
package final class InMemoryFiles: FileRepository {
    private struct Kept {
        let file: StoredFile
        let ownerID: UserID
        let bytes: [UInt8]
        let moment: Timestamp
    }

    private let kept = Mutex<[FileID: Kept]>([:])

    package init() {}

    package func storeFile<Content: AsyncSequence & Sendable>(
        _ draft: FileDraft, content: Content, limits: FileLimits
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in content {
            guard piece.count <= limits.fileBytes - bytes.count else {
                throw FileError.tooLarge(limit: limits.fileBytes)
            }
            bytes += piece
        }
        var check = PlainTextCheck()
        check.take(bytes)
        let type = MediaType(beginning: bytes) ?? (check.isText && !bytes.isEmpty ? .text : .bytes)
        let file = StoredFile(
            id: draft.id, name: FileName.cleaned(draft.name), mediaType: type, byteCount: bytes.count,
            sha256: "sum-of-\(draft.id)")
        let new = Kept(file: file, ownerID: draft.ownerID, bytes: bytes, moment: draft.moment)
        try kept.withLock { kept in
            guard bytes.count <= limits.totalBytes - kept.values.reduce(0, { $0 + $1.bytes.count }) else {
                throw FileError.folderFull
            }
            let others = kept.values.filter { $0.ownerID == draft.ownerID }
            guard bytes.count <= limits.personBytes - others.reduce(0, { $0 + $1.bytes.count }) else {
                throw FileError.shareFull(limit: limits.personBytes)
            }
            guard
                limits.admits(
                    bytes.count, besides: others.count, of: others.reduce(0) { $0 + $1.bytes.count })
            else { throw FileError.tooManyUnattached(limits) }
            kept[draft.id] = new
        }
        return file
    }

    package func file(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> (
        file: StoredFile, content: FileContent
    ) {
        guard let found = kept.withLock({ $0[id] }), found.ownerID == asker else { throw FileError.noSuchFile(id) }
        return (
            found.file,
            FileContent { offset, count in
                Array(found.bytes.dropFirst(offset).prefix(count))
            }
        )
    }

    package func fileUse(of owner: UserID) async throws -> FileUse {
        let own = kept.withLock { $0.values.filter { $0.ownerID == owner } }
        return FileUse(count: own.count, byteCount: own.reduce(0) { $0 + $1.bytes.count })
    }

    package func largestFileUses(limit: Int) async throws -> [(owner: UserID, use: FileUse)] {
        var uses: [UserID: FileUse] = [:]
        for file in kept.withLock({ Array($0.values) }) {
            uses[file.ownerID, default: FileUse()].count += 1
            uses[file.ownerID, default: FileUse()].byteCount += file.bytes.count
        }
        return uses.sorted { ($1.value.byteCount, $0.key) < ($0.value.byteCount, $1.key) }.prefix(limit)
            .map { (owner: $0.key, use: $0.value) }
    }

    package func removeUnattachedFile(_ id: FileID, of owner: UserID) async throws {
        try kept.withLock { kept in
            guard kept[id]?.ownerID == owner else { throw FileError.noSuchFile(id) }
            kept[id] = nil
        }
    }

    package func removeUnattachedFiles(before moment: Timestamp) async throws -> Int {
        kept.withLock { kept in
            let old = kept.filter { $0.value.moment < moment }
            for id in old.keys { kept[id] = nil }
            return old.count
        }
    }
}
