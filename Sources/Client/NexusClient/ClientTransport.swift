public import Foundation

/// A request of the client.
public struct ClientRequest: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The path with its query, percent-encoded.
    public var path: String
    /// Header fields.
    public var headers: [String: String]
    /// The body; nil for none.
    public var body: Data?
    /// How long the connection may be silent.
    public var timeout: Duration

    public init(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A response of the server.
public struct ClientResponse: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// Header fields, their names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ClientResponse: CustomDebugStringConvertible {
    /// The status, and of an error its code and explanation; never the body itself.
    public var debugDescription: String {
        let problem = Problem(self)
        guard let code = problem.code else { return "status \(status), \(body.count) bytes" }
        return "status \(status), \(code): \(problem.detail ?? "")"
    }
}

/// A response whose body arrives in pieces.
public struct ClientStream: Sendable {
    /// The status.
    public var status: Int
    /// Header fields, their names in lower case.
    public var headers: [String: String]
    /// The pieces of the body, for one reader, who may get a ``ClientTransportError``.
    ///
    /// The request ends when nobody reads any longer.
    public var body: AsyncThrowingStream<Data, any Error>
    /// Ends the request, also while somebody reads.
    public var cancel: @Sendable () -> Void

    public init(
        status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<Data, any Error>,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.cancel = cancel
    }
}

/// Errors of a transport; all of them may be over when the client tries again, except ``refused(_:)``.
public enum ClientTransportError: Error, Hashable, Sendable {
    /// There was no connection.
    case unreachable
    /// The connection ended before the response, or in the middle of a message.
    case broken
    /// The server was silent for too long.
    case timedOut
    /// The server answered a handshake with another status than 101.
    case refused(ClientResponse)
    /// A message or response is larger than the client accepts.
    case tooLarge
    /// The server broke the protocol.
    case protocolViolation
}

/// The address of a server cannot be used.
public struct AddressError: LocalizedError, Hashable, Sendable {
    /// The address.
    public let address: String

    package init(_ address: String) { self.address = address }

    /// Says what is missing.
    public var errorDescription: String? {
        let reason = address.contains("://") ? "" : " https:// is missing."
        return "The address of a server is like https://chat.example.com, not \"\(address)\".\(reason)"
    }
}

/// Carries requests and sockets to one server.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the whole response, of any status.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``ClientTransportError``, `CancellationError`.
    func send(_ request: ClientRequest) async throws -> ClientResponse

    /// Sends a request and returns as soon as the head of the response has come.
    ///
    /// A transport without its own implementation waits for the whole body and delivers it in one piece.
    ///
    /// - Parameter request: The request; its timeout holds for each pause.
    /// - Returns: The response, of any status.
    /// - Throws: ``ClientTransportError``, `CancellationError`.
    func stream(_ request: ClientRequest) async throws -> ClientStream

    /// Sends a request whose body is a file, and returns the whole response, of any status.
    ///
    /// A transport without its own implementation reads the whole file first.
    ///
    /// - Parameters:
    ///   - request: The request, without a body.
    ///   - file: The body.
    ///   - progress: Gets the number of bytes that were sent, several times.
    /// - Returns: The response.
    /// - Throws: ``ClientTransportError``, `CancellationError`, or an error of the file.
    func upload(
        _ request: ClientRequest, from file: URL, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ClientResponse

    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - request: The handshake, without the fields that every handshake has.
    ///   - subprotocol: What the client speaks; empty if it does not say so.
    /// - Returns: The open socket.
    /// - Throws: ``ClientTransportError``, `CancellationError`.
    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket
}

extension ClientTransport {
    /// Sends the file in one piece.
    public func upload(
        _ request: ClientRequest, from file: URL, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ClientResponse {
        var request = request
        let data = try Data(contentsOf: file, options: .mappedIfSafe)
        request.body = data
        let response = try await send(request)
        progress(data.count)
        return response
    }

    /// Sends a request, and gives the body in one piece when it is complete.
    public func stream(_ request: ClientRequest) async throws -> ClientStream {
        let response = try await send(request)
        let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream()
        if !response.body.isEmpty { pieces.yield(response.body) }
        pieces.finish()
        return ClientStream(status: response.status, headers: response.headers, body: body)
    }
}

/// An open WebSocket of the client.
public protocol ClientSocket: Sendable {
    /// Returns the next text message; nil after a clean close, or if the task is cancelled. One task reads at a time.
    ///
    /// - Throws: ``ClientTransportError``.
    func next() async throws -> String?

    /// Sends a text message.
    ///
    /// - Throws: ``ClientTransportError`` if the socket is closed.
    func send(_ text: String) async throws

    /// Closes the socket with the code 1000 and returns when the connection has ended.
    func close() async

    /// The code of the server's close frame; nil without one.
    var closeCode: UInt16? { get }
}
