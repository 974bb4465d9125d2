import ChatCore
import Foundation
import Glibc
import MessageStore
import Synchronization

/// The folder of stored files, `files` in the data folder: each file under its id, arriving ones in `incoming`.
///
/// The tables decide which files there are; others are deleted at the next start. The folder is made with the first
/// file.
final class FileFolder: Sendable {
    private struct State {
        /// Bytes of files that are arriving.
        var arrivingByteCount = 0
        /// The same for each person.
        var arriving: [UserID: LooseFiles] = [:]
        /// Backups that are being written: they need the files of the moment at which they began.
        var holdCount = 0
        var hasRemoved = false
    }

    let url: URL
    private let state = Mutex(State())

    init(in dataFolder: URL) {
        url = dataFolder.appending(path: FileLayout.folderName)
    }

    func path(of id: FileID) -> String { url.appending(path: id.rawValue).path }

    private var incoming: URL { url.appending(path: FileLayout.arrivingName) }

    func incomingPath(of id: FileID) -> String { incoming.appending(path: id.rawValue).path }

    /// Creates the file for an arriving one, and the folders if there are none; returns its descriptor.
    func create(_ id: FileID) throws(RepositoryError) -> Int32 {
        for folder in [url, incoming] {
            if mkdir(folder.path, 0o700) == 0 {
                try Self.onDisk { () throws(BackupError) in
                    try FileSteps.synchronise(folder.deletingLastPathComponent().path)
                }
            } else if errno != EEXIST {
                throw Self.error(errno)
            }
        }
        let file = open(incomingPath(of: id), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.error(errno) }
        return file
    }

    /// Writes bytes to the end of an arriving file.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(RepositoryError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw error(count < 0 ? errno : ENOSPC) }
            offset += count
        }
    }

    /// Waits until everything is on the disk.
    static func synchronise(_ descriptor: Int32) throws(RepositoryError) {
        guard fsync(descriptor) == 0 else { throw error(errno) }
    }

    /// Gives an arrived file its place, and waits until that is on the disk.
    func keep(_ id: FileID) throws(RepositoryError) {
        guard access(path(of: id), F_OK) != 0 else { throw .unavailable(reason: "a file with this id exists") }
        try Self.onDisk { () throws(BackupError) in try FileSteps.move(incomingPath(of: id), to: path(of: id)) }
    }

    /// Runs a step, and translates its error.
    private static func onDisk(_ step: () throws(BackupError) -> Void) throws(RepositoryError) {
        do {
            try step()
        } catch {
            guard case .io(_, let code) = error else { throw .unavailable(reason: "a file cannot be stored") }
            throw Self.error(code)
        }
    }

    /// Deletes a file; returns whether it is gone.
    func remove(_ id: FileID) -> Bool {
        guard id.isFileName else { return true }
        return unlink(path(of: id)) == 0 || errno == ENOENT
    }

    /// Deletes the part of a file that has arrived.
    func removeArriving(_ id: FileID) {
        unlink(incomingPath(of: id))
    }

    /// Deletes arriving files that were left over, and files that `isKnown` does not accept.
    func tidy(_ isKnown: (String) -> Bool) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: incoming.path)) ?? [] {
            unlink(incoming.appending(path: name).path)
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        where name != FileLayout.arrivingName && !isKnown(name) {
            unlink(url.appending(path: name).path)
        }
    }

    /// Translates an `errno`.
    static func error(_ code: Int32) -> RepositoryError {
        StorageTrouble(code: code)?.error ?? .unavailable(reason: "a file cannot be stored or read: errno \(code)")
    }
}

/// Arriving bytes.
extension FileFolder {
    /// Counts one more file that arrives.
    ///
    /// - Throws: ``FileError/tooManyUnattached(_:)`` if the person has too many without a message.
    func begin(of owner: UserID, having known: LooseFiles, _ limits: FileLimits) throws(FileError) {
        let isAdmitted = state.withLock { state in
            let arriving = state.arriving[owner] ?? LooseFiles()
            guard
                limits.admits(
                    0, besides: known.count + arriving.count, of: known.byteCount + arriving.byteCount)
            else { return false }
            state.arriving[owner, default: LooseFiles()].count += 1
            return true
        }
        guard isAdmitted else { throw .tooManyUnattached(limits) }
    }

    /// Counts bytes that arrive of a file that has begun.
    ///
    /// - Throws: ``FileError/folderFull`` if all files exceed `room`; ``FileError/tooManyUnattached(_:)`` if those of the
    ///   person without a message have too many bytes.
    func take(
        _ byteCount: Int, of owner: UserID, having known: LooseFiles, upTo room: Int, _ limits: FileLimits
    ) throws(FileError) {
        let failure = state.withLock { state -> FileError? in
            guard byteCount <= room - state.arrivingByteCount else { return .folderFull }
            let arriving = state.arriving[owner]?.byteCount ?? 0
            guard byteCount <= limits.unattachedBytes - known.byteCount - arriving else {
                return .tooManyUnattached(limits)
            }
            state.arrivingByteCount += byteCount
            state.arriving[owner, default: LooseFiles()].byteCount += byteCount
            return nil
        }
        if let failure { throw failure }
    }

    /// Ends the count of a file that arrived, or will not arrive.
    func end(_ byteCount: Int, of owner: UserID) {
        state.withLock { state in
            state.arrivingByteCount -= byteCount
            state.arriving[owner]?.byteCount -= byteCount
            state.arriving[owner]?.count -= 1
            if state.arriving[owner]?.count == 0 { state.arriving[owner] = nil }
        }
    }
}

/// Removed files.
extension FileFolder {
    /// Notes that rows of files were removed.
    func rememberRemoval() {
        state.withLock { $0.hasRemoved = true }
    }

    /// Whether there may be bytes to delete, and they may be deleted now; true once for each note.
    func takeRemoved() -> Bool {
        state.withLock { state in
            guard state.hasRemoved, state.holdCount == 0 else { return false }
            state.hasRemoved = false
            return true
        }
    }

    /// Keeps the bytes of all files until ``letGo()``.
    func hold() {
        state.withLock { $0.holdCount += 1 }
    }

    func letGo() {
        state.withLock { $0.holdCount -= 1 }
    }
}

/// A file that is read while it may be deleted.
final class OpenStoredFile: Sendable {
    private let descriptor: Int32

    /// Opens a file; nil if it is missing or not a regular file.
    init?(_ path: String) {
        guard let descriptor = RegularFile.open(path) else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The number of its bytes; nil if that cannot be read.
    var byteCount: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns at most `count` bytes from `offset` on; none only at the end.
    func bytes(from offset: Int, count: Int) throws(RepositoryError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var read = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            while read < 0, errno == EINTR { read = pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
            if read < 0 { failure = errno }
            filled = max(0, read)
        }
        if let failure { throw FileFolder.error(failure) }
        return bytes
    }
}
