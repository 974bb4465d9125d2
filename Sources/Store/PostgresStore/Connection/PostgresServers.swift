import Dispatch
import MessageStore
import Synchronization

/// The servers of an address: connections lead to the one with the highest timeline that accepts writes.
package final class PostgresServers: Sendable {
    private struct State {
        /// The place of the server that was best at last, and its timeline.
        var best: (place: Int, origin: PostgresOrigin)?
    }

    private let servers: [PostgresAddress]
    private let state = Mutex(State())

    package init(_ address: PostgresAddress) { servers = address.servers }

    /// Opens a connection.
    ///
    /// - Throws: ``PostgresFailure`` of a server, if none of them accepts writes.
    package func connect() throws(PostgresFailure) -> LibpqConnection {
        guard servers.count > 1 else { return try LibpqConnection(servers[0]) }
        // The survey moves to a better one.
        if let best = state.withLock({ $0.best }), let link = try? LibpqConnection(servers[best.place]) { return link }
        return try newest()
    }

    /// Connects to all servers at the same time; see ``PostgresSurvey``.
    package func look(_ report: @Sendable (PostgresOrigin, _ isOnly: Bool) -> Void) {
        DispatchQueue.concurrentPerform(iterations: servers.count) { place in
            guard let link = try? LibpqConnection(servers[place]) else { return }
            remember(link.origin, at: place)
            report(link.origin, servers.count == 1)
            link.close()
        }
    }

    /// Connects to one server after another; returns the connection to the best one.
    private func newest() throws(PostgresFailure) -> LibpqConnection {
        var newest: LibpqConnection?
        var failures: [PostgresFailure] = []
        for place in servers.indices {
            do throws(PostgresFailure) {
                let link = try LibpqConnection(servers[place])
                remember(link.origin, at: place)
                if let known = newest, known.origin.timeline >= link.origin.timeline {
                    link.close()
                } else {
                    newest?.close()
                    newest = link
                }
            } catch {
                failures.append(error)
            }
        }
        if let newest { return newest }
        throw failures.first { $0.reason != nil } ?? failures.first ?? PostgresFailure(code: nil)
    }

    private func remember(_ origin: PostgresOrigin, at place: Int) {
        state.withLock { state in
            if let best = state.best, best.place != place, best.origin.timeline >= origin.timeline { return }
            state.best = (place, origin)
        }
    }
}
