import NIOCore
import NIOWebSocket

/// The protocol of one socket (RFC 6455) on its event loop, behind the decoder of frames.
///
/// Owns the timers. No extension is negotiated, so reserved bits are faults.
final class SocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// A close frame was sent; the peer's answer or its end of the connection is missing.
        case closing
        case closed
    }

    private let settings: SocketSettings
    private var context: ChannelHandlerContext?
    private var session: SocketSession?
    private var phase = Phase.open
    /// The fragments of a message that is not complete.
    private var fragments: ByteBuffer?
    private var isPaused = false
    /// The next ping while open, then the end of the wait for the peer.
    private var timer: Scheduled<Void>?
    private var unansweredPingCount = 0
    private var pingCount = 0
    private var pingWindowEnd = NIODeadline.uptimeNanoseconds(0)

    init(settings: SocketSettings) {
        self.settings = settings
    }

    func start(_ session: SocketSession) {
        self.session = session
        schedulePing()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        guard phase == .open else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        unansweredPingCount = 0
        guard frame.maskKey != nil else { return fail(.protocolError, "frames of a client must be masked") }
        guard frame.reservedBits.isEmpty else { return fail(.protocolError, "no extension was negotiated") }
        take(frame)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The handlers of HTTP behind this one may hold up a read.
        if !isPaused { context.read() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: stop()
        // Nobody is left who could want an answer.
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.messageTooLarge, "the message is too large")
        case is NIOWebSocketError: fail(.protocolError, "a control frame is fragmented or too large")
        // What follows a frame that could not be decoded.
        case ByteToMessageDecoderError.dataReceivedInErrorState: break
        default: context.close(promise: nil)
        }
    }

    /// Closes the socket because the server stops.
    func stop() {
        close(SocketClosing(code: .serviceRestart, reason: "the server stops"))
    }

    /// Reads again after the application has read.
    func resumeReading() {
        isPaused = false
        context?.read()
    }

    /// Writes what the application has sent, then closes if it asked for that.
    func writeOutgoing() {
        guard let session else { return }
        let (frames, closing) = session.takeOutgoing()
        write(frames)
        if let closing { close(closing) }
    }

    private func write(_ frames: [ByteBuffer]) {
        let byteCount = frames.reduce(0) { $0 + $1.readableBytes }
        guard byteCount > 0 else { return }
        guard let context, phase == .open else {
            session?.countWritten(byteCount)
            return
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [session] _ in session?.countWritten(byteCount) }
        for frame in frames.dropLast() { context.write(Self.wrapOutboundOut(frame), promise: nil) }
        if let last = frames.last { context.writeAndFlush(Self.wrapOutboundOut(last), promise: written) }
    }
}

/// Frames of the peer.
extension SocketHandler {
    private func take(_ frame: WebSocketFrame) {
        let payload = frame.unmaskedData
        switch frame.opcode {
        case .text where fragments == nil: takePiece(payload, isLast: frame.fin)
        case .binary where fragments == nil: fail(.unacceptableData, "messages must be text")
        case .continuation where fragments != nil: takePiece(payload, isLast: frame.fin)
        case .ping: takePing(payload)
        case .pong: break
        case .connectionClose: takeClose(payload)
        default: fail(.protocolError, "this frame may not come here")
        }
    }

