/// A person's own settings that hold in all conversations.
package struct PersonalSettings: Hashable, Sendable, Codable {
    /// A daily span in which nothing is pushed to the person's devices; it may pass midnight.
    package struct QuietHours: Hashable, Sendable, Codable {
        /// The first minute, from 0 to 1,439, in the person's time zone.
        package var start: Int
        /// The minute after the last one, from 0 to 1,439.
        package var end: Int

        package init(start: Int, end: Int) {
            self.start = start
            self.end = end
        }
    }

    /// An IANA name such as `Europe/Berlin`; nil for UTC.
    package var timeZone: String?
    /// Nil for none.
    package var quietHours: QuietHours?
    /// Whether others are not shown how far the person has read.
    ///
    /// The person is then not shown others' either.
    package var hidesReadReceipts: Bool
    /// Whether others are not shown when the person was last online.
    package var hidesLastSeen: Bool

    private enum CodingKeys: String, CodingKey {
        case timeZone, quietHours
        case hidesReadReceipts = "hideReadReceipts"
        case hidesLastSeen = "hideLastSeen"
    }

    package init(
        timeZone: String? = nil, quietHours: QuietHours? = nil, hidesReadReceipts: Bool = false,
        hidesLastSeen: Bool = false
    ) {
        self.timeZone = timeZone
        self.quietHours = quietHours
        self.hidesReadReceipts = hidesReadReceipts
        self.hidesLastSeen = hidesLastSeen
    }
}
