package import ChatCore
package import ServiceLifecycle

/// The part of a store that a connector uses.
package typealias ConnectorStore = ConnectionRepository & ConnectorRepository & ConversationRepository
    & MessageRepository

/// Keeps the rooms of one server of another chat, and answers there.
///
/// As a service it reads histories beside what is written now, and compares rooms and members from time to time. Every
/// connector keeps the same promises:
///
/// - Each message of the source is counted once: stored, applied, or left out with a reason.
/// - Edits and deletions arrive, also those of the time while Nexus or the source was away.
/// - People who leave a room read nothing of it any more, before the next message of the room is taken.
/// - A limit of the source is a wait with a time. A source that is away changes nothing that is stored.
/// - A file of a message comes after the message, or the message says why not; see ``ConnectorFileService``.
package protocol Connector: Service {
    /// The source of everything that comes from the server.
    var source: String { get }

    /// Forgets everything that is not in the store, as a process does that was killed.
    ///
    /// It is called while the service does not run.
    func forget()

    /// Looks for events that wait in the store; does nothing if the source keeps none there.
    func hear()

    /// Returns the rooms that Nexus is in, by their ids in the source.
    ///
    /// - Throws: ``RepositoryError``.
    func openRooms() async throws -> [String]

    /// Begins to fetch a file of a message.
    ///
    /// - Parameters:
    ///   - file: The file; its id is the ``Message/Attachment/remoteID`` that the connector gave it.
    ///   - limit: The most bytes.
    /// - Returns: The file.
    /// - Throws: ``ConnectorError``, ``FileError/tooLarge(limit:)``, `CancellationError`.
    func open(_ file: RemoteFile, limit: Int) async throws -> ArrivingRemoteFile

    /// Sends an answer of the assistant to the room in which it was asked, or removes what an earlier version of it left there.
    ///
    /// After a change no earlier text stays at the source, neither in the room nor in the history of a message.
    ///
    /// - Parameter answer: The present answer; a deleted one has no content.
    /// - Returns: Whether it is done; nil if its conversation is not a room of this source. A removal is repeated until it is.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    func deliver(_ answer: Message) async throws -> Bool?

    /// Returns what an operator reads about the connection and its rooms.
    ///
    /// - Throws: ``RepositoryError``.
    func overview() async throws -> ConnectionOverview

    /// Calls the server with each credential that is configured, and changes nothing.
    func test() async throws -> [ConnectionCheck]
}

extension Connector {
    package func hear() {}

    /// Returns lines about the server and about each room, for an operator.
    ///
    /// - Throws: ``RepositoryError``.
    package func report() async throws -> [String] { try await overview().lines }
}
