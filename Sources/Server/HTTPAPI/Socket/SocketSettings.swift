/// Limits and intervals of sockets.
public struct SocketSettings: Sendable, Equatable {
    /// The most bytes of an incoming message, fragments joined; a larger one closes the socket with 1009.
    public var messageByteLimit: Int
    /// The most bytes of outgoing messages that wait for the client; see ``SocketSession/offer(_:)``.
    public var waitingByteLimit: Int
    /// How often the server pings.
    public var pingInterval: Duration
    /// After how many pings without a sign of life a socket is closed with 1001.
    public var missedPingLimit: Int
    /// The most pings of a client in ``pingWindow``; one more closes the socket with 1008.
    public var pingLimit: Int
    /// The time that ``pingLimit`` applies to.
    public var pingWindow: Duration
    /// How long the server waits for the client's part of closing.
    public var closeTimeout: Duration

    public init(
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
