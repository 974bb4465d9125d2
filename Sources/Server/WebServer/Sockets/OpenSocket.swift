import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// The session that a request for a socket was promised.
package struct SocketPlan: Sendable {
    let subprotocol: String
    let session: @Sendable (SocketSession) async -> Void

    package init(subprotocol: String, session: @escaping @Sendable (SocketSession) async -> Void) {
        self.subprotocol = subprotocol
        self.session = session
    }
}

/// Carries a plan from the route of sockets to the connection, which opens the socket.
package final class SocketOffer: Sendable {
    private let state = Mutex<SocketPlan?>(nil)

    var plan: SocketPlan? { state.withLock { $0 } }

    package func accept(_ plan: SocketPlan) { state.withLock { $0 = plan } }
}

/// A connection that has become a socket.
struct OpenSocket: Sendable {
    /// The client sent something before the handshake was answered.
    struct EarlyBytesError: Error {}

    private let channel: any Channel
    private let session: SocketSession
    private let plan: SocketPlan

    /// Answers a handshake and turns the connection into a socket.
    ///
    /// - Throws: ``EarlyBytesError``, or an error of a connection that was closed.
    init(_ plan: SocketPlan, on channel: any Channel, answering response: Response, settings: SocketSettings)
        async throws
    {
        self.plan = plan
        self.channel = channel
        let head = Self.head(of: response)
        session = try await channel.eventLoop.submit {
            try Self.change(channel, head: head, subprotocol: plan.subprotocol, settings: settings)
        }.get()
    }

    /// Runs the session and returns when the connection is closed.
    func serve(logger: Logger) async {
        let start = ContinuousClock.now
        await plan.session(session)
        session.close(.normal)
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        logger.info(
            "socket closed",
            metadata: [
                "socket.close-code": "\(session.closeCode.map { "\($0.rawValue)" } ?? "")",
                "socket.duration-s": "\(start.duration(to: .now).components.seconds)",
            ])
    }

    private static func head(of response: Response) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        for field in response.headers where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    }

    /// Writes the head and puts the handlers of sockets before those of HTTP, all in one turn of the event loop.
    ///
    /// Frames never reach the handlers of HTTP that stay behind; Hummingbird's wait for the connection's end.
    private static func change(
        _ channel: any Channel, head: HTTPResponseHead, subprotocol: String, settings: SocketSettings
    ) throws -> SocketSession {
        let pipeline = channel.pipeline.syncOperations
        let watch = try pipeline.handler(type: UpgradeWatch.self)
        guard !watch.sawEarlyBytes else { throw EarlyBytesError() }
        let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
        let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        // From the decoder's place it passes nothing but the encoder.
        decoder.writeAndFlush(HTTPResponseEncoder.wrapInput(.head(head)), promise: nil)

        let frames = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: settings.messageByteLimit))
        let handler = SocketHandler(settings: settings)
        try pipeline.addHandler(handler, position: .before(encoder))
        try pipeline.addHandler(frames, position: .before(handler))
        let session = SocketSession(
            subprotocol: subprotocol, settings: settings, handler: handler, eventLoop: channel.eventLoop)
        handler.start(session)
        removeHTTP(from: pipeline)
        if watch.isQuiescing { handler.stop() }
        return session
    }

    /// Removes what costs memory or has timers.
    private static func removeHTTP(from pipeline: ChannelPipeline.SynchronousOperations) {
        let handlers: [(any RemovableChannelHandler)?] = [
            try? pipeline.handler(type: UpgradeWatch.self), try? pipeline.handler(type: HTTPResponseEncoder.self),
            try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self),
            try? pipeline.handler(type: HTTP1Guard.self), try? pipeline.handler(type: PeerDeadlines.self),
            try? pipeline.handler(type: ClientWatch.self),
            try? pipeline.handler(type: HTTPConnectionStateHandler.self),
        ]
        for handler in handlers.compactMap(\.self) { pipeline.removeHandler(handler, promise: nil) }
    }
}

extension HTTPResponseEncoder {
    /// Wraps a part for a write that begins behind the encoder.
    fileprivate static func wrapInput(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
}
