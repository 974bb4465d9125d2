import ChatCore
import Glibc
import MessageStore
import Synchronization

/// Bytes of files in a folder; they are deleted after the transaction that removed their rows.
struct FolderFileBytes: FileBytes {
    let folder: FileFolder
    let engine: any StoreEngine

    var checksShares: Bool { false }

    func begin(_ draft: FileDraft, _ limits: FileLimits) async throws -> any ArrivingFile {
        let owner = draft.ownerID
        let (total, known) = try await engine.read { db in
            (Int(try db.number(FileRows.total) ?? 0), try FileRows(db: db).unattached(of: owner))
        }
        try folder.begin(of: owner, having: known, limits)
        do {
            let descriptor = try await onOwnThread { [folder] in try folder.create(draft.id) }
            return ArrivingFolderFile(
                descriptor, in: self, of: draft, limits, known: known, room: limits.totalBytes - total)
        } catch {
            folder.end(0, of: owner)
            throw error
        }
    }

    func content(of id: FileID) async throws -> FileContent? {
        guard let opened = await onOwnThread({ [folder] in OpenStoredFile(folder.path(of: id)) }) else { return nil }
        return FileContent { offset, count in
            try await onOwnThread { try opened.bytes(from: offset, count: count) }
        }
    }

    func put(_ content: FileContent, as id: FileID) async throws {
        let descriptor = try await onOwnThread { [folder] in
            folder.removeArriving(id)
            _ = folder.remove(id)
            return try folder.create(id)
        }
        defer { close(descriptor) }
        var count = 0
        while true {
            let piece = try await content.bytes(from: count, count: FileLayout.pieceByteCount)
            if piece.isEmpty { break }
            try await onOwnThread { try FileFolder.write(piece, to: descriptor) }
            count += piece.count
        }
        try await onOwnThread { [folder] in
            try FileFolder.synchronise(descriptor)
            try folder.keep(id)
        }
    }

    func damaged(among files: [StoredFile]) async -> [FileID] {
        await onOwnThread { [folder] in
            files.filter { OpenStoredFile(folder.path(of: $0.id))?.byteCount != $0.byteCount }.map(\.id)
        }
    }

    /// If it fails, the next call that writes, or the next start, tries again.
    func removeDeleted() async {
        guard folder.takeRemoved() else { return }
        await removeNoted()
    }

    private func removeNoted() async {
        do {
            let ids: [FileID] = try await engine.read { db in
                try db.rows("SELECT id FROM removed_files").map { $0.identifier(0) }
            }
            guard !ids.isEmpty else { return }
            let gone = await onOwnThread { [folder] in ids.filter { folder.remove($0) } }
            try await engine.write { db in
                for id in gone { try db.run("DELETE FROM removed_files WHERE id = ?", [id.rawValue]) }
            }
        } catch {
            folder.rememberRemoval()
        }
    }

    func tidy() async {
        guard engine.trouble == nil else { return }
        let known = try? await engine.read { db in
            Set(try db.rows("SELECT id FROM files UNION ALL SELECT id FROM removed_files").map { $0[0] as String })
        }
        guard let known else { return }
        await onOwnThread { [folder] in folder.tidy(known.contains) }
        await removeNoted()
    }

    /// Does nothing: the folder has one process, which tidies when it starts.
    func removeLeftovers(before moment: Timestamp) {}
}

/// A file that arrives in a folder.
private final class ArrivingFolderFile: ArrivingFile {
    private let descriptor: Int32
    private let bytes: FolderFileBytes
    private let draft: FileDraft
    private let limits: FileLimits
    private let known: LooseFiles
    private let room: Int
    /// The bytes that count as arriving; nil once the file has ended.
    private let takenCount = Mutex<Int?>(0)

    init(
        _ descriptor: Int32, in bytes: FolderFileBytes, of draft: FileDraft, _ limits: FileLimits,
        known: LooseFiles, room: Int
    ) {
        (self.descriptor, self.bytes, self.draft) = (descriptor, bytes, draft)
        (self.limits, self.known, self.room) = (limits, known, room)
    }

    deinit { close(descriptor) }

    func append(_ piece: [UInt8]) async throws {
        try bytes.folder.take(piece.count, of: draft.ownerID, having: known, upTo: room, limits)
        takenCount.withLock { $0? += piece.count }
        try await onOwnThread { [descriptor] in try FileFolder.write(piece, to: descriptor) }
    }

    func keep(_ insert: @escaping FileInsertion) async throws {
        defer { end() }
        let (folder, id) = (bytes.folder, draft.id)
        try await onOwnThread { [descriptor] in
            try FileFolder.synchronise(descriptor)
            try folder.keep(id)
        }
        do {
            try await bytes.engine.write { db in try insert(db) {} }
        } catch {
            await onOwnThread { _ = folder.remove(id) }
            throw error
        }
    }

    func abandon() async {
        await onOwnThread { [folder = bytes.folder, id = draft.id] in folder.removeArriving(id) }
        end()
    }

    private func end() {
        let taken = takenCount.withLock { count in
            defer { count = nil }
            return count
        }
        if let taken { bytes.folder.end(taken, of: draft.ownerID) }
    }
}
