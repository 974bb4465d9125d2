import ChatCore
package import Foundation
import MessageStore

/// The end of the change log as a node last saw it, and the newest servers that it has used.
///
/// A database can go back without a new timeline: an older copy of its folder is started, or two servers are recovered
/// from the same base backup. Each row of the log has a random mark, so a log that was written again differs in the
/// marks of the same numbers.
package struct LogMemory: Codable, Equatable, Sendable {
    /// A row of the log.
    package struct Mark: Codable, Equatable, Sendable {
        package let number: Int64
        /// 0 for a row from before rows had marks.
        let mark: Int64

        package init(number: Int64, mark: Int64) { (self.number, self.mark) = (number, mark) }
    }

    /// The state of a log that is compared with the memory.
    package struct State: Equatable, Sendable {
        /// The number that is stored as its epoch.
        let epoch: Int64
        let end: Mark
        /// Whether the epoch of the memory was replaced by another one.
        let knowsEnd: Bool
        /// Whether rows of the memory have other marks.
        let differs: Bool
        /// The highest timeline of the server that the database knows; 0 for none.
        let timeline: Int64

        package init(epoch: Int64, end: Mark, knowsEnd: Bool, differs: Bool, timeline: Int64) {
            (self.epoch, self.end, self.timeline) = (epoch, end, timeline)
            (self.knowsEnd, self.differs) = (knowsEnd, differs)
        }
    }

    /// Several marks, because an erasure removes rows of the log.
    private static let markLimit = 4
    private static let serverLimit = 16

    /// The server of the log; nil if there was none yet.
    private(set) var origin: PostgresOrigin?
    /// The number that was stored as the log's epoch.
    private(set) var epoch: Int64 = 0
    /// The last rows of the log, newest first.
    package private(set) var marks: [Mark] = []
    /// The highest timeline of each server that was used, newest first.
    private(set) var servers: [PostgresOrigin] = []

    package init() {}

    /// Returns the server with a higher timeline that was used; nil if there was none.
    package func newer(than origin: PostgresOrigin) -> PostgresOrigin? { servers.first { origin.isOlder(than: $0) } }

    /// Whether a log is not the continuation of the remembered one, though its epoch does not show it.
    package func isLost(in state: State, at server: PostgresOrigin) -> Bool {
        guard let origin, origin.system == server.system, server.timeline <= origin.timeline else { return false }
        guard state.epoch == epoch else { return !state.knowsEnd }
        return server.isOlder(than: origin) || state.end.number < marks.first?.number ?? 0 || state.differs
    }

    /// Notes the server that is used.
    package mutating func use(_ server: PostgresOrigin) {
        guard servers.first != server else { return }
        servers = Array(([server] + servers.filter { $0.system != server.system }).prefix(Self.serverLimit))
    }

    /// Notes the end of a log.
    package mutating func remember(_ state: State, of server: PostgresOrigin) {
        if server != origin || state.epoch != epoch { (origin, epoch, marks) = (server, state.epoch, []) }
        remember(state.end, of: server)
    }

    /// Notes a later row of the log.
    package mutating func remember(_ mark: Mark, of server: PostgresOrigin) {
        guard server == origin, mark.number > marks.first?.number ?? -1 else { return }
        marks = Array(([mark] + marks).prefix(Self.markLimit))
    }
}

/// The file of a ``LogMemory`` in the folder of a node.
package struct LogMemoryFile: Sendable {
    private static let byteLimit = 64 << 10

    private let url: URL

    package init(in folder: URL) { url = folder.appending(path: "log-memory.json") }

    /// Returns the content; an empty memory if there is none, or it cannot be read.
    package func read() -> LogMemory {
        guard let data = RegularFile.contents(url.path, byteLimit: Self.byteLimit) else { return LogMemory() }
        return (try? JSONDecoder().decode(LogMemory.self, from: data)) ?? LogMemory()
    }

    /// Stores the content; does nothing on a disk that cannot be written.
    package func write(_ memory: LogMemory) {
        guard let data = try? JSONEncoder().encode(memory) else { return }
        try? data.write(to: url, options: .atomic)
    }
}
