import ChatCore
import Foundation
import Glibc
import ModelClients
import Transport
import UseCases

/// Talks to the server that owns a data folder, through a local socket.
struct LocalClient {
    let socketPath: String
    private let transport: CurlTransport

    init(socketPath: String) throws {
        self.socketPath = socketPath
        transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
    }

    /// Sends a command to the server, which performs it.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - event: Called with each event as it comes.
    /// - Throws: ``OperatorFailure`` if there is no server, or it stops early.
    func perform(_ command: OperatorCommand, event: (OperatorEvent) -> Void) async throws {
        let body = try JSONEncoder().encode(command)
        try await reading(exchange("POST", "/operator", body: body)) { response in
            guard response.status == 200 else {
                throw OperatorFailure(message: "the server that owns the data folder answered \(response.status)")
            }
            var rest = Data()
            for try await chunk in response.body {
                rest.append(chunk)
                while let end = rest.firstIndex(of: 0x0A) {
                    event(try JSONDecoder().decode(OperatorEvent.self, from: rest[rest.startIndex..<end]))
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
    }

    /// Sends a request to the HTTP API.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - event: Called with each event of a stream as it comes.
    /// - Returns: The response; of a stream, its last event.
    /// - Throws: ``OperatorFailure`` if there is no server, or it stops early.
    func send(_ request: APIRequest, event: (ServerSentEvent) -> Void) async throws -> APIResponse {
        var exchange = exchange(
            request.method, request.path, body: try request.body.map { try JSONEncoder().encode($0) })
        if let user = request.user { exchange.headers["X-Nexus-User"] = user.rawValue }
        if request.streams { exchange.headers["Accept"] = "text/event-stream" }
        return try await reading(exchange) { response in
            guard request.streams, response.status == 200 else {
                var body = Data()
                for try await chunk in response.body { body.append(chunk) }
                return APIResponse(status: response.status, body: body)
            }
            var parser = ServerSentEventParser()
            var last = ServerSentEvent()
            for try await chunk in response.body {
                for next in parser.receive(chunk) {
                    event(next)
                    last = next
                }
            }
            return APIResponse(status: last.kind == "done" ? 200 : 500, body: Data(last.data.utf8))
        }
    }

    private func exchange(_ method: String, _ path: String, body: Data?) -> HTTPExchangeRequest {
        HTTPExchangeRequest(
            method: method, url: "http://localhost" + path,
            headers: body == nil ? [:] : ["Content-Type": "application/json"], body: body, unixSocketPath: socketPath,
            // The server limits its answers itself; see `NexusSettings.answerTimeout`.
            deadlines: HTTPDeadlines(connect: .seconds(5), idle: .seconds(2 * 86_400)), responseByteLimit: Int.max)
    }

    private func reading<Value>(
        _ request: HTTPExchangeRequest, _ read: (HTTPStreamedResponse) async throws -> Value
    ) async throws -> Value {
        do {
            return try await read(try await transport.stream(request))
        } catch let error as TransportError {
            throw OperatorFailure(
                message: "the data folder is in use by another process that does not answer: \(error.description)")
        }
    }
}

/// The local socket of a data folder, through which commands reach the server that owns it.
enum LocalSocket {
    /// The longest path that a socket's address holds with a margin; Linux allows 107 bytes.
    private static let pathByteLimit = 90

    /// Returns the path of the socket.
    ///
    /// A longer path goes through an open descriptor of the folder, which stays open until the process ends.
    static func path(in folder: URL) -> String {
        let path = folder.appending(path: "nexus.sock").path
        guard path.utf8.count > pathByteLimit else { return path }
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? path : "/proc/self/fd/\(descriptor)/nexus.sock"
    }
}
