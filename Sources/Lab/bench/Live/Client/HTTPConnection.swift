import NIOCore
import NIOPosix

/// The reply to a request.
struct HTTPReply: Sendable {
    let status: Int
    let body: ByteBuffer

    var text: String { String(buffer: body) }
}

/// A connection over HTTP/1.1 that is kept open; one request at a time.
struct HTTPConnection: Sendable {
    private let channel: any Channel
    private let reader: NIOLoopBound<ReplyReader>

    static func open(_ port: Int, on group: any EventLoopGroup) async throws -> HTTPConnection {
        try await ClientBootstrap(group: group).channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let reader = ReplyReader()
                    try channel.pipeline.syncOperations.addHandler(reader)
                    return HTTPConnection(
                        channel: channel, reader: NIOLoopBound(reader, eventLoop: channel.eventLoop))
                }
            }
    }

    /// Sends a request and returns the reply.
    func send(_ method: String, _ path: String, user: String? = nil, body: String = "") async throws -> HTTPReply {
        var bytes = ByteBuffer()
        bytes.writeString("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
        if let user { bytes.writeString("X-Nexus-User: \(user)\r\n") }
        bytes.writeString("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let request = bytes
        let promise = channel.eventLoop.makePromise(of: HTTPReply.self)
        channel.eventLoop.execute {
            reader.value.expect(promise)
            channel.writeAndFlush(request, promise: nil)
        }
        return try await promise.futureResult.get()
    }

    func close() { channel.close(promise: nil) }
}

/// Reads replies that have a length.
private final class ReplyReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let headEnd = Array("\r\n\r\n".utf8)

    private var bytes = ByteBuffer()
    private var promise: EventLoopPromise<HTTPReply>?
    private var isClosed = false

    func expect(_ promise: EventLoopPromise<HTTPReply>) {
        guard !isClosed else { return promise.fail(ChannelError.ioOnClosedChannel) }
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = Self.unwrapInboundIn(data)
        bytes.writeBuffer(&part)
        guard let end = bytes.readableBytesView.firstRange(of: Self.headEnd) else { return }
        let head = String(decoding: bytes.readableBytesView[..<end.lowerBound], as: UTF8.self).lowercased()
        // "\r\n" is one character.
        let fields = head.split(whereSeparator: \.isNewline)
        guard let status = Int(head.dropFirst(9).prefix(3)),
            let length = fields.first(where: { $0.hasPrefix("content-length:") }).flatMap({ Int($0.filter(\.isNumber)) }
            )
        else { return fail(context, BenchFault("a reply has no length")) }
        let headSize = end.upperBound - bytes.readableBytesView.startIndex
        guard bytes.readableBytes >= headSize + length else { return }
        bytes.moveReaderIndex(forwardBy: headSize)
        let body = bytes.readSlice(length: length) ?? ByteBuffer()
        bytes.discardReadBytes()
        promise.take()?.succeed(HTTPReply(status: status, body: body))
    }

    func channelInactive(context: ChannelHandlerContext) { fail(context, ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(context, error) }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        isClosed = true
        promise.take()?.fail(error)
        context.close(promise: nil)
    }
}
