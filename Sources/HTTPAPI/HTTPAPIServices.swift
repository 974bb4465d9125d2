public import Assistant
public import ChatCore
public import CoreMetrics
public import Foundation
public import Logging
public import Retrieval

/// Performs an operator's command: the body as it came, then lines of JSON without line ends as they come.
///
/// When the client goes away the stream's consumer stops.
public typealias OperatorEndpoint = @Sendable (Data) -> AsyncThrowingStream<Data, any Error>

/// What the HTTP server reads and writes.
public typealias HTTPAPIStore = ConversationRepository & MessageRepository & EventIntake & TurnRepository
    & ThreadRepository & APIKeyRepository & ItemRepository & ChangeFeed

/// What the HTTP server stands on.
public struct HTTPAPIServices: Sendable {
    /// The store.
    public var store: any HTTPAPIStore
    /// Fetches the keys that tokens are checked with.
    public var fetchKeys: KeyFetch
    /// Finds messages.
    public var searching: any MessageSearching
    /// Answers questions.
    public var answering: any QuestionAnswering
    /// Suggests replies to the last message of a conversation.
    public var smartReplies: SmartReplyService
    /// Helps with a conversation that a person has open.
    public var conversationAssistant: ConversationAssistant
    /// Takes tasks, decisions and dates out of conversations.
    public var extracting: any ItemExtracting
    /// Embeds texts for clients that ask for vectors: the configured embedder.
    public var embedder: any Embedder
    /// How many tokens each user may take in a day; nil for any number.
    ///
    /// Embeddings that clients ask for count too.
    public var allowance: TokenAllowance?
    /// Tells whether the server can do its work.
    public var readiness: @Sendable () async -> ReadinessReport
    /// Performs commands that come through the local socket.
    public var operatorEndpoint: OperatorEndpoint
    /// Certificate and key of the TCP address; nil for plain HTTP.
    public var credentials: TLSCredentials?
    /// Called once with the bound port when all addresses are listened on.
    public var isListening: @Sendable (Int) -> Void
    /// Where requests are counted.
    public var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// What was measured, in Prometheus' text format; told whether the server is stopping.
    public var metricsPage: @Sendable (_ isStopping: Bool) async -> String = { _ in "" }
    /// Whether spans of requests are written anywhere; without, requests only hand on the trace that they came with.
    public var writesSpans = true
    /// The version of the program, for clients that ask which server this is.
    public var version = "unknown"
    /// The present time.
    public var now: @Sendable () -> Timestamp
    /// Makes the ids of messages, conversations and requests that came without one.
    public var makeID: @Sendable () -> String
    /// Where requests are logged: method, pattern of the path, status, duration, id; never a body.
    public var logger: Logger

    public init(
        store: any HTTPAPIStore, fetchKeys: @escaping KeyFetch, searching: any MessageSearching,
        answering: any QuestionAnswering, smartReplies: SmartReplyService,
        conversationAssistant: ConversationAssistant, extracting: any ItemExtracting, embedder: any Embedder,
        readiness: @escaping @Sendable () async -> ReadinessReport,
        operatorEndpoint: @escaping OperatorEndpoint,
        credentials: TLSCredentials? = nil, isListening: @escaping @Sendable (Int) -> Void,
        now: @escaping @Sendable () -> Timestamp,
        makeID: @escaping @Sendable () -> String = randomID, logger: Logger
    ) {
        self.store = store
        self.fetchKeys = fetchKeys
        self.searching = searching
        self.answering = answering
        self.smartReplies = smartReplies
        self.conversationAssistant = conversationAssistant
        self.extracting = extracting
        self.embedder = embedder
        self.readiness = readiness
        self.operatorEndpoint = operatorEndpoint
        self.credentials = credentials
        self.isListening = isListening
        self.now = now
        self.makeID = makeID
        self.logger = logger
    }
}

/// Returns 32 hexadecimal digits, drawn at random.
///
/// `UUID()` opens `/dev/urandom` for each.
@Sendable public func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    let numbers = (generator.next(), generator.next())
    return String(unsafeUninitializedCapacity: 32) { digits in
        for place in 0..<32 {
            let number = place < 16 ? numbers.0 : numbers.1
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * (place % 16))) & 0xF
            digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
        return 32
    }
}
