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

    /// Makes a request from its parts.
    public init(question: String, scope: SearchScope, filter: SearchFilter = SearchFilter(), limit: Int) {
        self.question = question
        self.scope = scope
        self.filter = filter
        self.limit = limit
    }
}
