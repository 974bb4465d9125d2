import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A small HTTP and WebSocket server on loopback, for the contract of transports.
final class LoopbackServer: Sendable {
    struct State {
        /// Responses that wait for `POST /go`, and feeds by their names.
        var held: [any Channel] = []
        var feeds: [String: any Channel] = [:]
    }

    let port: Int
    /// Yields once for each held response or feed whose client has left.
    let departures: AsyncStream<Void>
    private let channel: any Channel

    private init(_ channel: any Channel, port: Int, departures: AsyncStream<Void>) {
        self.channel = channel
        self.port = port
        self.departures = departures
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a server while `body` uses it.
    static func run<Value>(_ body: (LoopbackServer) async throws -> Value) async throws -> Value {
        let (departures, departed) = AsyncStream.makeStream(of: Void.self)
        let desk = LoopbackDesk(departed: departed)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1_000_000,
            shouldUpgrade: { channel, head in
                let isGood = head.uri.hasPrefix("/v1/socket?ticket=good")
                let headers: HTTPHeaders = ["Sec-WebSocket-Protocol": "nexus.v1"]
                return channel.eventLoop.makeSucceededFuture(isGood ? headers : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LoopbackSocketHandler())
                }
            })
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = LoopbackHandler(desk)
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: (
                            upgraders: [upgrader],
                            completionHandler: { context in
                                context.pipeline.syncOperations.removeHandler(name: LoopbackHandler.name, promise: nil)
                            }
                        ))
                    try channel.pipeline.syncOperations.addHandler(handler, name: LoopbackHandler.name)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = LoopbackServer(channel, port: channel.localAddress?.port ?? 0, departures: departures)
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }
}

/// What the connections of a server share.
final class LoopbackDesk: Sendable {
    let state = Mutex(LoopbackServer.State())
    let departed: AsyncStream<Void>.Continuation

    init(departed: AsyncStream<Void>.Continuation) {
        self.departed = departed
    }
}

/// Answers requests.
private final class LoopbackHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    static let name = "loopback"

    private let desk: LoopbackDesk
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isHeld = false

    init(_ desk: LoopbackDesk) {
        self.desk = desk
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, ByteBuffer())
        case .body(var part): body.writeBuffer(&part)
        case .end: if let head { answer(head, String(buffer: body), context) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isHeld { desk.departed.yield() }
        context.fireChannelInactive()
    }

    private func answer(_ head: HTTPRequestHead, _ body: String, _ context: ChannelHandlerContext) {
        let path = head.uri.split(separator: "?")[0]
        switch path {
        case "/echo":
            reply(context, 200, body, ["X-Seen": head.headers["x-sent"].joined(), "X-Method": "\(head.method)"])
        case "/teapot": reply(context, 418, "short and stout")
        case "/elsewhere": reply(context, 302, "", ["Location": "/echo"])
        case "/big": reply(context, 200, String(repeating: "x", count: 300_000))
        case "/silent": isHeld = true
        case "/cut":
            begin(context, ["Content-Length": "100"])
            write(context.channel, "0123456789")
            context.close(promise: nil)
        case "/stream":
            isHeld = true
            begin(context, ["Content-Type": "text/event-stream"])
            write(context.channel, "data: one\n\n")
            desk.state.withLock { $0.held.append(context.channel) }
        case "/go":
            for channel in desk.state.withLock({ $0.held }) {
                write(channel, "data: two\n\n")
                channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            }
            reply(context, 204, "")
        case "/v1/socket": reply(context, 401, #"{"code":"ticket_invalid"}"#)
        case "/v1/feed": feed(head, context)
        case "/v1/feed/say": say(body, context)
        default: reply(context, 404, "")
        }
    }

    private func feed(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.uri.hasSuffix("?ticket=good") else { return reply(context, 401, #"{"code":"ticket_invalid"}"#) }
        isHeld = true
        let name = "\(ObjectIdentifier(context.channel).hashValue)"
        desk.state.withLock { $0.feeds[name] = context.channel }
        begin(context, ["Content-Type": "text/event-stream"])
        write(context.channel, ":\n\nevent: stream\ndata: {\"stream\":\"\(name)\"}\n\n")
    }

    /// Sends back what the client said.
    private func say(_ body: String, _ context: ChannelHandlerContext) {
        let fields = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        guard let name = fields?["stream"] as? String, let feed = desk.state.withLock({ $0.feeds[name] }) else {
            return reply(context, 404, #"{"code":"stream_not_found"}"#)
        }
        if fields?["bye"] == nil {
            write(feed, "event: typing\ndata: \(body)\n\n")
        } else {
            write(feed, "event: end\ndata: {\"reason\":\"token_expired\"}\n\n")
            feed.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
        reply(context, 204, "")
    }

    private func begin(_ context: ChannelHandlerContext, _ headers: HTTPHeaders) {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }

    private func write(_ channel: any Channel, _ text: String) {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
    }

    private func reply(
        _ context: ChannelHandlerContext, _ status: Int, _ body: String, _ headers: HTTPHeaders = [:]
    ) {
        var headers = headers
        if status != 204 { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// Sends back what the client says; ends with 3000 when it says bye, and counts to N at once when it says "burst N".
private final class LoopbackSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let words = String(buffer: frame.unmaskedData).split(separator: " ")
        switch frame.opcode {
        case .text where words.first == "burst":
            for number in 0..<(Int(words[1]) ?? 0) {
                let text = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: "\(number)"))
                context.write(Self.wrapOutboundOut(text), promise: nil)
            }
            context.flush()
        case .text where String(buffer: frame.unmaskedData).contains("bye"):
            var code = ByteBuffer()
            code.writeInteger(UInt16(3_000))
            send(.connectionClose, code, context)
        case .text: send(.text, frame.unmaskedData, context)
        case .connectionClose:
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: break
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(
            Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }
}
