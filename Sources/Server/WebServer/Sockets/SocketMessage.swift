import NIOCore
import NIOWebSocket

/// An outgoing text message, encoded once.
///
/// Sockets that send the same message share its bytes.
package struct SocketMessage: Sendable {
    let frame: ByteBuffer

    package init(_ text: String) {
        frame = SocketFrame.bytes(.text, size: text.utf8.count) { $0.writeString(text) }
    }

    /// The bytes that it takes on the wire.
    package var byteCount: Int { frame.readableBytes }
}

/// Frames as a server sends them: whole and not masked.
enum SocketFrame {
    /// The most bytes that a control frame carries.
    static let controlByteLimit = 125

    static func pong(_ payload: ByteBuffer) -> ByteBuffer {
        bytes(.pong, size: payload.readableBytes) { $0.writeImmutableBuffer(payload) }
    }

    static let ping = bytes(.ping, size: 0) { _ in }

    /// Returns a close frame, which carries nothing without a code; a long reason is cut.
    static func close(_ code: SocketCloseCode?, reason: String) -> ByteBuffer {
        guard let code else { return bytes(.connectionClose, size: 0) { _ in } }
        var reason = reason
        while reason.utf8.count > controlByteLimit - 2 { reason.removeLast() }
        return bytes(.connectionClose, size: 2 + reason.utf8.count) { buffer in
            buffer.writeInteger(code.rawValue)
            buffer.writeString(reason)
        }
    }

    static func bytes(
        _ opcode: WebSocketOpcode, size: Int, payload: (inout ByteBuffer) -> Void
    ) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 10 + size)
        buffer.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch size {
        case 0...125: buffer.writeInteger(UInt8(size))
        case 126...0xFFFF:
            buffer.writeInteger(UInt8(126))
            buffer.writeInteger(UInt16(size))
        default:
            buffer.writeInteger(UInt8(127))
            buffer.writeInteger(UInt64(size))
        }
        payload(&buffer)
        return buffer
    }
}
