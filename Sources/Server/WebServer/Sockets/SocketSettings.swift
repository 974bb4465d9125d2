/// Limits and intervals of sockets.
package struct SocketSettings: Sendable, Equatable {
    /// The most bytes of an incoming message, fragments joined; a larger one closes the socket with 1009.
    package var messageByteLimit: Int
    /// The most bytes of outgoing messages that wait for the client; see ``SocketSession/offer(_:)``.
    package var waitingByteLimit: Int
    /// How often the server pings.
    package var pingInterval: Duration
    /// After how many pings without a sign of life a socket is closed with 1001.
    package var missedPingLimit: Int
    /// The most pings of a client in ``pingWindow``; one more closes the socket with 1008.
    package var pingLimit: Int
    /// The time that ``pingLimit`` applies to.
    package var pingWindow: Duration
    /// How long the server waits for the client's part of closing.
    package var closeTimeout: Duration

    package init(
        messageByteLimit: Int = 64 * 1024, waitingByteLimit: Int = 256 * 1024, pingInterval: Duration = .seconds(25),
        missedPingLimit: Int = 2, pingLimit: Int = 20, pingWindow: Duration = .seconds(10),
        closeTimeout: Duration = .seconds(3)
    ) {
        self.messageByteLimit = messageByteLimit
        self.waitingByteLimit = waitingByteLimit
        self.pingInterval = pingInterval
        self.missedPingLimit = missedPingLimit
        self.pingLimit = pingLimit
        self.pingWindow = pingWindow
        self.closeTimeout = closeTimeout
    }
}
