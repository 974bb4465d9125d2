/// A person's own settings, the same on all devices.
public struct ChatSettings: Hashable, Sendable, Codable {
    /// Times of the wall clock, such as `22:00`.
    public struct QuietHours: Hashable, Sendable, Codable {
        /// When they begin.
        public var start: String
        /// When they end.
        public var end: String

        public init(start: String, end: String) {
            self.start = start
            self.end = end
        }
    }

    /// The IANA name of the time zone.
    public var timeZone: String?
    /// When nothing makes a sound.
    public var quietHours: QuietHours?
    /// Whether others do not see how far the person has read.
    public var hideReadReceipts: Bool
    /// Whether others do not see when the person was last online.
    public var hideLastSeen: Bool

    public init(
        timeZone: String? = nil, quietHours: QuietHours? = nil, hideReadReceipts: Bool = false,
        hideLastSeen: Bool = false
    ) {
        self.timeZone = timeZone
        self.quietHours = quietHours
        self.hideReadReceipts = hideReadReceipts
        self.hideLastSeen = hideLastSeen
    }
}
