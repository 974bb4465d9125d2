import NIOCore
import NIOHTTP1

/// Watches the bytes of an HTTP/1 connection before the decoder, for what follows a request to change the protocol.
///
/// The decoder reads nothing more after such a request and would keep all further bytes in memory. They are dropped
/// here, because a client must wait for the answer before it sends more.
final class UpgradeWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Whether the client sent something before it was answered.
    private(set) var sawEarlyBytes = false
    /// Whether the server stops.
    private(set) var isQuiescing = false
    private var isUpgrading = false

    private static let headEnd = Array("\r\n\r\n".utf8)

    /// Notes that a request to change the protocol was read to its end.
    func beginUpgrade() { isUpgrading = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isUpgrading else {
            sawEarlyBytes = true
            return
        }
        let bytes = Self.unwrapInboundIn(data)
        context.fireChannelRead(data)
        // The decoder calls `beginUpgrade` meanwhile.
        if isUpgrading, !Self.endsHead(bytes) { sawEarlyBytes = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { isQuiescing = true }
        context.fireUserInboundEventTriggered(event)
    }

    private static func endsHead(_ bytes: ByteBuffer) -> Bool {
        bytes.readableBytesView.suffix(headEnd.count).elementsEqual(headEnd.suffix(bytes.readableBytes))
    }
}

extension HTTPRequestHead {
    /// Whether the decoder reads nothing more after this request: the client asks for another protocol.
    var asksForUpgrade: Bool {
        if method == .CONNECT { return true }
        guard headers.contains(name: "upgrade") else { return false }
        return headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }
}
