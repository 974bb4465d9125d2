import ChatCore
import Logging

/// Opens WebSockets.
///
/// The module that knows a library for them conforms.
package protocol ConnectorSockets: Sendable {
    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - address: The address with its query; its scheme is `http`, `https`, `ws` or `wss`.
    ///   - headers: Header fields of the handshake.
    /// - Returns: The open socket.
    /// - Throws: Any error if there is no connection.
    func open(_ address: String, headers: [String: String]) async throws -> any ConnectorSocket
}

extension ConnectorSockets {
    /// Follows live connections until the task is cancelled, with longer pauses after each failure.
    ///
    /// - Parameters:
    ///   - server: The name of the server's software, for a warning.
    ///   - work: Signalled when a connection ended.
    ///   - logger: Receives the first of several failures.
    ///   - pause: The pause after an error that is no failure; nil for one that is.
    ///   - follow: Opens a connection, and takes its events until it ends.
    func keepFollowing(
        _ server: String, _ work: WorkSignal, _ logger: Logger, pause: (any Error) -> Duration?,
        _ follow: () async throws -> Void
    ) async {
        var failures = 0
        while !Task.isCancelled {
            var rest = Duration.seconds(1)
            do {
                try await follow()
                failures = 0
            } catch is CancellationError {
                return
            } catch {
                if let known = pause(error) {
                    rest = known
                } else {
                    if failures == 0 {
                        logger.warning(
                            "There is no live connection to a server of another chat",
                            metadata: ["connector": "\(server)", "error.type": "\(type(of: error))"])
                    }
                    failures += 1
                    rest = min(.seconds(3) * (1 << min(failures - 1, 7)), .seconds(300))
                }
            }
            // The time until the next comparison is shorter now.
            work.signal()
            try? await Task.sleep(for: rest)
        }
    }
}

/// An open WebSocket.
package protocol ConnectorSocket: Sendable {
    /// Returns the next text message; nil after a clean close, or if the task is cancelled.
    func next() async throws -> String?

    /// Sends a text message.
    func send(_ text: String) async throws

    /// Closes the socket.
    func close() async
}
