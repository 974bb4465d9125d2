package import Foundation
import Glibc

/// A program that a test started.
///
/// Foundation's `Process` crashes in a process with more than about 1,350 open files, which many tests at once have.
package final class StartedProgram: Sendable {
    /// The program cannot be started.
    package struct Failure: Error {
        /// The number of the system's error.
        package let code: Int32
    }

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Lets a program begin without the open files from a number on; Swift's module of glibc does not name it.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        .map { unsafeBitCast($0, to: CloseFrom.self) }

    /// Yields the exit status, or nil if a signal ended the program.
    private let statuses: AsyncStream<Int32?>

    /// Starts a program; it has no other open files than its input, its output and the standard error.
    ///
    /// - Parameters:
    ///   - command: The path of the program, and its arguments.
    ///   - input: Its standard input; this process keeps the other end.
    ///   - output: Its standard output; this process keeps the other end.
    /// - Throws: ``Failure``.
    package init(_ command: [String], input: Pipe? = nil, output: Pipe? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1) }
        _ = Self.closeFrom?(&actions, 3)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, command[0], &actions, nil, &arguments, environ)
        guard code == 0 else { throw Failure(code: code) }
        let (statuses, ended) = AsyncStream<Int32?>.makeStream()
        self.statuses = statuses
        // Whether or not somebody waits: Swift Testing asks the system about ended processes again and again as long as
        // there is one that nobody has waited for.
        Thread.detachNewThread { [id] in
            ended.yield(Self.status(of: id))
            ended.finish()
        }
        try? input?.fileHandleForReading.close()
        try? output?.fileHandleForWriting.close()
    }

    /// Waits until the program ends; to be called once.
    ///
    /// - Returns: Its exit status; nil if a signal ended it.
    @discardableResult
    package func wait() async -> Int32? {
        for await status in statuses { return status }
        return nil
    }

    private static func status(of id: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
