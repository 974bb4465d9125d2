/// How long the parts of an exchange may take.
public struct HTTPDeadlines: Equatable, Sendable {
    /// For name resolution, connection and TLS handshake together.
    public var connect: Duration
    /// Between two signs of life on a standing connection (bytes sent or received); the wait for the first byte of the
    /// response counts.
    ///
    /// It does not run while the consumer of a streamed body is the one who is waited for.
    public var idle: Duration
    /// For the whole exchange from its start to the last byte of the body, whoever is slow; `nil`: without limit.
    public var total: Duration?

    /// Makes a set of deadlines.
    ///
    /// Each is enforced to some milliseconds; 1 ms is the least.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least 1, at most what fits 32 bits (24 days).
    var milliseconds: Int {
        guard self < .seconds(Int32.max / 1000) else { return Int(Int32.max) }
        let (seconds, attoseconds) = components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Swift.max(1, Int(seconds * 1000 + rest))
    }
}
