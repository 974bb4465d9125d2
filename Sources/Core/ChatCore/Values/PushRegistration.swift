/// A device, and how far it was notified.
public struct PushRegistration: Hashable, Sendable {
    /// The device.
    public let device: PushDevice
    /// When the person registered the device first: earlier notifications are not sent to it.
    public let begunAt: Timestamp
    /// How far its notifications are sent.
    public var progress: PushProgress

    public init(device: PushDevice, begunAt: Timestamp, progress: PushProgress) {
        self.device = device
        self.begunAt = begunAt
        self.progress = progress
    }
}

/// How far a device was notified.
public struct PushProgress: Hashable, Sendable {
    /// The number of the last notification that is done: sent, skipped or given up.
    public var number: Int64
    /// How often sending failed in sequence.
    public var failureCount: Int
    /// When the next notification was tried first; nil if it was not tried yet.
    public var triedSince: Timestamp?
    /// Nothing is sent before this time; nil for no pause.
    public var pausedUntil: Timestamp?

    public init(
        number: Int64, failureCount: Int = 0, triedSince: Timestamp? = nil, pausedUntil: Timestamp? = nil
    ) {
        self.number = number
        self.failureCount = failureCount
        self.triedSince = triedSince
        self.pausedUntil = pausedUntil
    }
}

/// What decides whether a notification is pushed, beside the notification itself.
public struct PushFacts: Hashable, Sendable {
    /// Whether a device of the person has received the message in the feed.
    public var hasArrived: Bool
    /// The unread messages of the person, in all conversations; at most ``InboxEntry/countLimit`` of each.
    public var unreadCount: Int

    public init(hasArrived: Bool, unreadCount: Int) {
        self.hasArrived = hasArrived
        self.unreadCount = unreadCount
    }
}
