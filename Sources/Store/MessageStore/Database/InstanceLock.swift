package import Foundation
import Glibc
import Synchronization

/// The ownership of a data folder by one process: a lock on the file `lock` in it.
///
/// The kernel releases it when the process ends for any reason.
package final class InstanceLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Takes the lock of an existing folder.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The lock, held until ``release()`` or the end of its lifetime.
    /// - Throws: ``StoreOpenError``.
    package static func acquire(folder: URL) throws(StoreOpenError) -> InstanceLock {
        let opened = try descriptor(in: folder)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(opened)
            throw .inUse(folder: folder.path)
        }
        return InstanceLock(opened)
    }

    /// Releases the lock; a second call does nothing.
    package func release() {
        descriptor.withLock { held in
            guard let opened = held else { return }
            // Closing alone is not enough while a starting child process has a copy of the descriptor.
            flock(opened, LOCK_UN)
            Glibc.close(opened)
            held = nil
        }
    }

    /// Opens the file; on a read-only disk it opens the file for reading or, without a file, the folder.
    private static func descriptor(in folder: URL) throws(StoreOpenError) -> Int32 {
        let opened = Glibc.open(path(in: folder), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if opened >= 0 { return opened }
        let code = errno
        if StorageTrouble(code: code) != nil {
            for (path, kind) in [(path(in: folder), 0), (folder.path, O_DIRECTORY)] {
                let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | kind)
                if opened >= 0 { return opened }
            }
        }
        throw [EACCES, EPERM].contains(code) ? .notPermitted(path: folder.path) : .notAFolder(path: folder.path)
    }

    private static func path(in folder: URL) -> String { folder.appending(path: "lock").path }
}
