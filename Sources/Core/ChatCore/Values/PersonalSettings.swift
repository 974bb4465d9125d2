/// A person's own settings that hold in all conversations.
public struct PersonalSettings: Hashable, Sendable, Codable {
    /// A daily span in which nothing is pushed to the person's devices; it may pass midnight.
    public struct QuietHours: Hashable, Sendable, Codable {
        /// The first minute, from 0 to 1,439, in the person's time zone.
        public var start: Int
        /// The minute after the last one, from 0 to 1,439.
        public var end: Int

        public init(start: Int, end: Int) {
            self.start = start
            self.end = end
        }
    }

    /// An IANA name such as `Europe/Berlin`; nil for UTC.
    public var timeZone: String?
    /// Nil for none.
    public var quietHours: QuietHours?
    /// Whether others are not shown how far the person has read.
    ///
    /// The person is then not shown others' either.
    public var hidesReadReceipts: Bool
    /// Whether others are not shown when the person was last online.
    public var hidesLastSeen: Bool

    private enum CodingKeys: String, CodingKey {
        case timeZone, quietHours
        case hidesReadReceipts = "hideReadReceipts"
        case hidesLastSeen = "hideLastSeen"
    }

    public init(
        timeZone: String? = nil, quietHours: QuietHours? = nil, hidesReadReceipts: Bool = false,
        hidesLastSeen: Bool = false
    ) {
        self.timeZone = timeZone
        self.quietHours = quietHours
        self.hidesReadReceipts = hidesReadReceipts
        self.hidesLastSeen = hidesLastSeen
    }
}
