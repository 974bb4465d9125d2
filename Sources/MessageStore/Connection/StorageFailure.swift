import ChatCore
import GRDB

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
