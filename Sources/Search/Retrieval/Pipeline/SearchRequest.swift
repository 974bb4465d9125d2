package import ChatCore

/// The question, scope and limits of one search.
package struct SearchRequest: Hashable, Sendable {
    /// The most hits that one search returns.
    package static let limitRange = 1...50
    /// The most hits of all pages of a search.
    package static let resultLimit = 500

    /// The question in the asker's words; not empty.
    package var question: String
    /// The asker, and the conversations to search.
    package var scope: SearchScope
    /// Further conditions for messages.
    package var filter: SearchFilter
    /// The most hits wanted.
    package var limit: Int
    /// Earlier questions that this one may refer to, oldest first; empty if it can be understood without them.
    package var previousQuestions: [String]
    /// The IANA name of the asker's time zone, if known: it decides what "Friday" means.
    package var timeZone: String?
    /// The moment that words such as "yesterday" refer to; nil for the present.
    package var askedAt: Timestamp?
    /// Whether every hit gets an explanation.
    package var explains: Bool
    /// Where an earlier page of the same search ended; nil for the first page.
    package var continuation: SearchContinuation?

    package init(
        question: String, scope: SearchScope, filter: SearchFilter = SearchFilter(), limit: Int,
        previousQuestions: [String] = [], timeZone: String? = nil, askedAt: Timestamp? = nil, explains: Bool = false,
        continuation: SearchContinuation? = nil
    ) {
        self.question = question
        self.scope = scope
        self.filter = filter
        self.limit = limit
        self.previousQuestions = previousQuestions
        self.timeZone = timeZone
        self.askedAt = askedAt
        self.explains = explains
        self.continuation = continuation
    }
}

/// Finds messages.
///
/// Every search goes through this one function.
package protocol MessageSearching: Sendable {
    /// Returns the messages that fit the question best, among those that the asker may see.
    ///
    /// - Parameter request: See ``SearchRequest``.
    /// - Returns: At most `request.limit` hits, fewer when fewer messages pass.
    /// - Throws: ``RetrievalError``, ``RepositoryError``, ``ModelServiceError``.
    func search(_ request: SearchRequest) async throws -> SearchResult
}

/// Why a search cannot be made.
package enum RetrievalError: Error, Equatable, Sendable {
    /// The asker may see none of the named conversations.
    ///
    /// The error does not say whether they exist.
    case noPermittedConversation
    /// A value of the request breaks a rule.
    case invalid(field: String, reason: String)
}
