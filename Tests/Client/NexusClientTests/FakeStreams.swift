import Foundation
import NexusClient
import Synchronization

/// A fake whose streams a test plays piece by piece.
final class FakeStreams: ClientTransport {
    private struct State {
        var requests: [ClientRequest] = []
        var isOver = false
    }

    private let plain: FakeTransport
    private let state = Mutex(State())
    private let status: @Sendable (ClientRequest) -> Int
    private let body: AsyncThrowingStream<Data, any Error>
    /// The pieces of the next body.
    let pieces: AsyncThrowingStream<Data, any Error>.Continuation

    init(
        plain: FakeTransport = FakeTransport { _ in ClientResponse(status: 404) },
        status: @escaping @Sendable (ClientRequest) -> Int = { _ in 200 }
    ) {
        self.plain = plain
        self.status = status
        (body, pieces) = AsyncThrowingStream.makeStream()
        pieces.onTermination = { [weak self] _ in self?.state.withLock { $0.isOver = true } }
    }

    /// The requests for streams so far.
    var requests: [ClientRequest] { state.withLock { $0.requests } }
    /// Whether the body has ended, or its reader has left.
    var isOver: Bool { state.withLock { $0.isOver } }

    func send(_ request: ClientRequest) async throws -> ClientResponse { try await plain.send(request) }

    func stream(_ request: ClientRequest) async throws -> ClientStream {
        state.withLock { $0.requests.append(request) }
        let status = status(request)
        guard status == 200 else {
            let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream()
            pieces.yield(Data(#"{"code":"model_misconfigured","#.utf8))
            pieces.yield(Data(#""detail":"secret"}"#.utf8))
            pieces.finish()
            return ClientStream(status: status, headers: ["retry-after": "7"], body: body)
        }
        return ClientStream(
            status: 200, headers: ["content-type": "text/event-stream"], body: body,
            cancel: { [weak self] in self?.state.withLock { $0.isOver = true } })
    }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        try await plain.openSocket(request, subprotocol: subprotocol)
    }
}
