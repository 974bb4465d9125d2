package import ChatCore
package import CoreMetrics
package import HTTPTypes
package import Hummingbird
package import Logging

/// What the web server is told about the application that it serves.
package struct ServedApplication: Sendable {
    /// Returns the answer to a request that no route gets.
    package let reply: @Sendable (RequestFault) -> FaultReply
    /// Returns the response at a path that has no route; the fault is a reason to refuse the request anyway.
    package let unknownPath: @Sendable (Request, RequestFault?) -> Response
    /// Whether a request sends a file: large files take long, so the limit of time is for a part of it.
    package let isUpload: @Sendable (HTTPRequest) -> Bool
    /// Whether a route opens sockets.
    package var opensSockets = false
    /// The most bytes of a body for which a client is told to continue.
    package var bodyByteLimit: Int
    /// The rule for pages of other origins.
    package var crossOrigin = CrossOrigin(origins: [])
    /// Makes the metrics of connections.
    package var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// Whether spans of requests are written anywhere; if not, requests only pass on the trace that they came with.
    package var writesSpans = true
    /// The present time.
    package let now: @Sendable () -> Timestamp
    /// Makes the ids of requests that came without one.
    package let makeID: @Sendable () -> String
    /// Logs requests: method, pattern of the path, status, duration, id; never a body.
    package let logger: Logger

    package init(
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
