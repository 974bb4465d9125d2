import NIOCore
import NIOHTTP1
public import NexusClient

extension NIOTransport {
    /// See ``ClientTransport/stream(_:)``.
    public func stream(_ request: ClientRequest) async throws -> ClientStream {
        let head = head(of: request, closes: true)
        let body = request.body.map { ByteBuffer(bytes: $0) }
        let channel = try await connect { channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(ResponseStreamer(silence: TimeAmount(request.timeout)))
        }
        return try await withTaskCancellationHandler {
            let response = channel.eventLoop.makePromise(of: ClientStream.self)
            do {
                try await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.handler(type: ResponseStreamer.self)
                        .start(response, head: head, body: body)
                }.get()
            } catch {
                // The connection ended, and its handlers with it.
                response.fail(ClientTransportError.broken)
            }
            return try await response.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
