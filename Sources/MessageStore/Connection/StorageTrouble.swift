public import ChatCore
import Foundation
import GRDB
import Glibc

/// Why a disk takes no writing.
public enum StorageTrouble: String, Hashable, Sendable {
    /// There is no room.
    case full = "storage_full"
    /// It is mounted read-only, or may not be written by this user.
    case readOnly = "storage_read_only"

    /// What a call that writes fails with.
    public var error: RepositoryError {
        switch self {
        case .full: .storageFull
        case .readOnly: .storageReadOnly
        }
    }

    /// How many bytes a disk must take to be tried again: the side files of the database need a part of them.
    private static let probeByteCount = 256 << 10

    /// Takes a failure for one of the disk; nil for others.
    init?(_ error: any Error) {
        switch error {
        case RepositoryError.storageFull: self = .full
        case RepositoryError.storageReadOnly: self = .readOnly
        default: return nil
        }
    }

    /// Takes the system's error for one of the disk; nil for others.
    init?(code: Int32) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case EROFS, EACCES, EPERM: self = .readOnly
        default: return nil
        }
    }

    /// Writes a file in a folder and deletes it; returns why that cannot be done, nil when it can.
    static func found(in folder: URL) -> StorageTrouble? {
        let path = folder.appending(path: ".nexus-probe").path
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return StorageTrouble(code: errno) }
        defer {
            close(file)
            unlink(path)
        }
        let code = posix_fallocate(file, 0, off_t(probeByteCount))
        return code == 0 ? nil : StorageTrouble(code: code)
    }
}

/// What failures of SQLite mean to those above.
enum StorageFailure {
    /// Returns what is thrown in place of `error`: never with a statement, an argument or a stored value.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case is RepositoryError, is StoreOpenError, is BackupError, is CancellationError: error
        case let error as DatabaseError: translated(error)
        default: RepositoryError.unavailable(reason: "what is stored cannot be read")
        }
    }

    private static func translated(_ error: DatabaseError) -> any Error {
        switch (error.resultCode, error.extendedResultCode) {
        case (.SQLITE_INTERRUPT, _) where Task.isCancelled, (.SQLITE_ABORT, _) where Task.isCancelled:
            CancellationError()
        // Writing beyond the process's limit of a file's size is refused with the second.
        case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_WRITE), (_, .SQLITE_IOERR_SHMSIZE): RepositoryError.storageFull
        case (.SQLITE_READONLY, _): RepositoryError.storageReadOnly
        default: RepositoryError.unavailable(reason: error.extendedResultCode.description)
        }
    }
}
