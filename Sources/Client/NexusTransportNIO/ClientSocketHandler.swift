import NIOCore
import NIOWebSocket
import NexusClient

/// The protocol of a client's socket (RFC 6455) on its event loop, behind the decoder of frames.
final class ClientSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let socket: NIOClientSocket
    private let limits: NIOTransport.Limits
    private var context: ChannelHandlerContext?
    /// The fragments of a message that is not complete.
    private var fragments: ByteBuffer?
    private var isClosing = false
    private var timer: Scheduled<Void>?

    init(socket: NIOClientSocket, limits: NIOTransport.Limits) {
        self.socket = socket
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        startTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        guard !isClosing else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        startTimer()
        guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError) }
        switch frame.opcode {
        case .text where fragments == nil: takePiece(frame.data, isLast: frame.fin)
        case .continuation where fragments != nil: takePiece(frame.data, isLast: frame.fin)
        case .ping: context.writeAndFlush(Self.wrapOutboundOut(ClientFrame.make(.pong, frame.data)), promise: nil)
        case .pong: break
        case .connectionClose: takeClose(frame.data, context)
        case .binary: fail(.unacceptableData)
        default: fail(.protocolError)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.messageTooLarge, .tooLarge)
        case is NIOWebSocketError: fail(.protocolError)
        default:
            socket.end(.failure(.broken), code: nil)
            context.close(promise: nil)
        }
    }

    /// Closes the socket because the client leaves.
    func close(_ code: WebSocketErrorCode) {
        guard !isClosing else { return }
        socket.end(.success(()), code: nil)
        sendClose(code)
    }

    private func takePiece(_ piece: ByteBuffer, isLast: Bool) {
        var message = piece
        if var joined = fragments {
            guard joined.readableBytes + piece.readableBytes <= limits.byteCount else {
                return fail(.messageTooLarge, .tooLarge)
            }
            // Nil, so that the joined bytes are not copied.
            fragments = nil
            joined.writeImmutableBuffer(piece)
            message = joined
        }
        guard isLast else {
            fragments = message
            return
        }
        fragments = nil
        guard let text = try? message.readUTF8ValidatedString(length: message.readableBytes) else {
            return fail(.dataInconsistentWithMessage)
        }
        if socket.receive(text) { context?.channel.setOption(.autoRead, value: false).whenComplete { _ in } }
    }

    private func takeClose(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        var rest = payload
        let code = rest.readInteger(as: UInt16.self)
        isClosing = true
        socket.end(.success(()), code: code)
        let answer = ByteBuffer(payload.readableBytesView.prefix(2))
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(ClientFrame.make(.connectionClose, answer)), promise: sent)
    }

    private func fail(_ code: WebSocketErrorCode, _ error: ClientTransportError = .protocolViolation) {
        guard !isClosing else { return }
        socket.end(.failure(error), code: nil)
        sendClose(code)
    }

    private func sendClose(_ code: WebSocketErrorCode) {
        isClosing = true
        guard let context else { return }
        var payload = ByteBuffer()
        payload.write(webSocketErrorCode: code)
        context.writeAndFlush(Self.wrapOutboundOut(ClientFrame.make(.connectionClose, payload)), promise: nil)
        // A paused connection would not see the server's answer.
        context.channel.setOption(.autoRead, value: true).whenComplete { _ in }
        schedule(limits.close) { $0.context?.close(promise: nil) }
    }

    private func end() {
        timer?.cancel()
        timer = nil
        socket.end(.failure(.broken), code: nil)
        context = nil
    }

    /// Starts to wait for the next sign of the server.
    private func startTimer() {
        schedule(limits.silence) { handler in
            // While nothing is read, the server seems to be silent.
            guard !handler.socket.isPaused else { return handler.startTimer() }
            handler.socket.end(.failure(.timedOut), code: nil)
            handler.context?.close(promise: nil)
        }
    }

    private func schedule(_ time: Duration, _ action: @escaping (ClientSocketHandler) -> Void) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
            if let self { action(self) }
        }
    }
}
