/// A request of `nexus reembed`; missing parts are taken from the settings of the process that performs it.
struct ReembedRequest: Codable, Sendable, Equatable {
    /// The model's name at its service.
    var model: String?
    /// The components of a vector, for models with a choice.
    var dimensions: Int?
    /// The address of the service's API, without a slash at its end.
    var baseURL: String?
    /// The most messages per second; nil for no limit.
    var rate: Double?
    /// The time before which messages are left out: microseconds since 1970.
    var since: Int64?
    /// The share that must be embedded before the new generation serves.
    var switchShare = 1.0
    /// Whether to estimate only.
    var isDryRun = false
}

/// The estimated effort of embedding everything again.
struct ReembeddingEstimate: Codable, Sendable, Equatable {
    var model: String
    var baseURL: String?
    /// Messages that would be embedded, without excluded conversations.
    var messageCount: Int
    /// The passages that they would become.
    var passageCount: Int
    /// How many of the messages a generation that is being filled with this model has already.
    var embeddedCount: Int
    /// The tokens of all passages, estimated.
    var tokenCount: Int
    /// The price of the tokens, in the configured currency; nil without a price.
    var cost: Double?
}
