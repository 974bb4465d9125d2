import Foundation
import Glibc

/// The socket calls of a stub server.
enum StubServerSockets {
    /// Opens a listening socket; returns its descriptor and its port (0 for a Unix socket).
    static func listen(unixSocketPath: String?) throws(StubServerError) -> (descriptor: Int32, port: Int) {
        let family = unixSocketPath == nil ? AF_INET : AF_UNIX
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = try check("socket", socket(family, kind, 0))
        // A small buffer, so that a client that stops reading is felt soon.
        var byteCount: Int32 = 512 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &byteCount, socklen_t(MemoryLayout<Int32>.size))
        if let unixSocketPath {
            try bind(descriptor, path: unixSocketPath)
        } else {
            try bindToFreePort(descriptor)
        }
        try listen(descriptor)
        return (descriptor, unixSocketPath == nil ? port(of: descriptor) : 0)
    }

    /// Lets a bound socket listen, for the first time or again after it was shut down.
    static func listen(_ descriptor: Int32) throws(StubServerError) {
        try check("listen", Glibc.listen(descriptor, 64))
    }

    /// Waits for a connection; nil when the listener has been shut down.
    static func accept(_ listener: Int32) -> Int32? {
        var descriptor: Int32
        repeat { descriptor = Glibc.accept(listener, nil, nil) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { return nil }
        // Otherwise a body that is written after its head waits for the client's delayed acknowledgement.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// Binds to a port that is named, so that the socket keeps it while it is shut down: the kernel takes back one that
    /// it chose.
    private static func bindToFreePort(_ descriptor: Int32) throws(StubServerError) {
        let finder = try check("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        defer { close(finder) }
        try bindToLoopback(finder, port: 0)
        try bindToLoopback(descriptor, port: port(of: finder))
    }

    private static func bindToLoopback(_ descriptor: Int32, port: Int) throws(StubServerError) {
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try check("bind", code)
    }

    private static func bind(_ descriptor: Int32, path: String) throws(StubServerError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw StubServerError(call: "bind", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try check("bind", code)
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @discardableResult
    private static func check(_ call: String, _ result: Int32) throws(StubServerError) -> Int32 {
        guard result >= 0 else { throw StubServerError(call: call, code: errno) }
        return result
    }
}
