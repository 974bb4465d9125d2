import ChatCore

/// What `nexus reembed` asks for; what is left out is as the settings of the process that does it have it.
struct ReembedRequest: Codable, Sendable, Equatable {
    /// The model's name at its service.
    var model: String?
    /// Components of a vector, for models that can give several.
    var dimensions: Int?
    /// Where the service's API begins, without a slash at its end.
    var baseURL: String?
    /// The most messages a second; nil for no bound.
    var rate: Double?
    /// Older messages are left out: microseconds since 1970.
    var since: Int64?
    /// The part that must be embedded before the new generation serves.
    var switchShare = 1.0
    /// Whether only to tell what it would take.
    var isDryRun = false
}

/// What embedding everything anew would take.
struct ReembeddingEstimate: Codable, Sendable, Equatable {
    var model: String
    var baseURL: String?
    /// Messages that would be embedded: none of an excluded conversation.
    var messageCount: Int
    /// The passages that they would become.
    var passageCount: Int
    /// Of the messages, the ones that a generation which is being filled with this model has already.
    var embeddedCount: Int
    /// The tokens of all passages, estimated.
    var tokenCount: Int
    /// What the tokens cost, in the currency of the price; nil when no price is configured.
    var cost: Double?
}
