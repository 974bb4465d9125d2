package import ChatCore
package import Foundation
package import WebServer

/// The form of times in answers of the callable functions.
package enum CallableTimestamps: String, CaseIterable, Sendable {
    /// `"2025-10-23T10:30:00.000Z"`.
    case iso
    /// `{"_seconds": 1761215400, "_nanoseconds": 0}`, as a Firestore timestamp is serialised.
    case firestore
    /// Milliseconds since 1970, a number.
    case millis
}

/// The settings of the HTTP server.
package struct HTTPAPISettings: Sendable, Equatable {
    /// The address to listen on.
    package var host: String
    /// The port to listen on; 0 lets the system choose.
    package var port: Int
    /// Whether to listen on the address at all; commands need only the local socket.
    package var servesTCP = true
    /// The path of the local socket for the operator's commands, at most 90 bytes; nil for none.
    package var unixSocketPath: String?
    /// The names by which clients may call the server over TCP, besides `host`, localhost and addresses; see
    /// ``BrowserGuard``.
    package var hosts: [String]
    /// The proxies before the server, whose `X-Forwarded-For` names the client.
    package var proxies: [IPNetwork] = []
    /// The address that people use, without a slash at its end, such as `https://chat.example.com`; nil if it is the
    /// address of the request.
    package var publicURL: String?
    /// The identification of callers; nil if every caller is trusted.
    package var authentication: AuthenticationSettings?
    /// The user of a trusted caller's request that names none.
    package var defaultUser: String?
    /// The origins whose pages may call from a browser, `*` for any; see ``CrossOrigin``.
    package var crossOrigins: [String]
    /// The form of times in callable functions.
    package var callableTimestamps: CallableTimestamps
    /// Makes links to messages that came without one; nil for none.
    package var messageLinks: MessageLinkTemplate?
    /// Whether the list of sources follows the text of answers to OpenAI's clients.
    package var listsSources: Bool
    /// The settings for events of Firestore.
    package var firestore: FirestoreSettings
    /// Limits of connections and sockets.
    package var connections = ConnectionSettings()
    /// The most time for an answer, streamed or not; clients of callable functions give up after 70 s.
    package var answerTimeout: Duration
    /// The interval of keep-alive signals in the stream of an answer.
    package var heartbeatInterval: Duration
    /// The time that a stopping server continues to accept requests while it reports that it is not ready.
    package var drainDuration: Duration
    /// The time that a graceful stop then waits for requests in progress.
    package var shutdownGrace: Duration
    /// The largest body of a request, except for posted messages.
    package var bodyByteLimit: Int
    /// The largest body of posted messages, single or in batches.
    package var messagesByteLimit: Int
    /// The most messages of one batch.
    package var batchLimit: Int
    /// The most requests of each user per minute; nil for no limit.
    package var requestsPerMinute: Int?
    /// The folder for histories that are being imported; nil if none are taken.
    package var importFolder: URL?
    /// The most bytes of such a history.
    package var importByteLimit = 1 << 30

    /// The defaults are for one team on one machine.
    package init(
        host: String = "127.0.0.1", port: Int = 8080, unixSocketPath: String? = nil, hosts: [String] = [],
        authentication: AuthenticationSettings? = nil,
        defaultUser: String? = nil, crossOrigins: [String] = [],
        callableTimestamps: CallableTimestamps = .iso, messageLinks: MessageLinkTemplate? = nil,
        listsSources: Bool = true, firestore: FirestoreSettings = FirestoreSettings(),
        answerTimeout: Duration = .seconds(58), heartbeatInterval: Duration = .seconds(15),
        drainDuration: Duration = .zero,
        shutdownGrace: Duration = .seconds(5),
        bodyByteLimit: Int = 256 * 1024, messagesByteLimit: Int = 8 * 1024 * 1024, batchLimit: Int = 1_000,
        requestsPerMinute: Int? = nil
    ) {
        self.host = host
        self.port = port
        self.unixSocketPath = unixSocketPath
        self.hosts = hosts
        self.authentication = authentication
        self.defaultUser = defaultUser
        self.crossOrigins = crossOrigins
        self.callableTimestamps = callableTimestamps
        self.messageLinks = messageLinks
        self.listsSources = listsSources
        self.firestore = firestore
        self.answerTimeout = answerTimeout
        self.heartbeatInterval = heartbeatInterval
        self.drainDuration = drainDuration
        self.shutdownGrace = shutdownGrace
        self.bodyByteLimit = bodyByteLimit
        self.messagesByteLimit = messagesByteLimit
        self.batchLimit = batchLimit
        self.requestsPerMinute = requestsPerMinute
    }
}
