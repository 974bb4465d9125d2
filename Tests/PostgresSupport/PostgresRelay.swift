package import Foundation
import Glibc
import PostgresStore
import Synchronization

/// Stands between a client and a server, and can swallow what they send, as a network does.
package final class PostgresRelay: Sendable {
    private struct State {
        var isFrozen = false
        /// Connections that began before the last cut are closed.
        var cutCount = 0
        var isClosed = false
    }

    /// The socket's name in its folder; libpq looks for it.
    private static let name = ".s.PGSQL.5432"

    /// The folder to connect to instead of the server's.
    package let folder: URL
    private let server: URL
    /// How long everything stays on its way, there and back together.
    private let delay: Duration
    private let listener: Int32
    private let state = Mutex(State())

    /// - Parameters:
    ///   - server: The folder of the server's socket.
    ///   - delay: The time of a round trip; only for measurements.
    /// - Throws: `POSIXError` if there can be no socket.
    package init(to server: URL, delay: Duration = .zero) throws {
        (self.server, self.delay) = (server, delay)
        folder = URL(filePath: "/tmp/nexus-relay-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        listener = Self.socket()
        let isBound = Self.withAddress(in: folder) { bind(listener, $0, $1) == 0 }
        guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        Thread.detachNewThread { [self] in accept() }
    }

    /// Passes nothing on, in both directions; new connections are accepted and hear nothing.
    package func freeze() { state.withLock { $0.isFrozen = true } }

    /// Closes all connections, and passes on what new ones send.
    package func cut() {
        state.withLock { state in
            state.isFrozen = false
            state.cutCount += 1
        }
    }

    package func close() {
        state.withLock { $0.isClosed = true }
        cut()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func socket() -> Int32 {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withAddress<Value>(
        in folder: URL, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: "\(folder.path)/\(name)".utf8.prefix(path.count - 1))
        }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Waits for input of several sockets, for a moment.
    private static func poll(_ sockets: [Int32]) -> [Bool] {
        var events = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = Glibc.poll(&events, nfds_t(events.count), 10)
        return events.map { $0.revents != 0 }
    }

    private func accept() {
        while !state.withLock({ $0.isClosed }) {
            guard Self.poll([listener])[0] else { continue }
            let client = Glibc.accept(listener, nil, nil)
            let cutCount = state.withLock { $0.cutCount }
            if client >= 0 { Thread.detachNewThread { [self] in pass(client, since: cutCount) } }
        }
        Glibc.close(listener)
    }

    private func pass(_ client: Int32, since cutCount: Int) {
        let server = Self.socket()
        defer {
            Glibc.close(client)
            Glibc.close(server)
        }
        guard Self.withAddress(in: self.server, { connect(server, $0, $1) == 0 }) else { return }
        let ends = [(client, server), (server, client)]
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let (isOver, isFrozen) = state.withLock { ($0.cutCount != cutCount, $0.isFrozen) }
            if isOver { return }
            if isFrozen {
                // Nothing is read, so poll would return at once.
                _ = Self.poll([])
                continue
            }
            for (hasInput, (from, to)) in zip(Self.poll(ends.map(\.0)), ends) where hasInput {
                let count = read(from, &bytes, bytes.count)
                guard count > 0 else { return }
                if delay > .zero {
                    usleep(UInt32(clamping: delay.components.attoseconds / 2_000_000_000_000))
                }
                var sent = 0
                while sent < count {
                    let part = bytes.withUnsafeBytes { write(to, $0.baseAddress?.advanced(by: sent), count - sent) }
                    guard part > 0 else { return }
                    sent += part
                }
            }
        }
    }
}
