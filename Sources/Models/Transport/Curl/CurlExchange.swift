import CCurl
import Foundation

/// One exchange on the engine's thread: an easy handle, and the results of libcurl's callbacks.
///
/// Invariant for `@unchecked Sendable`: after it is passed to ``CurlEngine`` only the engine's thread uses the `var`s.
/// libcurl holds an unretained pointer to the exchange from ``prepare()`` to ``releaseHandles()``; in between, the
/// engine's table retains it.
final class CurlExchange: @unchecked Sendable {
    let request: HTTPExchangeRequest
    let target: RequestURL
    let acceptsCompression: Bool
    let configuration: CurlTransport.Configuration
    let channel: ResponseChannel

    /// libcurl's handle, from ``prepare()`` to ``releaseHandles()``.
    private(set) var easy: UnsafeMutableRawPointer?
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var startedAt = ContinuousClock.now
    private var lastActivity = ContinuousClock.now
    private var isConnected = false
    private var isPaused = false
    private var uploadedByteCount: curl_off_t = 0
    private var bodyByteCount = 0
    private var headParser: ResponseHeadParser
    /// Why a callback ended the transfer.
    private var failure: TransportError?

    init(
        request: HTTPExchangeRequest, target: RequestURL, acceptsCompression: Bool,
        configuration: CurlTransport.Configuration, channel: ResponseChannel
    ) {
        self.request = request
        self.target = target
        self.acceptsCompression = acceptsCompression
        self.configuration = configuration
        self.channel = channel
        headParser = ResponseHeadParser(byteLimit: configuration.headByteLimit)
    }

    /// Makes the easy handle.
    ///
    /// - Returns: The handle, ready to be added; it belongs to the exchange.
    /// - Throws: ``TransportError/other(curlCode:)`` when libcurl lacks an option or memory; everything created before
    ///   that belongs to the exchange.
    func prepare() throws(TransportError) -> UnsafeMutableRawPointer {
        guard let easy = curl_easy_init() else { throw .other(curlCode: Int(CURLE_FAILED_INIT.rawValue)) }
        self.easy = easy
        try CurlOptions(easy: easy).apply(self, lists: &lists)
        try installCallbacks(on: easy)
        startedAt = .now
        return easy
    }

    /// Frees the memory of libcurl.
    ///
    /// The multi handle must no longer use the easy handle.
    func releaseHandles() {
        curl_easy_cleanup(easy)
        for list in lists { curl_slist_free_all(list) }
        (easy, lists) = (nil, [])
    }

    /// Continues after the consumer has caught up.
    ///
    /// libcurl first delivers buffered data; an error of that does not end the transfer.
    ///
    /// - Returns: The outcome of the exchange, if it ended.
    func resume() -> ResponseChannel.Outcome? {
        guard isPaused, let easy else { return nil }
        isPaused = false
        lastActivity = .now
        let code = nexus_curl_resume(easy)
        return code == CURLE_OK ? nil : outcome(of: code)
    }

    /// When the exchange times out without data; `nil` while it connects or is paused.
    var idleDeadline: ContinuousClock.Instant? {
        isConnected && !isPaused ? lastActivity + request.deadlines.idle : nil
    }

    /// The outcome for the consumer.
    func outcome(of code: CURLcode) -> ResponseChannel.Outcome {
        if let failure { return .failure(failure) }
        guard code != CURLE_OK else { return .success(()) }
        return .failure(TransportError(code, facts: facts))
    }

    private var facts: TransportError.CurlFacts {
        var errorNumber = 0
        if let easy { _ = nexus_curl_get_long(easy, CURLINFO_OS_ERRNO, &errorNumber) }
        let elapsed = startedAt.duration(to: .now)
        return TransportError.CurlFacts(
            target: target, url: request.url, unixSocketPath: request.unixSocketPath, isConnected: isConnected,
            hasHead: headParser.isComplete, hasSystemError: errorNumber != 0,
            isTotalOver: request.deadlines.total.map { $0 <= elapsed } ?? false,
            headByteLimit: configuration.headByteLimit, bodyByteLimit: request.responseByteLimit)
    }
}

// MARK: - Called by libcurl

extension CurlExchange {
    private func installCallbacks(on easy: UnsafeMutableRawPointer) throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(nexus_curl_set_header_callback(easy, Self.headerCallback, context))
        try check(nexus_curl_set_body_callback(easy, Self.bodyCallback, context))
        try check(nexus_curl_set_connected_callback(easy, Self.connectedCallback, context))
        try check(nexus_curl_set_progress_callback(easy, Self.progressCallback, context))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .other(curlCode: Int(code.rawValue)) }
    }

    private static let headerCallback: curl_write_callback = { bytes, size, count, context in
        guard let exchange = CurlExchange.from(context) else { return 0 }
        return exchange.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let bodyCallback: curl_write_callback = { bytes, size, count, context in
        guard let exchange = CurlExchange.from(context) else { return 0 }
        return exchange.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let connectedCallback: curl_prereq_callback = { context, _, _, _, _ in
        CurlExchange.from(context)?.connected()
        return 0
    }

    private static let progressCallback: curl_xferinfo_callback = { context, _, _, _, uploaded in
        CurlExchange.from(context)?.progressed(uploaded: uploaded)
        return 0
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connected() {
        isConnected = true
        lastActivity = .now
    }

    private func progressed(uploaded: curl_off_t) {
        guard uploaded != uploadedByteCount else { return }
        uploadedByteCount = uploaded
        lastActivity = .now
    }

    /// Returns how many bytes were accepted; any other number than all ends the transfer.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        lastActivity = .now
        switch headParser.receive(line) {
        case .none: break
        case .head(let head): channel.deliver(head)
        case .tooLarge:
            failure = .responseTooLarge(limit: configuration.headByteLimit)
            return 0
        }
        return line.count
    }

    /// As ``receiveHeader(_:)``; or pauses the transfer, and libcurl offers the same bytes again later.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = .now
        guard bytes.count <= request.responseByteLimit - bodyByteCount else {
            failure = .responseTooLarge(limit: request.responseByteLimit)
            return 0
        }
        guard channel.append(bytes) else {
            isPaused = true
            return nexus_curl_write_pause()
        }
        bodyByteCount += bytes.count
        return bytes.count
    }
}
