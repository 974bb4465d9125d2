import Foundation
import Glibc

/// The reason why a path cannot be used, in words that follow the path.
enum FileTrouble {
    /// The reason why a file cannot be read; `cannot be read` if it is unknown.
    static func reading(_ path: String) -> String { ofReading(path) ?? "cannot be read" }

    /// The reason why a file cannot be read; nil if it can.
    static func ofReading(_ path: String) -> String? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return "is a folder"
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        return words(for: errno)
    }

    /// An error of the system in words that follow a path.
    static func words(for code: Int32) -> String {
        switch code {
        case ENOENT: "does not exist"
        case ENOTDIR: "does not exist: a part of the path is not a folder"
        case EACCES, EPERM: "may not be used by this user; check its owner and mode, and those of its folders"
        case ENOSPC, EDQUOT: "cannot be written: the disk is full"
        case EROFS: "cannot be written: the disk is read-only"
        case EISDIR: "is a folder"
        default: "cannot be used: \(String(cString: strerror(code)))"
        }
    }
}
