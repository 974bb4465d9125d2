package import Foundation
import Synchronization

extension Process {
    private static let starting = Mutex(())

    /// Starts the process, one at a time.
    ///
    /// Foundation reads `/proc/self/fd` and copies arguments in `run()`; several at once crashed it (signal 11) when many
    /// tests started programs. With more than about 1,350 open files it crashes too; see scripts/test.
    package func start() throws {
        try Self.starting.withLock { _ in try run() }
    }
}
