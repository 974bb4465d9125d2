package import ChatCore

/// How present a person is.
package enum PresenceStatus: String, Hashable, Sendable, CaseIterable, Codable {
    /// At least one device is in use.
    case online
    /// All connected devices say that nobody uses them.
    case away
    /// No device is connected.
    case offline
}

/// A client's word on whether its device is in use.
package enum PresenceActivity: String, Hashable, Sendable, CaseIterable, Codable {
    /// The person uses the device.
    case active
    /// The device is connected, but there was no input for some minutes.
    case away
}

/// The presence of one person at one time.
///
/// A frame is sent when the status changes, not for every heartbeat, so ``lastBeat`` is as of the frame. While a client is
/// in contact with the server, a status is current. A client without contact, or one that reads an old frame, treats a
/// person as offline once a lease's lifetime has passed since the later of ``lastBeat`` and the last sign of the server.
package struct Presence: Hashable, Sendable {
    /// The person.
    package let user: UserID
    /// The status, merged over all devices.
    package let status: PresenceStatus
    /// The newest heartbeat of a connected device; nil for a person who is offline.
    package let lastBeat: Timestamp?
    /// When a person who is offline was last connected; nil when unknown or hidden, and for everybody else.
    package let lastSeen: Timestamp?

    package init(user: UserID, status: PresenceStatus, lastBeat: Timestamp? = nil, lastSeen: Timestamp? = nil) {
        self.user = user
        self.status = status
        self.lastBeat = lastBeat
        self.lastSeen = lastSeen
    }
}

/// The newest presence of people whose presence has changed, for one watching connection.
package struct PresenceFrame: Hashable, Sendable {
    /// The server's time of the frame, so that a client can compute ages without trusting its own clock.
    package let time: Timestamp
    /// One entry for each person, in no particular order; never empty.
    package let presences: [Presence]

    package init(time: Timestamp, presences: [Presence]) {
        self.time = time
        self.presences = presences
    }
}

/// Errors of presence.
package enum PresenceError: Error, Hashable, Sendable {
    /// A connection asked to watch more people than one connection may watch.
    case tooManyWatched(limit: Int, got: Int)
}

/// The times and limits of presence.
package struct PresenceSettings: Hashable, Sendable {
    /// How often clients should send a heartbeat; at most half of ``leaseLifetime``.
    package var heartbeatInterval: Duration
    /// How long a lease is valid after its last heartbeat.
    package var leaseLifetime: Duration
    /// The least time between two frames for one connection.
    package var frameInterval: Duration
    /// The most people that one connection may watch.
    package var watchLimit: Int
    /// The least time between two reports to other nodes.
    package var reportInterval: Duration = .milliseconds(200)
    /// How often a node tells the others everything, in case that a report was lost.
    package var repairInterval: Duration = .seconds(30)
    /// How long the people of another node count as connected without a sign of the node.
    package var nodeLifetime: Duration = .seconds(30)

    package init(
        heartbeatInterval: Duration = .seconds(30), leaseLifetime: Duration = .seconds(60),
        frameInterval: Duration = .seconds(1), watchLimit: Int = 200
    ) {
        self.heartbeatInterval = heartbeatInterval
        self.leaseLifetime = leaseLifetime
        self.frameInterval = frameInterval
        self.watchLimit = watchLimit
    }
}
