import Foundation
import NexusClient
import Synchronization

/// A server that a test plays: it answers requests and speaks over sockets.
final class FakeTransport: ClientTransport {
    typealias Answer = @Sendable (ClientRequest) throws -> ClientResponse

    private struct State {
        var requests: [ClientRequest] = []
        var sockets: [FakeSocket] = []
        var answer: Answer
    }

    private let state: Mutex<State>

    init(answer: @escaping Answer) {
        state = Mutex(State(answer: answer))
    }

    /// The requests so far, with those for sockets.
    var requests: [ClientRequest] { state.withLock { $0.requests } }
    /// The sockets so far.
    var sockets: [FakeSocket] { state.withLock { $0.sockets } }

    func change(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return try answer(request)
    }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        let socket = FakeSocket()
        state.withLock { state in
            state.requests.append(request)
            state.sockets.append(socket)
        }
        return socket
    }
}

/// A socket whose other end is a test.
final class FakeSocket: ClientSocket {
    private let stream: AsyncThrowingStream<String, any Error>
    private let server: AsyncThrowingStream<String, any Error>.Continuation
    private let texts = Mutex<[String]>([])

    init() {
        (stream, server) = AsyncThrowingStream.makeStream()
    }

    /// What the client said.
    var sent: [String] { texts.withLock { $0 } }

    /// Says something to the client.
    func say(_ text: String) { server.yield(text) }

    /// Ends the connection.
    func end() { server.finish(throwing: ClientTransportError.broken) }

    var closeCode: UInt16? { nil }

    func next() async throws -> String? {
        for try await text in stream { return text }
        return nil
    }

    func send(_ text: String) async throws { texts.withLock { $0.append(text) } }

    func close() async { server.finish() }
}
