package import ChatCore
import Glibc

extension IPAddress {
    /// Returns the addresses that the system's resolver has for a name; none if it has none.
    package static func resolve(_ host: String) async -> [IPAddress] {
        await onOwnThread { addresses(of: host) }
    }

    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        var found: [IPAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let entry = next {
            if let address = address(of: entry.pointee), !found.contains(address) { found.append(address) }
            next = entry.pointee.ai_next
        }
        return found
    }

    private static func address(of entry: addrinfo) -> IPAddress? {
        guard let name = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: name.loadUnaligned(as: sockaddr_in.self).sin_addr) { IPAddress(bytes: $0) }
        case AF_INET6:
            return withUnsafeBytes(of: name.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { IPAddress(bytes: $0) }
        default: return nil
        }
    }
}
