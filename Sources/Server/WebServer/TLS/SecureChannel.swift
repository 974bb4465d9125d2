import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import Synchronization

/// Connections under TLS, with HTTP/2 for clients that offer it; each uses the certificate that was current at its
/// start.
struct SecureChannel: ServerChildChannel {
    typealias Value = HTTP2UpgradeChannel.Value

    private let credentials: TLSCredentials
    private let configuration: HTTP2ChannelConfiguration
    private let responder: HTTPChannelHandler.Responder
    private let handshakeLimit: TimeAmount
    private let made: Made

    /// `handshakeLimit` is the most time until the client's protocol is known.
    init(
        credentials: TLSCredentials, configuration: HTTP2ChannelConfiguration, handshakeLimit: TimeAmount,
        responder: @escaping HTTPChannelHandler.Responder
    ) throws {
        self.credentials = credentials
        self.configuration = configuration
        self.handshakeLimit = handshakeLimit
        self.responder = responder
        let pair = credentials.current
        made = Made(
            reading: pair.reading,
            channel: try HTTP2UpgradeChannel(
                tlsConfiguration: pair.configuration, configuration: configuration, responder: responder))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        current().setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let encryption = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(HandshakeDeadline(limit: handshakeLimit), position: .after(encryption))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await current().handle(value: value, logger: logger)
    }

    /// Returns the channel of the present certificate; making its context again for each connection would be slow.
    private func current() -> HTTP2UpgradeChannel {
        let pair = credentials.current
        return made.state.withLock { state in
            if state.reading != pair.reading,
                let channel = try? HTTP2UpgradeChannel(
                    tlsConfiguration: pair.configuration, configuration: configuration, responder: responder)
            {
                state = (pair.reading, channel)
            }
            return state.channel
        }
    }

    private final class Made: Sendable {
        let state: Mutex<(reading: Int, channel: HTTP2UpgradeChannel)>

        init(reading: Int, channel: HTTP2UpgradeChannel) {
            state = Mutex((reading, channel))
        }
    }
}

/// Closes a connection whose handshake does not finish.
private final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limit: TimeAmount
    private var closing: Scheduled<Void>?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        closing = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { closing?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }
}
