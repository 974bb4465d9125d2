import Glibc
import Synchronization

/// A file to which lines are appended, one write each; only its owner can read it.
///
/// A line that cannot be written is dropped: a full disk must not stop the work that the lines describe.
package final class LineFile: Sendable {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    /// Lines are never interleaved, even if one write is not enough.
    private let gate = Mutex(())

    /// Opens a file at its end, and creates it if it is missing.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``LineFileError``.
    package init(path: String) throws(LineFileError) {
        // A pipe that nobody reads is an error at once; one that is read is waited for like any file.
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
        ownsDescriptor = true
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_WRONLY | O_APPEND) }
        guard descriptor >= 0 else { throw LineFileError(path: path, code: errno) }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        ownsDescriptor = false
    }

    deinit {
        if ownsDescriptor, descriptor >= 0 { close(descriptor) }
    }

    /// Standard error.
    package static let standardError = LineFile(descriptor: STDERR_FILENO)

    /// Adds a line, its end included.
    package func write(_ line: String) {
        gate.withLock { _ in
            var rest = Array(line.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// A file that cannot be written to.
package struct LineFileError: Error, Equatable, CustomStringConvertible {
    /// The path of the file.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// One line for an operator.
    package var description: String { "cannot write to \(path): \(String(cString: strerror(code)))" }
}
