import Glibc
import NIOCore
import NIOPosix

/// A socket of the load: reads frames without decoding their JSON, and looks for stamps in them.
struct BenchSocket: Sendable {
    private let channel: any Channel
    /// The first text frame's size, once it was read.
    let firstFrame: EventLoopFuture<FirstFrame>

    /// What the first text frame had.
    struct FirstFrame: Sendable {
        let byteCount: Int
        let stampCount: Int
        let moment: NIODeadline
    }

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - port: The port on 127.0.0.1.
    ///   - path: The path and query.
    ///   - user: The user; nil for none.
    ///   - ledger: Gets the stamps; nil if nobody wants them.
    ///   - group: The event loops of sockets.
    /// - Returns: The socket, after the handshake was answered.
    /// - Throws: If the server refuses it.
    static func open(
        _ port: Int, path: String, user: String?, ledger: Ledger?, on group: any EventLoopGroup
    ) async throws -> BenchSocket {
        var request =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: nexus.v1\r\n"
        if let user { request += "X-Nexus-User: \(user)\r\n" }
        let head = ByteBuffer(string: request + "\r\n")
        let (socket, opened) = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16_384))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let opened = channel.eventLoop.makePromise(of: Void.self)
                    let first = channel.eventLoop.makePromise(of: FirstFrame.self)
                    try channel.pipeline.syncOperations.addHandler(
                        FrameReader(opened: opened, first: first, ledger: ledger))
                    return (BenchSocket(channel: channel, firstFrame: first.futureResult), opened.futureResult)
                }
            }
        socket.channel.writeAndFlush(head, promise: nil)
        try await opened.get()
        return socket
    }

    /// Closes the connection without a close frame, and waits until it is closed.
    func close() async {
        try? await channel.close().get()
    }
}

/// Reads the answer to the handshake, then frames.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let headEnd = Array("\r\n\r\n".utf8)

    private let ledger: Ledger?
    private var opened: EventLoopPromise<Void>?
    private var first: EventLoopPromise<BenchSocket.FirstFrame>?
    private var bytes: ByteBuffer?

    init(opened: EventLoopPromise<Void>, first: EventLoopPromise<BenchSocket.FirstFrame>, ledger: Ledger?) {
        self.opened = opened
        self.first = first
        self.ledger = ledger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = Self.unwrapInboundIn(data)
        var bytes = self.bytes.take() ?? ByteBuffer()
        if bytes.readableBytes == 0 { bytes = part } else { bytes.writeBuffer(&part) }
        if opened != nil {
            guard let end = bytes.readableBytesView.firstRange(of: Self.headEnd) else {
                self.bytes = bytes
                return
            }
            let status = String(decoding: bytes.readableBytesView.prefix(12).suffix(3), as: UTF8.self)
            guard status == "101" else { return fail(context, BenchFault("a socket was refused: \(status)")) }
            bytes.moveReaderIndex(to: end.upperBound)
            opened.take()?.succeed()
        }
        while let (opcode, payload) = Self.frame(&bytes) { take(opcode, payload, context) }
        // Idle sockets keep no buffer.
        if bytes.readableBytes > 0 { self.bytes = bytes }
    }

    /// Removes a whole frame from the front; servers do not mask them.
    private static func frame(_ bytes: inout ByteBuffer) -> (opcode: UInt8, payload: ByteBuffer)? {
        let start = bytes.readerIndex
        guard let head = bytes.readInteger(as: UInt8.self), let short = bytes.readInteger(as: UInt8.self) else {
            bytes.moveReaderIndex(to: start)
            return nil
        }
        var length: Int? = Int(short)
        if short == 126 { length = bytes.readInteger(as: UInt16.self).map { Int($0) } }
        if short == 127 { length = bytes.readInteger(as: UInt64.self).map { Int($0) } }
        guard let length, let payload = bytes.readSlice(length: length) else {
            bytes.moveReaderIndex(to: start)
            return nil
        }
        return (head & 0x0F, payload)
    }

    private func take(_ opcode: UInt8, _ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        switch opcode {
        case 1:
            let moment = NIODeadline.now()
            let stamps = Stamp.numbers(in: payload)
            if !stamps.isEmpty { ledger?.note(stamps, at: moment) }
            first.take()?.succeed(
                BenchSocket.FirstFrame(
                    byteCount: payload.readableBytes, stampCount: stamps.count, moment: moment))
        case 9:
            // A pong with a mask of zeros.
            context.writeAndFlush(
                Self.wrapOutboundOut(ByteBuffer(bytes: [0x8A, 0x80, 0, 0, 0, 0])), promise: nil)
        case 8: ledger?.countLoss()
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) { fail(context, ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(context, error) }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        opened.take()?.fail(error)
        first.take()?.fail(error)
        context.close(promise: nil)
    }
}

/// The number of a message, in its text as `~17~`.
enum Stamp {
    private static let mark = UInt8(ascii: "~")

    static func text(_ number: Int) -> String { "~\(number)~" }

    /// Returns the numbers in a frame.
    static func numbers(in payload: ByteBuffer) -> [Int] {
        payload.withUnsafeReadableBytes { bytes in
            var found: [Int] = []
            var place = 0
            while let start = next(in: bytes, from: place), let end = next(in: bytes, from: start + 1) {
                var number = 0
                for index in (start + 1)..<end { number = number * 10 + Int(bytes[index]) - 48 }
                found.append(number)
                place = end + 1
            }
            return found
        }
    }

    private static func next(in bytes: UnsafeRawBufferPointer, from place: Int) -> Int? {
        guard place < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + place, Int32(mark), bytes.count - place)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
