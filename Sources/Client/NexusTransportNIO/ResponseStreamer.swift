import Foundation
import NIOCore
import NIOHTTP1
import NexusClient

/// Sends one request and hands over its response piece by piece.
final class ResponseStreamer: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// The most pieces that wait for the reader; a reader that is slower loses the response.
    private static let waitingLimit = 4_096

    private let silence: TimeAmount
    private var context: ChannelHandlerContext?
    private var promise: EventLoopPromise<ClientStream>?
    private var pieces: AsyncThrowingStream<Data, any Error>.Continuation?
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(silence: TimeAmount) {
        self.silence = silence
    }

    func start(_ promise: EventLoopPromise<ClientStream>, head: HTTPRequestHead, body: ByteBuffer?) {
        guard let context, !isOver else { return promise.fail(ClientTransportError.broken) }
        self.promise = promise
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        if let body { context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
        startTimer()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.broken)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        startTimer()
        switch Self.unwrapInboundIn(data) {
        // Interim responses come before the real one.
        case .head(let head) where head.status.code >= 200: begin(head, context.channel)
        case .head: break
        case .body(let bytes):
            guard case .dropped? = pieces?.yield(Data(bytes.readableBytesView)) else { return }
            finish(.tooLarge)
            context.close(promise: nil)
        case .end:
            guard pieces != nil else { return }
            finish(nil)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.broken)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.broken)
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPResponseHead, _ channel: any Channel) {
        let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingLimit))
        // Also when nobody reads any longer.
        pieces.onTermination = { _ in channel.close(promise: nil) }
        self.pieces = pieces
        var headers: [String: String] = [:]
        for (name, value) in head.headers { headers[name.lowercased(), default: ""].append(field: value) }
        promise?.succeed(
            ClientStream(
                status: Int(head.status.code), headers: headers, body: body, cancel: { channel.close(promise: nil) }))
        promise = nil
    }

    private func finish(_ error: ClientTransportError?) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        promise?.fail(error ?? .broken)
        promise = nil
        pieces?.finish(throwing: error)
        pieces = nil
    }

    private func startTimer() {
        timer?.cancel()
        guard !isOver else { return }
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: silence) { [weak self] in
            self?.finish(.timedOut)
            self?.context?.close(promise: nil)
        }
    }
}
