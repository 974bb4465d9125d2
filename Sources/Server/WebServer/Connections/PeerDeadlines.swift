import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Disconnects clients that send the head or body of a request too slowly, or do not read the response; tells
/// ``ConnectionShares`` of requests.
///
/// An answer that comes before the end of its request ends the connection: the rest is read for a moment only, so that
/// the client sees the answer. It also answers requests whose head is too large. Its place is behind the decoder of a connection, or of one stream
/// of an HTTP/2 connection.
final class PeerDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: PeerLimits
    private let shares: ConnectionShares
    private let sendsFile: @Sendable (HTTPRequest) -> Bool
    private let reply: @Sendable (RequestFault) -> FaultReply
    private var arrival: Scheduled<Void>?
    private var reading: Scheduled<Void>?
    private var missesBody = false
    /// Whether the body did not come with the head.
    private var isWaiting = false
    private var unansweredCount = 0
    /// Whether a file arrives: its limit is for a number of bytes, because a large file takes long.
    private var isUpload = false
    /// The bytes of a file since its timer began.
    private var arrivedCount = 0

    init(limits: PeerLimits, shares: ConnectionShares, application: ServedApplication) {
        self.limits = limits
        self.shares = shares
        sendsFile = application.isUpload
        reply = application.reply
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guardRequests(context)
        if context.channel.isActive { expectHead(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelActive(context: ChannelHandlerContext) {
        expectHead(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        // A connection of HTTP/1 is forgotten when it is closed; a stream has only this.
        shares.end(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            arrival?.cancel()
            arrival = nil
            missesBody = true
            unansweredCount += 1
            arrivedCount = 0
            shares.begin(context.channel)
            isUpload = sendsFile(head)
        case .body(let bytes):
            arrivedCount += bytes.readableBytes
            guard isUpload, arrivedCount >= PeerLimits.uploadPortion else { break }
            arrivedCount = 0
            arrival?.cancel()
            arrival = nil
        case .end:
            arrival?.cancel()
            arrival = nil
            missesBody = false
            if isWaiting { shares.complete(context.channel) }
            isWaiting = false
        }
        context.fireChannelRead(data)
    }

    /// Starts the timer for a body; most requests arrive complete and need none.
    func channelReadComplete(context: ChannelHandlerContext) {
        if missesBody, !isWaiting {
            isWaiting = true
            shares.wait(context.channel)
        }
        if missesBody, arrival == nil { arrival = closing(context, after: limits.body) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .head(var head):
            head.headerFields[.xContentTypeOptions] = "nosniff"
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            shares.end(context.channel)
            unansweredCount -= 1
            guard missesBody, unansweredCount == 0 else { return }
            arrival?.cancel()
            arrival = closing(context, after: limits.rest)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        reading?.cancel()
        // Writable again means that the client read the bytes between the two marks of the outgoing buffer.
        reading = context.channel.isWritable ? nil : closing(context, after: limits.reading)
        context.fireChannelWritabilityChanged()
    }

    /// Answers a head that is too large for the decoder; Hummingbird would report a bad request.
    ///
    /// It is called after every earlier request was answered.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case HTTPParserError.headerOverflow = error else { return context.fireErrorCaught(error) }
        let reply = reply(.headTooLarge)
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: reply.status),
            headerFields: [
                .connection: "close", .contentLength: "\(reply.body.count)", .contentType: reply.contentType,
                .xContentTypeOptions: "nosniff",
            ])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(ByteBuffer(bytes: reply.body))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    /// On a connection of HTTP/1, puts a ``HTTP1Guard`` where requests still have their original form, and an
    /// ``UpgradeWatch`` before the decoder.
    private func guardRequests(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        let watch = UpgradeWatch()
        try? pipeline.addHandler(watch, position: .before(decoder))
        try? pipeline.addHandler(HTTP1Guard(watch: watch, reply: reply), position: .after(decoder))
    }

    /// The connection's idle timeout takes over after a response: it holds until the next head is complete.
    private func expectHead(_ context: ChannelHandlerContext) {
        guard arrival == nil else { return }
        arrival = closing(context, after: limits.head)
    }

    private func closing(_ context: ChannelHandlerContext, after time: TimeAmount) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    private func stop() {
        arrival?.cancel()
        reading?.cancel()
    }
}

/// The time limits of a client.
struct PeerLimits: Sendable {
    /// The bytes of a file that arrive in the time of a body at least: about 2 KiB in a second.
    static let uploadPortion = 64 * 1024

    /// From the start of the connection to the end of the first request's head, including a TLS handshake.
    let head: TimeAmount
    /// From a request's head to the end of its body; for ``uploadPortion`` of a file that is uploaded.
    let body: TimeAmount
    /// For the rest of a request that was answered before its end.
    let rest: TimeAmount
    /// For reading a full outgoing buffer (about 32 KiB).
    let reading: TimeAmount
}
