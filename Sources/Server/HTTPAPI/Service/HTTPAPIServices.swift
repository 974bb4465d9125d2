package import Accounts
package import Assistant
package import ChatCore
package import CoreMetrics
package import LiveChat
package import Logging
package import UseCases
package import WebPage
package import WebServer

/// The parts of the store that the HTTP server uses itself.
package typealias HTTPAPIStore = ConversationRepository & MessageRepository & EventIntake & TurnRepository
    & ThreadRepository & APIKeyRepository & ItemRepository & ChangeFeed & AuditLog

/// The parts that the HTTP server is built on.
package struct HTTPAPIServices: Sendable {
    /// The process that the server runs in.
    package var host: any ServerHost
    /// The store.
    package var store: any HTTPAPIStore
    /// The actions that people can take.
    package var useCases: UseCases
    /// Wakes the connections of the feed.
    package var feed: FeedHub
    /// The people who are connected now.
    package var people: LivePeople
    /// The live connections.
    package var live: LiveConnections
    /// The devices for push; nil if the server offers none.
    package var push: PushRegistry?
    /// The page for browsers; nil for none.
    package var page: WebPage?
    /// The accounts of people who sign in here; nil if the server has none.
    package var accounts: AccountService?
    /// Turns sign-in on while the server runs; nil if that is not possible.
    package var signIn: SignInSwitch?
    /// Whether a language model writes answers, summaries and suggestions.
    package var hasLanguageModel = true
    /// Returns people who are in conversations, by id, or one of them; at most `limit`.
    package var knownPeople: @Sendable (_ user: UserID?, _ limit: Int) async throws -> [IdentifiedPerson] = { _, _ in []
    }
    /// Links with people of other chats; without it nobody has any.
    package var links: PersonLinks?
    /// Tickets for sockets.
    package var tickets = FeedTickets()
    /// Keeps the sign-ins that browsers have begun with another service.
    package var oneTimeValues: any OneTimeValues = LocalOneTimeValues()
    /// Seals the cursors of searches and of other lists.
    package var cursorSeal = ClientSeal()
    /// Keeps responses for repeated requests.
    package var keptResponses: any KeptResponses = LocalKeptResponses()
    /// The buckets of limits that all nodes share.
    package var buckets: any SharedBuckets = LocalBuckets()
    /// Embeds texts for clients that ask for vectors: the configured embedder.
    package var embedder: any Embedder
    /// The most tokens of each user per day; nil for no limit.
    ///
    /// Embeddings that clients ask for count too.
    package var allowance: TokenAllowance?
    /// Fetches the keys that tokens are checked with.
    package var fetchKeys: KeyFetch
    /// Sends forms to the service with which people sign in.
    package var postForm: FormPost = { _, _, _ in throw CancellationError() }
    /// Takes the calls of a Matrix homeserver; nil for none.
    package var homeserver: HomeserverCalls?
    /// Takes the requests of Slack; nil for none.
    package var slackEvents: SlackEvents?
    /// Certificate and key of the TCP address; nil for plain HTTP.
    package var credentials: TLSCredentials?
    /// Decides who may open a socket at `GET /v1/socket` over TCP; nil if the server offers no sockets.
    package var socket: SocketAcceptance?
    /// Makes the metrics of requests.
    package var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// Whether spans of requests are written anywhere; if not, requests only pass on the trace that they came with.
    package var writesSpans = true
    /// The version of the program, for clients that ask which server this is.
    package var version = "unknown"
    /// The present time.
    package var now: @Sendable () -> Timestamp
    /// Makes the ids of messages, conversations and requests that came without one.
    package var makeID: @Sendable () -> String
    /// Logs requests: method, pattern of the path, status, duration, id; never a body.
    package var logger: Logger

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
        people = LivePeople(now: now) { live.countDropped($0) }
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
@Sendable package func randomID() -> String {
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
