public import ChatCore

/// A message that was found.
public struct Hit: Hashable, Sendable {
    /// The message, as the store holds it now.
    public let message: Message
    /// Where it is.
    public let conversation: PermittedConversation
    /// Its place, from 1.
    public let rank: Int
    /// For display: the cosine of question and message, cut to 0...1; higher is better.
    ///
    /// It is not the order.
    public let relevance: Double

    /// Makes a hit from its parts.
    public init(message: Message, conversation: PermittedConversation, rank: Int, relevance: Double) {
        self.message = message
        self.conversation = conversation
        self.rank = rank
        self.relevance = relevance
    }
}

/// Which signals a search stood on.
public enum RetrievalMode: String, Hashable, Sendable, Codable {
    /// Vectors only.
    case denseOnly = "dense_only"
}

/// Why a search found nothing to stand on.
public enum NoAnswerReason: String, Hashable, Sendable, Codable {
    /// Something was found.
    case none
    /// The asker sees no message there, or none passes the filter.
    case nothingInScope = "nothing_in_scope"
    /// The search itself failed, for want of the embedding service for instance.
    case searchFailed = "search_failed"
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    /// Best first; at most as many as asked for.
    public var hits: [Hit]
    /// Which signals it stood on.
    public var mode: RetrievalMode
    /// The generation whose vectors were searched; nil before the first message was embedded.
    public var generation: GenerationNumber?

    /// Makes a result from its parts.
    public init(hits: [Hit], mode: RetrievalMode, generation: GenerationNumber?) {
        self.hits = hits
        self.mode = mode
        self.generation = generation
    }
}

/// Finds messages.
///
/// Every search goes through this one function.
public protocol MessageSearching: Sendable {
    /// Returns the messages that fit the question best, among those that the asker may see.
    ///
    /// - Parameter request: See ``SearchRequest``.
    /// - Returns: At most `request.limit` hits, fewer when fewer messages pass.
    /// - Throws: ``RetrievalError``, ``RepositoryError``, ``ModelServiceError``.
    func search(_ request: SearchRequest) async throws -> SearchResult
}

/// Why a search cannot be made.
public enum RetrievalError: Error, Equatable, Sendable {
    /// Conversations were named, and the asker may see none of them.
    ///
    /// Whether they exist is not said.
    case noPermittedConversation
    /// A value of the request breaks a rule.
    case invalid(field: String, reason: String)
}
