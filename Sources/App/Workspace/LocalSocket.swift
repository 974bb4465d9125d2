import Foundation
import Glibc

/// The local socket of a data folder, through which commands reach the server that owns it.
enum LocalSocket {
    /// The longest path that a socket's address holds with a margin; Linux allows 107 bytes.
    private static let pathByteLimit = 90

    /// Returns the path of the socket.
    ///
    /// A longer path is written by way of an open descriptor of the folder, which stays open while the process lives.
    static func path(in folder: URL) -> String {
        let path = folder.appending(path: "nexus.sock").path
        guard path.utf8.count > pathByteLimit else { return path }
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? path : "/proc/self/fd/\(descriptor)/nexus.sock"
    }
}
