package import ChatCore
package import Foundation
import Glibc

/// A reason why nothing can be stored.
package enum StorageTrouble: String, CaseIterable, Hashable, Sendable {
    /// The disk is full.
    case full = "storage_full"
    /// The disk is mounted read-only, or this user may not write to it.
    case readOnly = "storage_read_only"
    /// Commits wait for a standby of PostgreSQL that does not confirm them.
    case standby = "writes_wait_for_standby"
    /// A part of the database was read that is damaged.
    ///
    /// It stays until the store is opened again: a write could destroy more, and what is acknowledged may be unreadable.
    case damaged = "storage_damaged"

    /// The error of a call that writes.
    package var error: RepositoryError {
        switch self {
        case .full: .storageFull
        case .readOnly: .storageReadOnly
        case .standby: .unavailable(reason: "writes wait for the standby of PostgreSQL")
        case .damaged: .storageDamaged
        }
    }

    /// Bytes that a disk must accept before writing is tried again; the side files of the database need a part of them.
    private static let probeByteCount = 256 << 10

    /// Makes the trouble behind an error of the store; nil for other errors.
    package init?(_ error: any Error) {
        switch error {
        case RepositoryError.storageFull: self = .full
        case RepositoryError.storageReadOnly: self = .readOnly
        case let failure as any DatabaseFailure:
            guard let trouble = failure.trouble else { return nil }
            self = trouble
        case RepositoryError.storageDamaged: self = .damaged
        default: return nil
        }
    }

    /// Makes the trouble behind an `errno`; nil for other numbers.
    package init?(code: Int32) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case EROFS, EACCES, EPERM: self = .readOnly
        default: return nil
        }
    }

    /// Writes a file to a folder and deletes it; returns the reason of a failure, nil on success.
    package static func found(in folder: URL) -> StorageTrouble? {
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

/// Translates failures of a database into errors of the store.
package enum StorageFailure {
    /// Returns the error to throw instead of `error`; it never contains a statement, an argument or a stored value.
    package static func translated(_ error: any Error) -> any Error {
        switch error {
        case is RepositoryError, is StoreOpenError, is BackupError, is FileError, is MigrationError,
            is GroupLimitError, is PermissionError, is CancellationError:
            error
        case let failure as any DatabaseFailure: failure.translated
        default: RepositoryError.unavailable(reason: "what is stored cannot be read")
        }
    }
}
