/// Limits of the connections of an address.
package struct ConnectionSettings: Sendable, Equatable {
    /// The time after which an idle connection is closed.
    package var idleTimeout: Duration
    /// The most time from the start of a connection to the end of its first request's head, including a TLS handshake.
    package var headTimeout: Duration
    /// The most time from the end of a request's head to the end of its body.
    package var bodyTimeout: Duration
    /// The most time that a client may leave a full outgoing buffer (about 32 KiB) unread.
    package var readTimeout: Duration
    /// The most bytes of a request's head.
    package var headerByteLimit: Int
    /// The most connections at a time on each address, sockets included.
    package var limit: Int
    /// The most of them from an address; nil for a third.
    package var limitPerAddress: Int?
    /// Limits and intervals of sockets.
    package var socket = SocketSettings()

    package init(
        idleTimeout: Duration = .seconds(75), headTimeout: Duration = .seconds(10),
        bodyTimeout: Duration = .seconds(30), readTimeout: Duration = .seconds(20), headerByteLimit: Int = 32 * 1024,
        limit: Int = 4_096, limitPerAddress: Int? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.readTimeout = readTimeout
        self.headerByteLimit = headerByteLimit
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }
}
