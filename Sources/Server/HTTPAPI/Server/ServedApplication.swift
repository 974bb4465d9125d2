import ChatCore
import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging

/// What the web server is told about the application that it serves.
struct ServedApplication: Sendable {
    /// Returns the answer to a request that no route gets.
    let reply: @Sendable (RequestFault) -> FaultReply
    /// Returns the response at a path that has no route; the fault is a reason to refuse the request anyway.
    let unknownPath: @Sendable (Request, RequestFault?) -> Response
    /// Whether a request sends a file: large files take long, so the limit of time is for a part of it.
    let isUpload: @Sendable (HTTPRequest) -> Bool
    /// Whether a route opens sockets.
    var opensSockets = false
    /// The most bytes of a body for which a client is told to continue.
    var bodyByteLimit: Int
    /// The rule for pages of other origins.
    var crossOrigin = CrossOrigin(origins: [])
    /// Makes the metrics of connections.
    var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// Whether spans of requests are written anywhere; if not, requests only pass on the trace that they came with.
    var writesSpans = true
    /// The present time.
    let now: @Sendable () -> Timestamp
    /// Makes the ids of requests that came without one.
    let makeID: @Sendable () -> String
    /// Logs requests: method, pattern of the path, status, duration, id; never a body.
    let logger: Logger

    init(
        bodyByteLimit: Int, now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String,
        logger: Logger, isUpload: @escaping @Sendable (HTTPRequest) -> Bool,
        reply: @escaping @Sendable (RequestFault) -> FaultReply,
        unknownPath: @escaping @Sendable (Request, RequestFault?) -> Response
    ) {
        self.bodyByteLimit = bodyByteLimit
        self.now = now
        self.makeID = makeID
        self.logger = logger
        self.isUpload = isUpload
        self.reply = reply
        self.unknownPath = unknownPath
    }
}
