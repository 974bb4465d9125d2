import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes in network order.
    public let bytes: [UInt8]

    /// Reads four decimal numbers, or the text of an IPv6 address without zone; nil for any other text.
    public init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// Takes 4 or 16 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Whether the address is this machine's own.
    public var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return embedded?.isLoopback ?? (bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1)
    }

    /// Whether the address belongs to the public internet: globally reachable unicast.
    ///
    /// Based on the special-purpose registries of IANA (RFC 6890 and its updates). An IPv6 address that carries an
    /// IPv4 address (mapped, NAT64, 6to4) is as public as that one.
    public var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialFour.contains { $0.contains(bytes) } }
        if let embedded { return embedded.isPublic }
        return Self.globalUnicast.contains(bytes) && !Self.specialSixteen.contains { $0.contains(bytes) }
    }

    /// The IPv4 address of a mapped one (`::ffff:192.0.2.1`), as systems name the clients of a socket for both; else itself.
    public var unmapped: IPAddress {
        bytes.count == 16 && Self.mapped.contains(bytes) ? IPAddress(bytes: bytes[12...]) ?? self : self
    }

    /// The IPv4 address that an IPv6 address carries (mapped, NAT64, 6to4); nil for others.
    public var embedded: IPAddress? {
        guard bytes.count == 16 else { return nil }
        if Self.mapped.contains(bytes) || Self.translated.contains(bytes) { return IPAddress(bytes: bytes[12...]) }
        return Self.sixToFour.contains(bytes) ? IPAddress(bytes: bytes[2..<6]) : nil
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual text of the address.
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes { inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count)) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension IPAddress {
    /// All addresses that begin with the same bits.
    fileprivate struct Block {
        let start: [UInt8]
        let bitCount: Int

        init(_ start: [UInt8], _ bitCount: Int) {
            self.start = start
            self.bitCount = bitCount
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let (whole, rest) = bitCount.quotientAndRemainder(dividingBy: 8)
            func byte(_ index: Int) -> UInt8 { index < start.count ? start[index] : 0 }
            guard (0..<whole).allSatisfy({ bytes[$0] == byte($0) }) else { return false }
            return rest == 0 || (bytes[whole] ^ byte(whole)) >> (8 - rest) == 0
        }
    }

    private static let specialFour = [
        Block([0], 8),  // this network
        Block([10], 8), Block([172, 16], 12), Block([192, 168], 16),  // private
        Block([100, 64], 10),  // carrier-grade NAT
        Block([127], 8),  // loopback
        Block([169, 254], 16),  // link-local, and the metadata services of clouds
        Block([192, 0, 0], 24),  // IETF protocols
        Block([192, 0, 2], 24), Block([198, 51, 100], 24), Block([203, 0, 113], 24),  // documentation
        Block([192, 88, 99], 24),  // relays of 6to4
        Block([198, 18], 15),  // benchmarks
        Block([224], 4),  // multicast
        Block([240], 4),  // reserved, and broadcast
    ]

    private static let globalUnicast = Block([0x20], 3)
    private static let specialSixteen = [
        Block([0x20, 0x01], 23),  // IETF protocols, Teredo among them
        Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x3F, 0xFF], 20),  // documentation
    ]

    /// `::ffff:0:0/96`.
    fileprivate static let mapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
    /// `64:ff9b::/96`, NAT64.
    private static let translated = Block([0x00, 0x64, 0xFF, 0x9B], 96)
    /// `2002::/16`.
    private static let sixToFour = Block([0x20, 0x02], 16)
}

/// An address, or all addresses that begin with the same bits: `10.0.0.0/8`.
public struct IPNetwork: Hashable, Sendable {
    private let start: IPAddress
    private let bitCount: Int

    /// Reads `192.0.2.1`, `10.0.0.0/8` or `2001:db8::/32`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = IPAddress(String(parts[0])) else { return nil }
        let width = start.bytes.count * 8
        guard parts.count == 2 else {
            self = IPNetwork(start: start, bitCount: width)
            return
        }
        guard let count = Int(parts[1]), (0...width).contains(count) else { return nil }
        self = IPNetwork(start: start, bitCount: count)
    }

    private init(start: IPAddress, bitCount: Int) {
        (self.start, self.bitCount) = (start, bitCount)
    }

    /// Whether an address belongs to it.
    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == start.bytes.count && IPAddress.Block(start.bytes, bitCount).contains(address.bytes)
    }
}
