import NIOCore
import NIOHTTP1

/// Checks HTTP/1 requests in their original form, before they are converted to the form of all versions.
///
/// Refuses bodies whose end this server and a proxy could see at different places, and closes the connection after the
/// response if the request asks for it, uses HTTP/1.0, asked for another protocol without success, or was answered before
/// its end.
final class HTTP1Guard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// For each unanswered request, whether the connection is closed after the response.
    private var closesAfter: [Bool] = []
    private var refusal: RequestFault?
    private var asksForUpgrade = false
    /// Whether the end of the last request is missing.
    private var isReceiving = false
    /// Whether a request was answered before its end: nothing that follows is passed on.
    private var isLeaving = false
    private var isAnsweredEarly = false
    private let watch: UpgradeWatch
    private let reply: @Sendable (RequestFault) -> FaultReply

    init(watch: UpgradeWatch, reply: @escaping @Sendable (RequestFault) -> FaultReply) {
        self.watch = watch
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        guard !isLeaving else { return discard(context, data) }
        switch Self.unwrapInboundIn(data) {
        case .head(var head):
            if let fault = Self.refusal(of: head) {
                refusal = fault
                if closesAfter.isEmpty { refuse(with: fault, context) }
                return
            }
            asksForUpgrade = head.asksForUpgrade
            isReceiving = true
            closesAfter.append(!head.isKeepAlive || asksForUpgrade)
            // HTTP/1.0 cannot change the protocol (RFC 9110, section 7.8).
            if (head.version.major, head.version.minor) < (1, 1) { head.headers.remove(name: "upgrade") }
            context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        case .end:
            isReceiving = false
            if asksForUpgrade { watch.beginUpgrade() }
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = Self.unwrapOutboundIn(data)
        if case .head(let head) = part, head.status.code >= 200, isReceiving, closesAfter.count == 1 {
            closesAfter[0] = true
            isAnsweredEarly = true
        }
        switch part {
        case .head(var head) where closesAfter.first == true && head.status.code >= 200:
            let options = head.headers[canonicalForm: "connection"].filter { $0.lowercased() == "upgrade" }
            head.headers.replaceOrAdd(name: "Connection", value: (options + ["close"]).joined(separator: ", "))
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let closes = closesAfter.isEmpty ? false : closesAfter.removeFirst()
            guard closes || (refusal != nil && closesAfter.isEmpty) else {
                return context.write(data, promise: promise)
            }
            let written = promise ?? context.eventLoop.makePromise()
            context.write(data, promise: written)
            if let refusal, !closes { return refuse(with: refusal, context) }
            if isAnsweredEarly, isReceiving {
                // The client would lose the answer if bytes of it were left unread: ``PeerDeadlines`` ends the wait.
                isLeaving = true
                context.flush()
                return
            }
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        case .head, .body: context.write(data, promise: promise)
        }
    }

    /// Drops the rest of a request that was answered, and closes the connection at its end.
    private func discard(_ context: ChannelHandlerContext, _ data: NIOAny) {
        if case .end = Self.unwrapInboundIn(data) { context.close(promise: nil) }
    }

    private func refuse(with fault: RequestFault, _ context: ChannelHandlerContext) {
        let reply = reply(fault)
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status),
            headers: [
                "Connection": "close", "Content-Length": "\(reply.body.count)", "Content-Type": reply.contentType,
                "X-Content-Type-Options": "nosniff",
            ])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: reply.body)))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    /// Returns the reason why a request cannot be read; nil if it can.
    private static func refusal(of head: HTTPRequestHead) -> RequestFault? {
        let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        if !codings.isEmpty {
            guard codings == ["chunked"] else { return .unknownTransferCoding }
            guard (head.version.major, head.version.minor) >= (1, 1) else { return .unreadableLength }
        }
        let lengths = head.headers["content-length"]
        guard lengths.count <= 1 else { return .unreadableLength }
        guard let length = lengths.first else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .unreadableLength }
        // More than any limit of a body.
        return Int(length) == nil ? .endlessBody : nil
    }
}
