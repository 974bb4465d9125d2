import CCurl

extension TransportError {
    /// The facts that, together with libcurl's code, decide on the error.
    struct CurlFacts {
        let target: RequestURL
        let url: String
        let unixSocketPath: String?
        let isConnected: Bool
        let hasHead: Bool
        let hasSystemError: Bool
        let isTotalOver: Bool
        let headByteLimit: Int
        let bodyByteLimit: Int

        fileprivate var endpoint: String {
            unixSocketPath.map { "unix:\($0)" } ?? "\(target.host):\(target.port)"
        }
    }

    /// Maps libcurl's code.
    init(_ code: CURLcode, facts: CurlFacts) {
        self =
            Self.beforeRequest(code, facts) ?? Self.duringResponse(code, facts) ?? .other(curlCode: Int(code.rawValue))
    }

    private static func beforeRequest(_ code: CURLcode, _ facts: CurlFacts) -> TransportError? {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL(RequestURL.withoutSecrets(facts.url))
        case CURLE_COULDNT_RESOLVE_HOST where facts.unixSocketPath == nil: .cannotResolve(host: facts.target.host)
        case CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve(host: "the proxy")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .cannotConnect(facts.endpoint)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            .tls(code: Int(code.rawValue))
        case CURLE_OPERATION_TIMEDOUT where facts.isConnected || facts.isTotalOver: .timedOut(phase: .total)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(phase: .connect)
        default: nil
        }
    }

    /// A broken chunk has the code of a failed read, but no error of the operating system.
    ///
    /// libcurl reports a head that is not HTTP as the unsupported protocol HTTP/0.9, and one overlong header line as
    /// lack of memory.
    private static func duringResponse(_ code: CURLcode, _ facts: CurlFacts) -> TransportError? {
        switch code {
        case CURLE_RECV_ERROR where facts.hasHead && !facts.target.isSecure && !facts.hasSystemError:
            .malformedResponse
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .connectionClosed
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedResponse
        case CURLE_FILESIZE_EXCEEDED: .responseTooLarge(limit: facts.bodyByteLimit)
        case CURLE_OUT_OF_MEMORY where facts.isConnected && !facts.hasHead:
            .responseTooLarge(limit: facts.headByteLimit)
        default: nil
        }
    }

    /// libcurl's code of an incomplete handshake, often caused by a lost connection.
    static let handshakeFailed = Int(CURLE_SSL_CONNECT_ERROR.rawValue)
}
