package import Assistant
package import ChatCore
package import Retrieval

/// The actions that people can take, one function for each.
///
/// Each function checks permissions and applies its time and limits; HTTP, MCP and the command line only translate.
/// Every function takes the asker; a foreign conversation, thread or turn is like an unknown one.
package struct UseCases: Sendable {
    /// The part of a store that the actions need.
    package typealias Store = ChatStore & TurnRepository & ThreadRepository & ItemRepository
        & VerdictRepository

    /// The part of a store that holds the live chat.
    package typealias LiveStore = LiveChatRepository & NotificationRepository & PersonalStateRepository
        & SavedMessageRepository & ScheduledMessageRepository & ProfileRepository

    let store: any Store
    let live: any LiveStore
    let files: any FileRepository
    /// The limits of stored files.
    package let fileLimits: FileLimits
    let searcher: any MessageSearching
    let answering: any QuestionAnswering
    let conversationAssistant: ConversationAssistant
    let smartReplies: SmartReplyService
    let extractor: any ItemExtracting
    let permissions: PersonPermissions
    /// Returns the names that people have in their accounts; of those without an account nothing.
    package var accountNames: @Sendable (Set<UserID>) async throws -> [UserID: String] = { _ in [:] }
    /// The schedules of people; without it nobody has any.
    package var scheduling: Scheduling?
    /// Makes a small square JPEG of a picture, and throws ``PictureError``; without it nobody sets one.
    package var makePicture: (@Sendable (_ file: [UInt8]) async throws -> [UInt8])?
    var now: @Sendable () -> Timestamp
    let makeID: @Sendable () -> String
    /// Limits requests to a language model.
    package let questions: FairGate
    /// Limits searches, and lists that read many rows.
    package let searches: FairGate
    /// Limits lists of all conversations of a person, which cost much in many large ones.
    package let lists = FairGate(limits: .lists)
    /// Limits large batches of messages of a person, because the transactions of several take turns with those of others.
    package let largePosts = FairGate(limits: .largePosts)
    /// Limits pictures that are made small, each in a separate process.
    let pictures = FairGate(limits: .pictures)

    /// - Parameters:
    ///   - store: The store.
    ///   - live: The live chat of the store.
    ///   - files: The files of the store.
    ///   - searcher: Finds messages.
    ///   - answering: Answers questions.
    ///   - conversationAssistant: Helps with one conversation.
    ///   - smartReplies: Suggests replies.
    ///   - extractor: Extracts tasks, decisions and dates from messages.
    ///   - permissions: The permissions of persons in conversations.
    ///   - fileLimits: The limits of stored files.
    ///   - questionLimits: The limits of concurrent questions.
    ///   - searchLimits: The limits of concurrent searches.
    ///   - now: The present time.
    ///   - makeID: Makes the ids of new threads.
    package init(
        store: any Store, live: any LiveStore, files: any FileRepository, searcher: any MessageSearching,
        answering: any QuestionAnswering,
        conversationAssistant: ConversationAssistant, smartReplies: SmartReplyService, extractor: any ItemExtracting,
        permissions: PersonPermissions = PersonPermissions(), fileLimits: FileLimits = FileLimits(),
        questionLimits: QuestionLimits = QuestionLimits(),
        searchLimits: SearchLimits = SearchLimits(),
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.live = live
        self.files = files
        self.fileLimits = fileLimits
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

    /// Returns the same actions with a fixed time, for one request.
    package func at(_ moment: Timestamp) -> UseCases {
        var useCases = self
        useCases.now = { moment }
        return useCases
    }

    /// Finds messages.
    ///
    /// - Throws: ``LimitError``, `RetrievalError`, ``RepositoryError``, ``ModelServiceError``.
    package func search(_ request: SearchRequest) async throws -> SearchResult {
        try await searches.withPlace(for: request.scope.asker.rawValue) { try await searcher.search(request) }
    }

    /// Returns what messages state about a subject.
    ///
    /// - Throws: As ``search(_:)``.
    package func timeline(_ request: TimelineRequest) async throws -> Timeline {
        try await searches.withPlace(for: request.scope.asker.rawValue) {
            let searching = VerdictSearching(searcher, verdicts: store, now: now)
            return try await TimelineFinder(searching: searching).timeline(request)
        }
    }

    /// Stores what the asker says about a message that a later one replaced or did not; nil takes it back.
    ///
    /// - Throws: As ``VerdictRepository/setVerdict(_:on:by:at:)``.
    package func setVerdict(
        _ kind: ReplacementVerdict.Kind?, on subject: ReplacementVerdict.Subject, by asker: UserID
    ) async throws {
        try await store.setVerdict(kind, on: subject, by: asker, at: now())
    }
}
