package import ChatCore
package import Foundation

/// The process that the server runs in, with its own information and commands.
package protocol ServerHost: Sendable {
    /// Reports whether the server can do its work.
    func readiness() async -> ReadinessReport

    /// Returns all metrics in Prometheus' text format.
    func metricsPage(isStopping: Bool) async -> String

    /// Performs an operator's command that came through the local socket.
    ///
    /// - Parameter command: The body of the request.
    /// - Returns: Lines of JSON without line ends; the work stops when the reader stops.
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error>

    /// Performs an operator's command that came from an administrator over the network.
    ///
    /// - Parameters:
    ///   - command: The body of the request.
    ///   - actor: The administrator, for the audit log.
    ///   - origin: The way that the request came.
    /// - Returns: As ``perform(_:)``.
    /// - Throws: ``AdministrationFault`` before anything is done.
    func administer(
        _ command: Data, by actor: AuditActor, from origin: AuditOrigin
    ) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error>

    /// Imports a history that an administrator sent.
    ///
    /// - Parameters:
    ///   - upload: The history; its file is removed when the lines have ended.
    ///   - actor: The administrator, for the audit log.
    ///   - origin: The way that the request came.
    /// - Returns: As ``perform(_:)``.
    func importHistory(
        _ upload: HistoryUpload, by actor: AuditActor, from origin: AuditOrigin
    ) -> AsyncThrowingStream<Data, any Error>

    /// Sends each configured model service a short request.
    func checkModels() async -> [ModelCheck]

    /// Returns one line about an error for the operator, who may see more than other callers; nil for no more detail.
    func line(for error: any Error) -> String?

    /// Called once when all addresses are bound; `port` is 0 without a TCP address.
    func isListening(port: Int)
}

/// Why a command over the network is refused.
package enum AdministrationFault: Error, Hashable, Sendable {
    /// It is not a command.
    case unknown
    /// It can only be given on this machine.
    case forbidden
}

/// A history that an administrator sent.
package struct HistoryUpload: Hashable, Sendable {
    /// The path of its file.
    package var path: String
    /// Whether it is only read.
    package var isDryRun: Bool
    /// The address of the Slack workspace, for links; nil if it is not known.
    package var workspaceURL: String?
    /// The IANA name of the zone of exports with local times; nil for UTC.
    package var timeZone: String?
    /// The order of ambiguous dates, one of ``dateOrders``; nil if the file must show it.
    package var dateOrder: String?
    /// Whether `channels.json` of a Slack export has open channels only.
    package var areChannelsOpen: Bool

    /// The orders of dates: day, month and year.
    package static let dateOrders = ["dmy", "mdy", "ymd"]

    package init(
        path: String, isDryRun: Bool, workspaceURL: String? = nil, timeZone: String? = nil, dateOrder: String? = nil,
        areChannelsOpen: Bool = false
    ) {
        self.path = path
        self.isDryRun = isDryRun
        self.workspaceURL = workspaceURL
        self.timeZone = timeZone
        self.dateOrder = dateOrder
        self.areChannelsOpen = areChannelsOpen
    }
}

/// Whether a model service answers.
package struct ModelCheck: Codable, Hashable, Sendable {
    /// `embedding`, `chat` or `rerank`.
    package var name: String
    /// Whether it answered as it should.
    package var isReady: Bool
    /// One line for an operator, without secrets.
    package var detail: String
    /// How long the answer took.
    package var milliseconds: Int

    package init(name: String, isReady: Bool, detail: String, milliseconds: Int) {
        self.name = name
        self.isReady = isReady
        self.detail = detail
        self.milliseconds = milliseconds
    }
}

/// Whether the server can do its work, with its checks; the body of `GET /ready`.
package struct ReadinessReport: Codable, Hashable, Sendable {
    /// The result of one check.
    package struct Check: Codable, Hashable, Sendable {
        /// A stable word, such as `store` or `index`.
        package var name: String
        /// Whether the check passed.
        package var isReady: Bool
        /// One line for an operator, without secrets.
        package var detail: String?

        private enum CodingKeys: String, CodingKey {
            case name
            case isReady = "ready"
            case detail
        }

        package init(name: String, isReady: Bool, detail: String? = nil) {
            self.name = name
            self.isReady = isReady
            self.detail = detail
        }
    }

    /// Whether every check passed.
    package var isReady: Bool { checks.allSatisfy(\.isReady) }
    /// The checks.
    package var checks: [Check]
    /// Stable words for problems that do not stop the service, such as `embedding_unreachable`.
    package var notes: [String]
    /// The embedding progress of every generation.
    package var embedding: [EmbeddingReport]

    package init(checks: [Check], notes: [String] = [], embedding: [EmbeddingReport] = []) {
        self.checks = checks
        self.notes = notes
        self.embedding = embedding
    }
}