    private func takePiece(_ piece: ByteBuffer, isLast: Bool) {
        var message = piece
        if var joined = fragments {
            guard joined.readableBytes + piece.readableBytes <= settings.messageByteLimit else {
                return fail(.messageTooLarge, "the message is too large")
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
            return fail(.invalidText, "the text is not valid UTF-8")
        }
        if session?.receive(text) == true { isPaused = true }
    }

    private func takePing(_ payload: ByteBuffer) {
        guard let context else { return }
        let now = NIODeadline.now()
        if now >= pingWindowEnd {
            pingWindowEnd = now + TimeAmount(settings.pingWindow)
            pingCount = 0
        }
        pingCount += 1
        guard pingCount <= settings.pingLimit else { return fail(.policyViolation, "too many pings") }
        context.writeAndFlush(Self.wrapOutboundOut(SocketFrame.pong(payload)), promise: nil)
    }

    /// Answers the peer's close frame with the same code.
    private func takeClose(_ payload: ByteBuffer) {
        var payload = payload
        guard payload.readableBytes > 0 else { return answerClose(nil) }
        let code = payload.readInteger(as: UInt16.self).map { SocketCloseCode(rawValue: $0) }
        guard let code, code.isSendable else { return fail(.protocolError, "this code may not be sent") }
        guard (try? payload.readUTF8ValidatedString(length: payload.readableBytes)) != nil else {
            return fail(.invalidText, "the reason is not valid UTF-8")
        }
        answerClose(code)
    }

    private func answerClose(_ code: SocketCloseCode?) {
        beginClosing(SocketClosing(code: code, reason: "", isByClient: true)) { context in
            context.close(promise: nil)
        }
    }
}

/// Pings and the end.
extension SocketHandler {
    /// Sockets wake together: ten thousand single wakes in an interval cost more than twice as much.
    private func schedulePing() {
        let interval = TimeAmount(settings.pingInterval).nanoseconds
        let step = UInt64(max(1, min(interval / 50, 500_000_000)))
        let due = (NIODeadline.now() + .nanoseconds(interval)).uptimeNanoseconds
        schedule(at: .uptimeNanoseconds((due / step + 1) * step)) { $0.ping($1) }
    }

    private func ping(_ context: ChannelHandlerContext) {
        guard phase == .open else { return }
        // While nothing is read, the peer's answers are not seen.
        if !isPaused {
            guard unansweredPingCount < settings.missedPingLimit else {
                return close(SocketClosing(code: .goingAway, reason: "no answer to pings"))
            }
            unansweredPingCount += 1
        }
        context.writeAndFlush(Self.wrapOutboundOut(SocketFrame.ping), promise: nil)
        session?.tick()
        schedulePing()
    }

    /// Sends a close frame after everything that the application has sent, and waits for the peer's.
    private func close(_ closing: SocketClosing) {
        guard phase == .open, let session else { return }
        write(session.takeOutgoing().frames)
        beginClosing(closing) { _ in }
    }

    /// Closes because of a fault; nothing more that the peer sends is of interest.
    ///
    /// The connection's own direction is closed first and the rest is read away: closing at once would reset it, and the
    /// peer might never see the close frame.
    private func fail(_ code: SocketCloseCode, _ reason: String) {
        guard phase == .open else { return }
        beginClosing(SocketClosing(code: code, reason: reason)) { context in
            context.close(mode: .output, promise: nil)
        }
    }

    private func beginClosing(
        _ closing: SocketClosing, whenSent: @escaping (ChannelHandlerContext) -> Void
    ) {
        guard phase == .open, let context else { return }
        phase = .closing
        fragments = nil
        session?.end(closing)
        schedule(after: settings.closeTimeout) { $1.close(promise: nil) }
        let frame = SocketFrame.close(closing.code, reason: closing.reason)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { whenSent(context) }
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: sent)
        if isPaused { resumeReading() }
    }

    private func end() {
        timer?.cancel()
        timer = nil
        phase = .closed
        fragments = nil
        session?.end(nil)
        session = nil
        context = nil
    }

    private func schedule(
        after time: Duration, _ action: @escaping (SocketHandler, ChannelHandlerContext) -> Void
    ) {
        schedule(at: .now() + TimeAmount(time), action)
    }

    private func schedule(
        at deadline: NIODeadline, _ action: @escaping (SocketHandler, ChannelHandlerContext) -> Void
    ) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            guard let self, let context = self.context else { return }
            action(self, context)
        }
    }
}
