package import ChatCore
package import Logging
import ServiceLifecycle

/// Runs a connector, and the fetching of its files, while administrators let it read.
///
/// It follows decisions that any node writes to the store. After each one the connector begins again as after a start, so
/// that it compares everything that may have changed meanwhile.
package final class ConnectionService: Service {
    private let connector: any Connector
    private let files: ConnectorFileService
    private let store: any ConnectorStore
    private let logger: Logger
    /// Signalled when something may have been decided.
    private let decision = WorkSignal()

    /// - Parameters:
    ///   - connector: The connector.
    ///   - files: Fetches its files.
    ///   - store: The store.
    ///   - logger: Receives the beginning and the end of pauses.
    package init(
        connector: any Connector, files: ConnectorFileService, store: any ConnectorStore, logger: Logger
    ) {
        (self.connector, self.files, self.store, self.logger) = (connector, files, store, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await decision.repeating { error in
                logger.warning(
                    "The decision about a connection cannot be read", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await self.runUntilNextDecision()
                return nil
            }
        }
    }

    /// Passes on that messages, decisions or events may have arrived; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        files.follow(changes)
        guard changes?.contains(where: { $0.subject == .connections }) ?? true else { return }
        decision.signal()
        connector.hear()
    }

    /// Runs the connector until something else is decided; returns at once if it may not run.
    private func runUntilNextDecision() async throws {
        let present = try await store.connection(to: connector.source)
        connector.forget()
        guard present.state == .active else {
            logger.notice(
                "A connection does not read",
                metadata: ["connector": "\(connector.source)", "state": "\(present.state.rawValue)"])
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.connector.run() }
            group.addTask { try await self.files.run() }
            group.addTask { try await self.waitForOther(than: present) }
            try await group.next()
            group.cancelAll()
        }
        // What was decided has to be looked at.
        decision.signal()
    }

    private func waitForOther(than present: ConnectionDecision) async throws {
        var seen = decision.count
        while try await store.connection(to: connector.source) == present {
            try await decision.wait(after: seen)
            seen = decision.count
        }
    }
}
