import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A WebSocket client that writes frame by frame and byte by byte, so it can also send what no client may send.
package final class SocketClient {
    /// A frame of the server.
    package struct Frame: Equatable {
        package var isLast: Bool
        package var opcode: UInt8
        package var payload: [UInt8]

        package init(isLast: Bool = true, opcode: UInt8, payload: [UInt8] = []) {
            self.isLast = isLast
            self.opcode = opcode
            self.payload = payload
        }

        package var text: String { String(decoding: payload, as: UTF8.self) }

        /// The code of a close frame; nil for one without.
        package var code: Int? { payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1]) }

        package var reason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
    }

    package static let text: UInt8 = 1
    package static let binary: UInt8 = 2
    package static let close: UInt8 = 8
    package static let ping: UInt8 = 9
    package static let pong: UInt8 = 10

    private let channel: any Channel
    private var chunks: AsyncStream<ByteBuffer>.Iterator
    private var received = ByteBuffer()

    /// Connects, over TLS if a certificate in PEM is given; `reads` is false for a client that begins to read later.
    package init(port: Int, trusting certificate: String? = nil, reads: Bool = true) async throws {
        let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
        chunks = stream.makeAsyncIterator()
        var context: NIOSSLContext?
        if let certificate {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)))
            context = try NIOSSLContext(configuration: configuration)
        }
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { [context] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    }
                    try pipeline.addHandler(Collector(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    deinit { channel.close(promise: nil) }

    /// Sends bytes; a connection that the server has closed takes nothing.
    package func send(_ bytes: [UInt8]) async { try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    package func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Sends one frame.
    package func send(_ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, isMasked: Bool = true) async {
        await send(Self.frame(opcode, payload, isLast: isLast, isMasked: isMasked))
    }

    package func send(text: String) async { await send(Self.text, Array(text.utf8)) }

    /// Says that nothing more is sent; still reads.
    package func finish() async { try? await channel.close(mode: .output) }

    package func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// The bytes of one frame; `first` is the opcode with the reserved bits.
    package static func frame(
        _ first: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, isMasked: Bool = true
    ) -> [UInt8] {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let length = payload.count
        var bytes = [first | (isLast ? 0x80 : 0)]
        switch length {
        case ...125: bytes.append(UInt8(length))
        case ...0xFFFF: bytes += [126, UInt8(length >> 8), UInt8(length & 0xFF)]
        default: bytes += [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        }
        guard isMasked else { return bytes + payload }
        bytes[1] |= 0x80
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// Returns the next frame; nil if the server has closed the connection.
    package func frame() async -> Frame? {
        guard let head = await read(2) else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            guard let bytes = await read(length == 126 ? 2 : 8) else { return nil }
            length = bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = await read(length) else { return nil }
        return Frame(isLast: head[0] & 0x80 != 0, opcode: head[0] & 0x7F, payload: payload)
    }

    /// Returns a response with its body; nil if the connection was closed before.
    package func reply() async -> Reply? {
        var lines: [String] = []
        repeat {
            guard let line = await line() else { return nil }
            lines.append(line)
        } while lines.last != ""
        let headers = lines.dropFirst().dropLast().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.dropFirst().joined().trimmingCharacters(in: .whitespaces))
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard let body = await read(length) else { return nil }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Reply(status: status, headers: headers, text: String(decoding: body, as: UTF8.self))
    }

    /// Whether the server closes the connection and sends nothing before.
    package func isClosed() async -> Bool { await read(1) == nil }

    private func line() async -> String? {
        var bytes: [UInt8] = []
        while bytes.suffix(2) != [13, 10] {
            guard let next = await read(1) else { return nil }
            bytes += next
        }
        return String(decoding: bytes.dropLast(2), as: UTF8.self)
    }

    private func read(_ count: Int) async -> [UInt8]? {
        while received.readableBytes < count {
            guard var chunk = await chunks.next(isolation: #isolation) else { return nil }
            received.discardReadBytes()
            received.writeBuffer(&chunk)
        }
        return received.readBytes(length: count)
    }
}

extension SocketClient {
    /// The key of RFC 6455, section 1.3, and the answer to it.
    package static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    package static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// The header fields of a good handshake.
    package static let handshake = [
        "Host": "localhost", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key, "Sec-WebSocket-Protocol": "nexus.v1",
    ]

    /// Sends a request for a socket; `fields` are changed from a good handshake, and left out where they are nil.
    package func ask(
        _ line: String = "GET /v1/socket?ticket=good HTTP/1.1", changing fields: [String: String?] = [:],
        then more: [UInt8] = []
    ) async {
        var all = Self.handshake
        for (name, value) in fields { all[name] = value }
        let head = ([line] + all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }).joined(separator: "\r\n")
        await send(Array("\(head)\r\n\r\n".utf8) + more)
    }

    /// Connects and opens a socket.
    package static func open(port: Int, trusting certificate: String? = nil, reads: Bool = true) async throws
        -> SocketClient
    {
        let client = try await SocketClient(port: port, trusting: certificate, reads: reads)
        await client.ask()
        guard reads else { return client }
        guard await client.reply()?.status == 101 else { throw CancellationError() }
        return client
    }
}

/// Hands on what a connection receives.
private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ continuation: AsyncStream<ByteBuffer>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(Self.unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
