extension HTTPExchangeRequest {
    /// Checks everything that goes into the request's head, so that nothing can smuggle in a line of its own.
    ///
    /// - Returns: The URL's parts.
    /// - Throws: ``TransportError/invalidMethod``, ``TransportError/invalidHeader(name:)``, and the errors of
    ///   ``RequestURL``.
    func validated() throws(TransportError) -> RequestURL {
        let target = try RequestURL(url)
        guard Self.isToken(method) else { throw .invalidMethod }
        for header in headers { try Self.check(header) }
        if let unixSocketPath, unixSocketPath.utf8.contains(0) || unixSocketPath.isEmpty {
            throw .cannotConnect("unix:")
        }
        return target
    }

    private static func check(_ header: HTTPHeaders.Element) throws(TransportError) {
        guard isToken(header.name) else { throw .invalidHeader(name: "?") }
        let isReserved = ["content-length", "transfer-encoding"].contains(header.name.lowercased())
        let isPlain = header.value.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
        guard isPlain && !isReserved else { throw .invalidHeader(name: header.name) }
    }

    /// Whether `text` is a token of RFC 9110, section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
