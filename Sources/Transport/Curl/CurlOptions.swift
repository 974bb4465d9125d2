import CCurl
import Foundation

/// Writes a request's options into an easy handle.
struct CurlOptions {
    let easy: UnsafeMutableRawPointer

    /// Sets everything but the callbacks.
    ///
    /// - Parameter exchange: The exchange whose request is to be sent.
    /// - Returns: The header list, to be freed after the handle.
    /// - Throws: ``TransportError/other(curlCode:)``.
    func apply(_ exchange: CurlExchange) throws(TransportError) -> UnsafeMutablePointer<curl_slist>? {
        try applyRules()
        try applyConfiguration(exchange.configuration)
        try applyTarget(exchange.request)
        try applyDeadlines(exchange.request.deadlines)
        try applyMethod(exchange.request)
        if exchange.acceptsCompression { try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") }
        return try applyHeaders(exchange.request.headers)
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
    private func applyHeaders(_ headers: HTTPHeaders) throws(TransportError) -> UnsafeMutablePointer<curl_slist>? {
        var lines = headers.map { header in
            header.value.allSatisfy(\.isWhitespace) ? "\(header.name);" : "\(header.name): \(header.value)"
        }
        lines += ["Expect", "Content-Type"].filter { headers[$0] == nil }.map { "\($0):" }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw .other(curlCode: Int(CURLE_OUT_OF_MEMORY.rawValue))
            }
            list = longer
        }
        let code = nexus_curl_set_headers(easy, list)
        if code != CURLE_OK { curl_slist_free_all(list) }
        try check(code)
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
