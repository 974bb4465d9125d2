/// Limits and intervals of live connections: sockets and streams of the feed.
package struct LiveSettings: Sendable, Equatable {
    /// The most connections of a person.
    package var connectionsPerUser: Int
    /// The most connections in all.
    package var connectionLimit: Int
    /// The most connections that a person may open in a minute, and the most tickets.
    package var handshakesPerMinute: Int
    /// The most connections that an address other than this machine may open in a minute.
    package var handshakesPerAddress: Int
    /// How often a client of a stream without changes hears something.
    package var heartbeat: Duration

    package init(
        connectionsPerUser: Int = 50, connectionLimit: Int = 4_032, handshakesPerMinute: Int = 120,
        handshakesPerAddress: Int = 1_200, heartbeat: Duration = .seconds(25)
    ) {
        self.connectionsPerUser = connectionsPerUser
        self.connectionLimit = connectionLimit
        self.handshakesPerMinute = handshakesPerMinute
        self.handshakesPerAddress = handshakesPerAddress
        self.heartbeat = heartbeat
    }
}
