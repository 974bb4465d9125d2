import NIOCore
import Synchronization

/// Connections that are used again.
final class HTTPPool: Sendable {
    private let port: Int
    private let group: any EventLoopGroup
    private let idle = Mutex<[HTTPConnection]>([])

    init(port: Int, group: any EventLoopGroup) {
        self.port = port
        self.group = group
    }

    /// Sends a request on a free connection, and opens one if there is none.
    ///
    /// - Throws: ``BenchFault`` if the reply is an error.
    @discardableResult
    func send(_ method: String, _ path: String, user: String? = nil, body: String = "") async throws -> HTTPReply {
        let known = idle.withLock { $0.popLast() }
        let connection: HTTPConnection
        if let known { connection = known } else { connection = try await .open(port, on: group) }
        let reply = try await connection.send(method, path, user: user, body: body)
        idle.withLock { $0.append(connection) }
        guard (200..<300).contains(reply.status) else {
            throw BenchFault("\(method) \(path.prefix { $0 != "?" }) was answered with \(reply.status)")
        }
        return reply
    }

    func close() {
        for connection in idle.withLock({ $0 }) { connection.close() }
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
