public import Foundation
import Glibc

/// Reads files that an operator names, without blocking on special files.
///
/// Opening a pipe blocks until somebody writes to it, and a device has no end. Only regular files are read.
public enum RegularFile {
    /// Opens a regular file for reading.
    ///
    /// - Parameter path: The path; links are followed.
    /// - Returns: A descriptor that the caller closes; nil if the file is missing, forbidden or not regular.
    public static func open(_ path: String) -> Int32? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns the bytes of a regular file; nil when it cannot be read or is longer than `limit`.
    public static func contents(_ path: String, byteLimit limit: Int = 256 << 20) -> Data? {
        guard let descriptor = open(path) else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: limit + 1) ?? Data(), data.count <= limit else { return nil }
        return data
    }
}
