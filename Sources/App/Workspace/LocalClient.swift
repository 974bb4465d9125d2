import Foundation
import Transport

/// Talks to the server that owns a data folder, through the socket in that folder.
struct LocalClient {
    private let socketPath: String
    private let transport: CurlTransport

    init(socketPath: String) throws {
        self.socketPath = socketPath
        transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
    }

    /// Lets the server perform a command.
    ///
    /// - Parameters:
    ///   - command: What to do.
    ///   - event: Called with each event as it comes.
    /// - Throws: ``OperatorFailure`` when there is no server, or it breaks off.
    func perform(_ command: OperatorCommand, event: (OperatorEvent) -> Void) async throws {
        let request = HTTPExchangeRequest(
            method: "POST", url: "http://localhost/operator", headers: ["Content-Type": "application/json"],
            body: try JSONEncoder().encode(command), unixSocketPath: socketPath,
            deadlines: HTTPDeadlines(connect: .seconds(5), idle: .seconds(600)), responseByteLimit: Int.max)
        do {
            let response = try await transport.stream(request)
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
        } catch let error as TransportError {
            throw OperatorFailure(
                message: "the data folder is in use by another process that does not answer: \(error.description)")
        }
    }
}
