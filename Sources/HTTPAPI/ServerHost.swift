public import ChatCore
public import Foundation

/// The process that a server runs in: what only it knows or can do.
public protocol ServerHost: Sendable {
    /// Reports whether the server can do its work.
    func readiness() async -> ReadinessReport

    /// Returns all metrics in Prometheus' text format.
    func metricsPage(isStopping: Bool) async -> String

    /// Performs an operator's command that came through the local socket.
    ///
    /// - Parameter command: The body as it came.
    /// - Returns: Lines of JSON without line ends; the work stops when nobody reads them any more.
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error>

    /// Returns one line on an error for the operator, who may know more than other callers; nil to say no more.
    func line(for error: any Error) -> String?

    /// Called once when all addresses are bound; `port` is 0 without a TCP address.
    func isListening(port: Int)
}

/// Whether the server can do its work, and what it looked at; the body of `GET /ready`.
public struct ReadinessReport: Codable, Hashable, Sendable {
    /// One thing that was looked at.
    public struct Check: Codable, Hashable, Sendable {
        /// A stable word, as `store` or `index`.
        public var name: String
        /// Whether it is as it should be.
        public var isReady: Bool
        /// One line for an operator, without secrets.
        public var detail: String?

        private enum CodingKeys: String, CodingKey {
            case name
            case isReady = "ready"
            case detail
        }

        public init(name: String, isReady: Bool, detail: String? = nil) {
            self.name = name
            self.isReady = isReady
            self.detail = detail
        }
    }

    /// Whether every check is as it should be.
    public var isReady: Bool { checks.allSatisfy(\.isReady) }
    /// What was looked at.
    public var checks: [Check]
    /// Stable words for what does not work although requests are served, as `embedding_unreachable`.
    public var notes: [String]
    /// How the embedding of every generation stands.
    public var embedding: [EmbeddingReport]

    public init(checks: [Check], notes: [String] = [], embedding: [EmbeddingReport] = []) {
        self.checks = checks
        self.notes = notes
        self.embedding = embedding
    }
}
