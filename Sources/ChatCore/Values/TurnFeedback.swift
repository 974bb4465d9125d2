/// What its asker thinks of a turn.
public struct TurnFeedback: Hashable, Sendable, Codable {
    /// The verdict.
    public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
        /// The answer was good.
        case up
        /// The answer was wrong, or of no use.
        case down
    }

    /// The most characters of a reason.
    public static let reasonLimit = 1_000

    /// The verdict.
    public var rating: Rating
    /// Why, in the asker's words; goes when the turn is redacted.
    public var reason: String?
    /// When it was given.
    public var givenAt: Timestamp

    public init(rating: Rating, reason: String? = nil, givenAt: Timestamp) {
        self.rating = rating
        self.reason = reason
        self.givenAt = givenAt
    }
}
