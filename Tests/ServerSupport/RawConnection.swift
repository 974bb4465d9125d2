import Dispatch
import Foundation
import Glibc

/// A TCP connection to a server on this machine, byte by byte.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects, with a socket's buffer of this size or of the system's choice.
    package init(port: Int, receiveByteCount: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveByteCount {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveByteCount, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends text; a connection that the server has closed takes nothing.
    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the server closes the connection.
    package func readToEnd() async -> String {
        await withCheckedContinuation { continuation in
            // On another thread, because the wait blocks.
            DispatchQueue.global().async { [descriptor] in
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 65_536)
                while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 {
                    bytes += piece[..<count]
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
