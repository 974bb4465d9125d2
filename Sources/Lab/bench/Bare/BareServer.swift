import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Rooms of sockets: `GET /socket?rooms=a,b` opens a socket in rooms, `POST /send?room=a` sends the body to all of a room.
///
/// A socket with `replay=N` first gets one frame of N bytes, as a client does that resumes.
struct BareServer {
    let group: MultiThreadedEventLoopGroup
    private let rooms = BareRooms()

    init(group: MultiThreadedEventLoopGroup) {
        self.group = group
    }

    /// Binds 127.0.0.1 and returns the listening channel.
    func start(port: Int) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4_096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [rooms] channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.configure(channel, rooms)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
    }

    private static func configure(_ channel: any Channel, _ rooms: BareRooms) throws {
        let name = "requests"
        let upgrader = NIOWebSocketServerUpgrader { channel, head in
            var headers = HTTPHeaders()
            if let offer = head.headers.first(name: "sec-websocket-protocol") {
                headers.add(name: "Sec-WebSocket-Protocol", value: offer)
            }
            return channel.eventLoop.makeSucceededFuture(headers)
        } upgradePipelineHandler: { channel, head in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(BareSocketHandler(head.uri, rooms))
            }
        }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader], completionHandler: { $0.pipeline.removeHandler(name: name, promise: nil) }
            ))
        try channel.pipeline.syncOperations.addHandler(BareRequestHandler(rooms), name: name)
    }
}

/// Returns the value of a query parameter; names and values are not percent-decoded.
func parameter(_ name: String, of uri: String) -> Substring? {
    guard let mark = uri.firstIndex(of: "?") else { return nil }
    for pair in uri[uri.index(after: mark)...].split(separator: "&") where pair.hasPrefix(name + "=") {
        return pair.dropFirst(name.count + 1)
    }
    return nil
}

/// `POST /send?room=a`.
private final class BareRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let rooms: BareRooms
    private var uri = ""
    private var body = ByteBuffer()

    init(_ rooms: BareRooms) {
        self.rooms = rooms
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            uri = head.uri
            body.clear()
        case .body(let part): body.writeImmutableBuffer(part)
        case .end:
            let room = parameter("room", of: uri)
            if let room { rooms.send(body, to: String(room)) }
            answer(room == nil ? .notFound : .created, context)
        }
    }

    private func answer(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["Content-Length": "0"])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// A socket in its rooms.
private final class BareSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let rooms: BareRooms
    private let names: [String]
    private let replayByteCount: Int

    init(_ uri: String, _ rooms: BareRooms) {
        self.rooms = rooms
        names = parameter("rooms", of: uri)?.split(separator: ",").map(String.init) ?? []
        replayByteCount = parameter("replay", of: uri).flatMap { Int($0) } ?? 0
    }

    func handlerAdded(context: ChannelHandlerContext) {
        rooms.join(context.channel, names)
        guard replayByteCount > 0 else { return }
        let text = ByteBuffer(repeating: UInt8(ascii: "x"), count: replayByteCount)
        context.writeAndFlush(
            Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: text)), promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { rooms.leave(context.channel, names) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        if frame.opcode == .connectionClose { context.close(promise: nil) }
    }
}
