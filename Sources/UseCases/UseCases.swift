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
    let answering: any QuestionAnswering
    let conversationAssistant: ConversationAssistant
    let smartReplies: SmartReplyService
    let extractor: any ItemExtracting
    let permissions: PersonPermissions
    var now: @Sendable () -> Timestamp
    let makeID: @Sendable () -> String
    /// Bounds what asks a language model.
    package let questions: FairGate
    /// Bounds searches, and lists that read much.
    package let searches: FairGate

    /// - Parameters:
    ///   - store: What is kept.
    ///   - searcher: Finds messages.
    ///   - answering: Answers questions.
    ///   - conversationAssistant: Helps with one conversation.
    ///   - smartReplies: Suggests replies.
    ///   - extractor: Takes tasks, decisions and dates out of messages.
    ///   - permissions: What persons may do with conversations.
    ///   - questionLimits: How many questions are answered at a time.
    ///   - searchLimits: How many searches are carried out at a time.
    ///   - now: The present time.
    ///   - makeID: Makes the ids of new threads.
    public init(
        store: any Store, searcher: any MessageSearching, answering: any QuestionAnswering,
        conversationAssistant: ConversationAssistant, smartReplies: SmartReplyService, extractor: any ItemExtracting,
        permissions: PersonPermissions = PersonPermissions(), questionLimits: QuestionLimits = QuestionLimits(),
        searchLimits: SearchLimits = SearchLimits(),
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.searcher = searcher
        self.answering = answering
        self.conversationAssistant = conversationAssistant
        self.smartReplies = smartReplies
        self.extractor = extractor
        self.permissions = permissions
        questions = FairGate(limits: questionLimits)
        searches = FairGate(limits: searchLimits)
        self.now = now
        self.makeID = makeID
    }

    /// Returns the same actions for one request, which happens at one moment.
    package func at(_ moment: Timestamp) -> UseCases {
        var useCases = self
        useCases.now = { moment }
        return useCases
    }

    /// Finds messages.
    ///
    /// - Throws: ``LimitError``, `RetrievalError`, ``RepositoryError``, ``ModelServiceError``.
    public func search(_ request: SearchRequest) async throws -> SearchResult {
        try await searches.withPlace(for: request.scope.asker.rawValue) { try await searcher.search(request) }
    }
}
