import Foundation
import Synchronization

/// A small real HTTP/1.1 server on loopback, or on a Unix socket, whose every answer and fault the test decides.
///
/// It keeps connections open, records what it receives, and serves each connection on its own thread. The
/// handler runs on that thread and may block it. All waiting is for events; give tests a `hangGuard`.
package final class StubServer: Sendable {
    private let state: StubServerState
    private let group = DispatchGroup()
    /// The port on 127.0.0.1; 0 with a Unix socket.
    package let port: Int

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - unixSocketPath: A path for a Unix socket that does not exist yet; a free port on 127.0.0.1 unless given.
    ///   - handler: Decides the response to each request.
    /// - Throws: ``StubServerError`` when there is no socket to be had.
    package init(
        unixSocketPath: String? = nil, handler: @escaping @Sendable (StubRequest) -> StubResponse
    ) throws {
        let (listener, port) = try StubServerSockets.listen(unixSocketPath: unixSocketPath)
        self.port = port
        state = StubServerState(listener: listener)
        let (state, group) = (state, group)
        group.enter()
        Thread.detachNewThread {
            StubServer.accept(on: listener, state, group, handler)
            group.leave()
        }
    }

    /// Starts a server that answers the n-th request with the n-th response, and with the last one from then on.
    package convenience init(_ responses: StubResponse...) throws {
        try self.init { responses[min($0.number, responses.count) - 1] }
    }

    deinit {
        state.stop()
    }

    /// Closes all connections and returns when all threads have ended.
    ///
    /// Letting go of the server does the same without waiting.
    package func stop() {
        state.stop()
        group.wait()
    }

    /// Closes the listener and all connections; new connections are refused.
    package func refuse() { state.refuse() }

    /// Listens again, at the same port.
    package func admit() { state.admit() }

    /// Whether connections are refused at present.
    package var isRefusing: Bool { state.isRefusing }

    private static func accept(
        on listener: Int32, _ state: StubServerState, _ group: DispatchGroup,
        _ handler: @escaping @Sendable (StubRequest) -> StubResponse
    ) {
        while state.waitForAdmission() {
            guard let descriptor = StubServerSockets.accept(listener), let number = state.open(descriptor) else {
                continue
            }
            group.enter()
            Thread.detachNewThread {
                StubServerConnection(descriptor: descriptor, number: number, state: state, handler: handler).run()
                group.leave()
            }
        }
        close(listener)
    }
}

// MARK: - What the test sees

extension StubServer {
    /// `http://127.0.0.1:port`, without a slash at the end.
    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Everything received so far, in order.
    package var requests: [StubRequest] { state.facts.requests }
    /// How many connections were accepted so far.
    package var connectionCount: Int { state.facts.connectionCount }
    /// How many bytes were handed to the kernel so far.
    package var sentByteCount: Int { state.facts.sentByteCount }

    /// Returns when `count` requests have been received.
    package func waitForRequests(_ count: Int) async {
        await state.wait { $0.requests.count >= count }
    }

    /// Returns when `count` connections were closed by their clients.
    package func waitForDisconnect(_ count: Int = 1) async {
        await state.wait { $0.disconnectCount >= count }
    }

    /// Returns when there was something to send, but no client took a byte, for `count` quarters of a second in all.
    package func waitForStall(_ count: Int = 1) async {
        await state.wait { $0.stallCount >= count }
    }
}

/// Why a stub server could not be started.
package struct StubServerError: Error {
    /// The call that failed.
    package let call: String
    /// The system's error number.
    package let code: Int32
}
