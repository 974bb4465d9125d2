import NIOCore
import Synchronization

/// Connections that are used again.
final class HTTPPool: Sendable {
    private let port: Int
    private let group: any EventLoopGroup
    private let idle = Mutex<[(connection: HTTPConnection, since: ContinuousClock.Instant)]>([])
    /// Servers close connections that are not used.
    private static let longestIdle = Duration.seconds(30)

    init(port: Int, group: any EventLoopGroup) {
        self.port = port
        self.group = group
    }

    /// Sends a request on a free connection, and opens one if there is none.
    ///
    /// - Throws: ``BenchFault`` if the reply is an error.
    @discardableResult
    func send(_ method: String, _ path: String, user: String? = nil, body: String = "") async throws -> HTTPReply {
        let connection: HTTPConnection
        if let known = free() { connection = known } else { connection = try await .open(port, on: group) }
        let reply = try await connection.send(method, path, user: user, body: body)
        idle.withLock { $0.append((connection, .now)) }
        guard (200..<300).contains(reply.status) else {
            throw BenchFault("\(method) \(path.prefix { $0 != "?" }) was answered with \(reply.status)")
        }
        return reply
    }

    /// Takes the connection that was used last, and closes those that were not used for long.
    private func free() -> HTTPConnection? {
        let oldest = ContinuousClock.now - Self.longestIdle
        let (found, old) = idle.withLock { idle in
            let old = idle.prefix { $0.since < oldest }
            idle.removeFirst(old.count)
            return (idle.popLast(), old)
        }
        for entry in old { entry.connection.close() }
        return found?.connection
    }

    func close() {
        for entry in idle.withLock({ $0 }) { entry.connection.close() }
    }
}

/// Runs work for each number, a few at a time.
func forEach(
    _ numbers: Range<Int>, width: Int = 32, _ work: @escaping @Sendable (Int) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in numbers {
            if number - numbers.lowerBound >= width { try await group.next() }
            group.addTask { try await work(number) }
        }
        try await group.waitForAll()
    }
}
