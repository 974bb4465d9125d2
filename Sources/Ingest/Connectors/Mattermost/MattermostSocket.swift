/// Opens WebSockets.
///
/// The module that knows a library for them conforms.
package protocol MattermostSockets: Sendable {
    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - path: The path with its query, after the address of the server.
    ///   - headers: Header fields of the handshake.
    /// - Returns: The open socket.
    /// - Throws: Any error if there is no connection.
    func open(_ path: String, headers: [String: String]) async throws -> any MattermostSocket
}

/// An open WebSocket.
package protocol MattermostSocket: Sendable {
    /// Returns the next text message; nil after a clean close, or if the task is cancelled.
    func next() async throws -> String?

    /// Sends a text message.
    func send(_ text: String) async throws

    /// Closes the socket.
    func close() async
}
