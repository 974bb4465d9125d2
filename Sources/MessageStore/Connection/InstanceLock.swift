public import Foundation
import Glibc
import Synchronization

/// Shows that one process owns a data folder: a lock on the file `lock` in it.
///
/// The kernel lets go of it when the process ends, however it ends.
public final class InstanceLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Takes the lock of a folder that exists.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The lock; it is held until it is released or forgotten.
    /// - Throws: ``StoreOpenError``.
    public static func acquire(folder: URL) throws(StoreOpenError) -> InstanceLock {
        let opened = try descriptor(in: folder)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(opened)
            throw .inUse(folder: folder.path)
        }
        return InstanceLock(opened)
    }

    /// Lets go of the lock; doing it twice does no harm.
    public func release() {
        descriptor.withLock { held in
            guard let opened = held else { return }
            // Closing would not do while a child process that is being started still has its copy.
            flock(opened, LOCK_UN)
            Glibc.close(opened)
            held = nil
        }
    }

    /// Opens the file; on a disk that takes no writing for reading, or the folder where there is no file.
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
