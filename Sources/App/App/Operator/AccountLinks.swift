import ChatCore

/// A link for a person, as the operator sends it.
struct AccountLinkReport: Codable, Sendable, Equatable {
    var userID: UserID
    /// The whole address; secret until it is used.
    var address: String
    var expiresAt: Timestamp
}
