import CCurl
import Foundation

/// Writes a request's options into an easy handle.
struct CurlOptions {
    let easy: UnsafeMutableRawPointer

    /// Sets everything but the callbacks.
    ///
    /// - Parameters:
    ///   - exchange: The exchange whose request is to be sent.
    ///   - lists: Takes the lists that libcurl refers to, to be freed after the handle, also after an error.
    /// - Throws: ``TransportError/other(curlCode:)``.
    func apply(_ exchange: CurlExchange, lists: inout [UnsafeMutablePointer<curl_slist>]) throws(TransportError) {
        try applyRules()
        try applyConfiguration(exchange.configuration)
        try applyTarget(exchange.request)
        try applyAddresses(of: exchange, lists: &lists)
        try applyDeadlines(exchange.request.deadlines)
        try applyMethod(exchange.request)
        if exchange.acceptsCompression { try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") }
        try applyHeaders(exchange.request.headers, lists: &lists)
    }

    /// Options of every exchange.
    ///
    /// `QUICK_EXIT` allows an exchange to end while its name is being resolved; otherwise libcurl would make the thread
    /// wait for the resolver.
    private func applyRules() throws(TransportError) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
    }

    private func applyConfiguration(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        if let file = configuration.certificateFile { try set(CURLOPT_CAINFO, file) }
        if let folder = configuration.certificateFolder { try set(CURLOPT_CAPATH, folder) }
        if !configuration.usesProxyVariables { try set(CURLOPT_PROXY, "") }
        if let agent = configuration.userAgent { try set(CURLOPT_USERAGENT, agent) }
    }

    private func applyTarget(_ request: HTTPExchangeRequest) throws(TransportError) {
        try set(CURLOPT_URL, request.url)
        if let path = request.unixSocketPath {
            try set(CURLOPT_UNIX_SOCKET_PATH, path)
            try set(CURLOPT_PROXY, "")
        }
    }

    private func applyDeadlines(_ deadlines: HTTPDeadlines) throws(TransportError) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, deadlines.connect.milliseconds)
        if let total = deadlines.total { try set(CURLOPT_TIMEOUT_MS, total.milliseconds) }
    }

    private func applyMethod(_ request: HTTPExchangeRequest) throws(TransportError) {
        if request.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
            return
        }
        let limit = curl_off_t(request.responseByteLimit)
        try check(nexus_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, max(1, limit)))
        if let body = request.body ?? (request.method == "POST" ? Data() : nil) {
            try check(body.withUnsafeBytes { bytes in setBody(bytes) })
        }
        try set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setBody(_ bytes: UnsafeRawBufferPointer) -> CURLcode {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nexus_curl_set_body(easy, "", 0) }
        return nexus_curl_set_body(easy, start, curl_off_t(bytes.count))
    }

    /// `Expect` would cost a round trip, and a form's content type would be wrong: neither is sent unless requested.
    private func applyHeaders(
        _ headers: HTTPHeaders, lists: inout [UnsafeMutablePointer<curl_slist>]
    ) throws(TransportError) {
        var lines = headers.map { header in
            header.value.allSatisfy(\.isWhitespace) ? "\(header.name);" : "\(header.name): \(header.value)"
        }
        lines += ["Expect", "Content-Type"].filter { headers[$0] == nil }.map { "\($0):" }
        try check(nexus_curl_set_headers(easy, try list(of: lines, &lists)))
    }

    /// Connects to the given addresses only.
    ///
    /// libcurl takes them instead of resolving the host, for this exchange and any other to the same host and port in
    /// the next minute. A proxy would resolve the host itself, so none is used.
    private func applyAddresses(
        of exchange: CurlExchange, lists: inout [UnsafeMutablePointer<curl_slist>]
    ) throws(TransportError) {
        guard let addresses = exchange.request.addresses else { return }
        try set(CURLOPT_PROXY, "")
        let target = exchange.target
        // A host that is an address is not resolved.
        guard !target.host.hasPrefix("[") else { return }
        let texts = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
        let line = "+\(target.host):\(target.port):\(texts.joined(separator: ","))"
        try check(nexus_curl_set_resolve(easy, try list(of: [line], &lists)))
    }

    private func list(
        of lines: [String], _ lists: inout [UnsafeMutablePointer<curl_slist>]
    ) throws(TransportError) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw .other(curlCode: Int(CURLE_OUT_OF_MEMORY.rawValue))
            }
            list = longer
        }
        if let list { lists.append(list) }
        return list
    }

    private func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(nexus_curl_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(nexus_curl_set_string(easy, option, value))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .other(curlCode: Int(code.rawValue)) }
    }
}
