public import Accounts
public import Assistant
public import ChatCore
public import CoreMetrics
public import LiveChat
public import Logging
public import UseCases
public import WebPage
package import WebServer

/// The parts of the store that the HTTP server uses itself.
public typealias HTTPAPIStore = ConversationRepository & MessageRepository & EventIntake & TurnRepository
    & ThreadRepository & APIKeyRepository & ItemRepository & ChangeFeed

/// The parts that the HTTP server is built on.
public struct HTTPAPIServices: Sendable {
    /// The process that the server runs in.
    public var host: any ServerHost
    /// The store.
    public var store: any HTTPAPIStore
    /// The actions that people can take.
    public var useCases: UseCases
    /// Wakes the connections of the feed.
    public var feed: FeedHub
    /// The people who are connected now.
    public var people: LivePeople
    /// The live connections.
    public var live: LiveConnections
    /// The devices for push; nil if the server offers none.
    public var push: PushRegistry?
    /// The page for browsers; nil for none.
    public var page: WebPage?
    /// The accounts of people who sign in here; nil if the server has none.
    public var accounts: AccountService?
    /// Returns people who are in conversations, by id, or one of them; at most `limit`.
    public var knownPeople: @Sendable (_ user: UserID?, _ limit: Int) async throws -> [IdentifiedPerson] = { _, _ in []
    }
    /// Tickets for sockets.
    public var tickets = FeedTickets()
    /// Keeps the sign-ins that browsers have begun with another service.
    public var oneTimeValues: any OneTimeValues = LocalOneTimeValues()
    /// Keeps responses for repeated requests.
    public var keptResponses: any KeptResponses = LocalKeptResponses()
    /// The buckets of limits that all nodes share.
    public var buckets: any SharedBuckets = LocalBuckets()
    /// Embeds texts for clients that ask for vectors: the configured embedder.
    public var embedder: any Embedder
    /// The most tokens of each user per day; nil for no limit.
    ///
    /// Embeddings that clients ask for count too.
    public var allowance: TokenAllowance?
    /// Fetches the keys that tokens are checked with.
    public var fetchKeys: KeyFetch
    /// Sends forms to the service with which people sign in.
    public var postForm: FormPost = { _, _, _ in throw CancellationError() }
    /// Certificate and key of the TCP address; nil for plain HTTP.
    package var credentials: TLSCredentials?
    /// Decides who may open a socket at `GET /v1/socket` over TCP; nil if the server offers no sockets.
    package var socket: SocketAcceptance?
    /// Makes the metrics of requests.
    public var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// Whether spans of requests are written anywhere; if not, requests only pass on the trace that they came with.
    public var writesSpans = true
    /// The version of the program, for clients that ask which server this is.
    public var version = "unknown"
    /// The present time.
    public var now: @Sendable () -> Timestamp
    /// Makes the ids of messages, conversations and requests that came without one.
    public var makeID: @Sendable () -> String
    /// Logs requests: method, pattern of the path, status, duration, id; never a body.
    public var logger: Logger

    package init(
        host: any ServerHost, store: any HTTPAPIStore, useCases: UseCases, feed: FeedHub,
        embedder: any Embedder,
        fetchKeys: @escaping KeyFetch, credentials: TLSCredentials? = nil, now: @escaping @Sendable () -> Timestamp,
        makeID: @escaping @Sendable () -> String = randomID, logger: Logger
    ) {
        self.host = host
        self.store = store
        self.useCases = useCases
        self.feed = feed
        let live = LiveConnections()
        self.live = live
        people = LivePeople(now: now) { live.noteDropped($0) }
        self.embedder = embedder
        self.fetchKeys = fetchKeys
        self.credentials = credentials
        self.now = now
        self.makeID = makeID
        self.logger = logger
    }
}

/// Returns 32 hexadecimal digits, drawn at random.
///
/// `UUID()` is slower, because it opens `/dev/urandom` for each id.
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
