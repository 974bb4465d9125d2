import Foundation

/// What changes when a regular file is written or replaced.
struct FileIdentity: Equatable {
    let byteCount: Int
    let inode: UInt64
    /// Nanoseconds since 1970; of the bytes.
    let modified: Int64
    /// Nanoseconds since 1970; of bytes, name and permissions; no program can set it.
    let changed: Int64

    /// Looks at a file, through symbolic links; nil when it is no regular file.
    init?(url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        byteCount = Int(status.st_size)
        inode = UInt64(status.st_ino)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// Returns the clock that the system writes into files; it stands still for some milliseconds at a time.
    static func currentFileTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
