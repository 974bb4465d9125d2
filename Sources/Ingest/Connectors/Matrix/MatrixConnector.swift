package import ChatCore
import Foundation
package import Logging
import ServiceLifecycle
import Synchronization
package import Transport

/// Keeps the rooms of a Matrix homeserver that the user of the application service is in.
///
/// Events arrive in transactions (``take(authorization:body:)``), and the history of each room is read beside them, from
/// its end to its beginning. Both go the same way into the store, where the state of a message that was read later wins.
/// Members are always read from the homeserver, never added up from events, because a homeserver may deliver old events
/// late. The room's events wait until its members are stored.
package final class MatrixConnector: Connector {
    let settings: MatrixSettings
    let store: any ConnectorStore
    let client: ConnectorClient
    /// The media repository of homeservers before version 1.11 of the specification.
    let oldMedia: ConnectorClient
    let rooms: ConnectorRooms<MatrixProgress>
    /// What it is doing.
    package let status = ConnectorStatus()
    let now: @Sendable () -> Timestamp
    let logger: Logger
    /// Signalled when there is history to read.
    let work = WorkSignal()
    let state = Mutex(State())

    /// What this process knows of the rooms.
    struct State {
        var names: [String: [String: String]] = [:]
        var parts: [String: MatrixPart] = [:]
        var spaces: Set<String> = []
        /// Deletions of events that were not known, by room: a page that was read at the same time may hold their text.
        var unknownDeletions: [String: Int] = [:]
        var comparedAt: Timestamp?
    }

    /// - Parameters:
    ///   - settings: The homeserver.
    ///   - store: The store.
    ///   - transport: Sends requests to the homeserver.
    ///   - now: The present time.
    ///   - sleep: Waits, as for a limit of the homeserver.
    ///   - logger: Receives failures; never texts.
    package init(
        settings: MatrixSettings, store: any ConnectorStore, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        (self.settings, self.store, self.now, self.logger) = (settings, store, now, logger)
        rooms = ConnectorRooms(source: MatrixSettings.source, store: store, now: now)
        let calls = { [status] (root: String) in
            ConnectorClient(
                root: settings.homeserver + root, token: settings.serviceToken, codeField: "errcode",
                transport: transport, status: status, now: now, sleep: sleep)
        }
        (client, oldMedia) = (calls("/_matrix/client"), calls("/_matrix/media"))
    }

    /// Reads history, and compares the rooms at its beginning and from time to time, until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await work.repeating { error in
                logger.warning("Matrix cannot be read", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await self.advance()
            }
        }
    }

    /// Compares the rooms if that is due, and reads all history that is left.
    ///
    /// - Returns: The time until it is to be called again.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func advance() async throws -> Duration? {
        do {
            let isDue = state.withLock { $0.comparedAt.map { now() - $0 >= settings.comparisonInterval } ?? true }
            if isDue { try await compareRooms() }
            while try await readHistories() {}
            return settings.comparisonInterval
        } catch ConnectorError.limited(let end) {
            status.wait(until: end)
            return max(.milliseconds(1), end - now())
        } catch let error as ConnectorError {
            logger.warning("The homeserver cannot be read", metadata: ["error": "\(error)"])
            return settings.retryPause
        }
    }

    /// Forgets everything that is not in the store.
    package func forget() {
        rooms.forget()
        state.withLock { $0 = State() }
    }

    func mapping(of room: String) -> MatrixMapping {
        state.withLock { MatrixMapping(settings: settings, names: $0.names[room] ?? [:], part: $0.parts[room]) }
    }
}
