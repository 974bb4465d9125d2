extension CurlTransport {
    /// The settings that all exchanges of a transport share.
    package struct Configuration: Equatable, Sendable {
        /// A file with the certificates to trust; `nil` leaves libcurl's own.
        package var certificateFile: String?
        /// A folder with the certificates to trust; `nil` leaves libcurl's own.
        package var certificateFolder: String?
        /// Whether the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` count; libcurl reads them from
        /// the process at each request.
        ///
        /// A Unix socket is never reached through a proxy.
        package var usesProxyVariables: Bool
        /// The `User-Agent` of requests that name none; `nil` sends none.
        package var userAgent: String?
        /// How many bytes of a streamed body may wait for their consumer before the transfer is paused (one more piece
        /// of up to 16 KiB is possible, and the kernel buffers too).
        package var bodyBufferByteLimit: Int
        /// The most bytes of a response's head, interim responses and trailers included.
        package var headByteLimit: Int
        /// The most idle connections for reuse.
        package var idleConnectionLimit: Int

        package init(
            certificateFile: String? = nil, certificateFolder: String? = nil, usesProxyVariables: Bool = true,
            userAgent: String? = "nexus", bodyBufferByteLimit: Int = 256 << 10, headByteLimit: Int = 64 << 10,
            idleConnectionLimit: Int = 16
        ) {
            self.certificateFile = certificateFile
            self.certificateFolder = certificateFolder
            self.usesProxyVariables = usesProxyVariables
            self.userAgent = userAgent
            self.bodyBufferByteLimit = bodyBufferByteLimit
            self.headByteLimit = headByteLimit
            self.idleConnectionLimit = idleConnectionLimit
        }

        /// Makes a configuration with the certificates that the `curl` command would trust under `environment`:
        /// `CURL_CA_BUNDLE`, else `SSL_CERT_FILE` and `SSL_CERT_DIR`.
        ///
        /// The library itself ignores these.
        package init(environment: [String: String]) {
            self.init()
            func value(_ name: String) -> String? {
                environment[name].flatMap { $0.isEmpty ? nil : $0 }
            }
            if let bundle = value("CURL_CA_BUNDLE") {
                certificateFile = bundle
            } else {
                certificateFile = value("SSL_CERT_FILE")
                certificateFolder = value("SSL_CERT_DIR")
            }
        }
    }
}
