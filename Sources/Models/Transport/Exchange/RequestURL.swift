import CCurl

/// A URL that libcurl's own parser has split, so that the checked URL is the requested one.
struct RequestURL {
    /// The host as written, with brackets around an IPv6 address.
    let host: String
    /// The port, or the scheme's default port.
    let port: Int
    /// Whether the scheme is `https`.
    let isSecure: Bool

    /// Checks `text`.
    ///
    /// - Parameter text: An absolute URL.
    /// - Throws: ``TransportError/invalidURL(_:)``, ``TransportError/unsupportedScheme(_:)``.
    init(_ text: String) throws(TransportError) {
        let invalid = TransportError.invalidURL(Self.withoutSecrets(text))
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let handle = curl_url() else { throw invalid }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK, let scheme = Self.part(CURLUPART_SCHEME, of: handle) else { throw invalid }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: handle).flatMap(Int.init)
        else { throw invalid }
        (self.host, self.port, isSecure) = (host, port, scheme == "https")
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT))
        guard code == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension RequestURL {
    /// Returns `url` without user info, query, fragment and control characters, at most 200 characters of it; it need
    /// not be a URL.
    static func withoutSecrets(_ url: String) -> String {
        var rest = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }[...]
        var scheme = ""
        if let colon = rest.firstIndex(of: ":"), rest[colon...].starts(with: "://".unicodeScalars) {
            let start = rest.index(colon, offsetBy: 3)
            scheme = String(rest[..<start])
            rest = rest[start...]
        }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        let printable = String.UnicodeScalarView(rest.filter { $0.value > 0x20 && $0.value != 0x7F })
        return String((scheme + String(printable)).prefix(200))
    }
}
