/// How times are written in answers of the callable functions.
public enum CallableTimestamps: String, CaseIterable, Sendable {
    /// `"2025-10-23T10:30:00.000Z"`.
    case iso
    /// `{"_seconds": 1761215400, "_nanoseconds": 0}`, as a Firestore timestamp is serialised.
    case firestore
    /// Milliseconds since 1970, a number.
    case millis
}

/// What an operator decides about the HTTP server.
public struct HTTPAPISettings: Sendable, Equatable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// Where to listen for the operator's commands too, a path of at most 90 bytes; nil for nowhere.
    public var unixSocketPath: String?
    /// How callers are told apart; nil where every caller is believed.
    public var authentication: AuthenticationSettings?
    /// Who asks when a caller who is believed does not say.
    public var defaultUser: String?
    /// How callable functions write times.
    public var callableTimestamps: CallableTimestamps
    /// How events of Firestore are taken in.
    public var firestore: FirestoreSettings
    /// After how long a connection without a request in work is closed.
    public var idleTimeout: Duration
    /// The longest that an answer may take, streamed or not; clients of callable functions give up after 70 s.
    public var answerTimeout: Duration
    /// How long a graceful stop waits for requests in work.
    public var shutdownGrace: Duration
    /// The largest body of a question or of any other request but messages.
    public var bodyByteLimit: Int
    /// The largest body of posted messages, single or in batches.
    public var messagesByteLimit: Int
    /// The most messages of one batch.
    public var batchLimit: Int
    /// The most connections at a time on each address.
    public var connectionLimit: Int

    /// Makes settings; the defaults are for one team on one machine.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, unixSocketPath: String? = nil,
        authentication: AuthenticationSettings? = nil,
        defaultUser: String? = nil,
        callableTimestamps: CallableTimestamps = .iso, firestore: FirestoreSettings = FirestoreSettings(),
        idleTimeout: Duration = .seconds(75),
        answerTimeout: Duration = .seconds(60), shutdownGrace: Duration = .seconds(5),
        bodyByteLimit: Int = 256 * 1024, messagesByteLimit: Int = 8 * 1024 * 1024, batchLimit: Int = 1_000,
        connectionLimit: Int = 1_024
    ) {
        self.host = host
        self.port = port
        self.unixSocketPath = unixSocketPath
        self.authentication = authentication
        self.defaultUser = defaultUser
        self.callableTimestamps = callableTimestamps
        self.firestore = firestore
        self.idleTimeout = idleTimeout
        self.answerTimeout = answerTimeout
        self.shutdownGrace = shutdownGrace
        self.bodyByteLimit = bodyByteLimit
        self.messagesByteLimit = messagesByteLimit
        self.batchLimit = batchLimit
        self.connectionLimit = connectionLimit
    }
}
