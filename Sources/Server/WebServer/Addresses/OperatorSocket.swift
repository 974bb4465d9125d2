import Foundation

/// The file of the local socket: only its owner may connect, and a file left behind by a crash is replaced.
///
/// The socket is bound under another name, closed to others and then renamed, so that it is never open to others under
/// its own name.
package struct OperatorSocket: Sendable {
    /// The longest path that fits `sockaddr_un` with the ending of the temporary name.
    private static let pathByteLimit = 90

    let path: String
    let temporaryPath: String

    package init(path: String) {
        self.path = path
        temporaryPath = "\(path).\(getpid())"
    }

    /// Checks that the path can be used; a file that is not a socket is not replaced.
    func checkPath() throws(WebServerError) {
        guard path.utf8.count <= Self.pathByteLimit else {
            throw .cannotListenLocally(path: path, reason: "the path has more than \(Self.pathByteLimit) bytes")
        }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
        guard attributes[.type] as? FileAttributeType == .typeSocket else {
            throw .cannotListenLocally(path: path, reason: "there is a file that is not a socket")
        }
    }

    /// Closes the bound socket to others and gives it its name.
    func publish() {
        chmod(temporaryPath, 0o600)
        rename(temporaryPath, path)
    }

    /// Removes the file.
    func remove() {
        unlink(path)
        unlink(temporaryPath)
    }
}
