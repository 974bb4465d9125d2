public import Assistant
public import ChatCore
public import Retrieval

/// What people can do with the assistant: one function for each action.
///
/// A function has its permission check, its time and its limits; HTTP, MCP and the command line only translate. Every
/// function takes who asks; a foreign conversation, thread or turn is like an unknown one.
public struct UseCases: Sendable {
    /// The part of a store that the actions need.
    public typealias Store = ChatStore & TurnRepository & ThreadRepository & ItemRepository

    let store: any Store
    let searcher: any MessageSearching
    let extractor: any ItemExtracting
    let now: @Sendable () -> Timestamp
    let makeID: @Sendable () -> String
    /// Bounds what asks a language model.
    package let questions: FairGate
    /// Bounds searches, and lists that read much.
    package let searches: FairGate

    /// - Parameters:
    ///   - store: What is kept.
    ///   - searcher: Finds messages.
    ///   - extractor: Takes tasks, decisions and dates out of messages.
    ///   - questionLimits: How many questions are answered at a time.
    ///   - searchLimits: How many searches are carried out at a time.
    ///   - now: The present time.
    ///   - makeID: Makes the ids of new threads.
    public init(
        store: any Store, searcher: any MessageSearching, extractor: any ItemExtracting,
        questionLimits: QuestionLimits = QuestionLimits(), searchLimits: SearchLimits = SearchLimits(),
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.searcher = searcher
        self.extractor = extractor
        questions = FairGate(limits: questionLimits)
        searches = FairGate(limits: searchLimits)
        self.now = now
        self.makeID = makeID
    }

    /// Finds messages.
    ///
    /// - Throws: ``LimitError``, `RetrievalError`, ``RepositoryError``, ``ModelServiceError``.
    public func search(_ request: SearchRequest) async throws -> SearchResult {
        try await searches.withPlace(for: request.scope.asker.rawValue) { try await searcher.search(request) }
    }
}
