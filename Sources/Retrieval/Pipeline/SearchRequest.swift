public import ChatCore

/// One search: what is wanted, by whom, where.
public struct SearchRequest: Hashable, Sendable {
    /// The most hits that one search returns.
    public static let limitRange = 1...50

    /// What is looked for, in the asker's words; not empty.
    public var question: String
    /// Who asks, and where.
    public var scope: SearchScope
    /// What else a message must fulfil.
    public var filter: SearchFilter
    /// The most hits wanted.
    public var limit: Int
    /// What was asked before, oldest first, when the question may lean on it; empty when it stands alone.
    public var previousQuestions: [String]
    /// The IANA name of the asker's zone, when known: decides what "Friday" means.
    public var timeZone: String?
    /// The moment that words as "yesterday" count from; nil for the present.
    public var askedAt: Timestamp?
    /// Whether every hit shall explain itself.
    public var explains: Bool

    public init(
        question: String, scope: SearchScope, filter: SearchFilter = SearchFilter(), limit: Int,
        previousQuestions: [String] = [], timeZone: String? = nil, askedAt: Timestamp? = nil, explains: Bool = false
    ) {
        self.question = question
        self.scope = scope
        self.filter = filter
        self.limit = limit
        self.previousQuestions = previousQuestions
        self.timeZone = timeZone
        self.askedAt = askedAt
        self.explains = explains
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
