import ChatCore
import Connectors
import MessageStore
import UseCases

/// The connections to other chats, as an administrator manages them.
///
/// Credentials are settings: they never pass through the page, the API or the store.
struct Connections: Sendable {
    let store: SQLStore
    let connectors: [any Connector]
    let erasure: Erasure
    let now: @Sendable () -> Timestamp

    /// Returns the connections that can be made, those without settings too, by source.
    func all() async throws -> [ConnectionOverview] {
        var all: [ConnectionOverview] = []
        for source in UnconfiguredConnection.sources { all.append(try await overview(of: source)) }
        return all
    }

    /// Calls the server with the configured credentials.
    func test(_ source: String) async throws -> [ConnectionCheck] {
        guard let connector = connectors.first(where: { $0.source == source }) else {
            throw OperatorFailure(
                message: "there are no settings for \(try known(source)): see docs/connect-\(source).md")
        }
        return try await connector.test()
    }

    /// Pauses a connection, resumes it, or connects again what was disconnected.
    func set(_ source: String, isActive: Bool) async throws -> ConnectionOverview {
        try await store.setConnection(to: try known(source), isActive: isActive, at: now())
        return try await overview(of: source)
    }

    /// Leaves out a room, or takes it in again.
    func setRoom(_ room: String, of source: String, isLeftOut: Bool) async throws -> ConnectionOverview {
        guard try await store.setLeftOut(room, of: try known(source), isLeftOut, at: now()) else {
            throw OperatorFailure(message: "\(source) has no room \(room) that could be read; see nexus connections")
        }
        return try await overview(of: source)
    }

    /// Ends a connection, and erases everything that came from there: conversations with their messages, files and
    /// vectors, what was derived from them, and people who have nothing else here.
    ///
    /// From its beginning on the store refuses what connectors read on any node. If it ends early, the same call completes
    /// it.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - isConfirmed: Whether to erase; otherwise the content is only counted.
    ///   - emit: Gets the steps, then the searched bytes.
    /// - Returns: The counts, and whether some of the content was found again.
    /// - Throws: ``OperatorFailure``, ``RepositoryError``, `SnapshotError`, ``BackupError``.
    func disconnect(_ source: String, isConfirmed: Bool, emit: Emit) async throws -> ErasureReport {
        let source = try known(source)
        guard isConfirmed else {
            let conversations = try await store.connectedConversations(of: source)
            return ErasureReport(counts: try await erasure.counts(of: conversations.map { .conversation($0) }))
        }
        let conversations = try await store.beginDisconnecting(source, at: now())
        var steps = Erasure.Steps(total: 2 * conversations.count + 2)
        var removed = Erasure.Removed()
        try await erasure.remove(conversations.map { .conversation($0) }, from: &removed, &steps, emit: emit)
        let people = try await store.peopleOnly(of: source)
        steps.total += 2 * people.count
        try await erasure.remove(people.map { .user($0) }, from: &removed, &steps, emit: emit)
        try await store.removeRemains(of: source)
        let report = try await erasure.prove(removed, &steps, emit: emit)
        // Until then a kill leaves the connection as one that is to be disconnected again.
        try await store.endDisconnecting(source, at: now())
        return report
    }

    /// Ends the link of a person of a source; returns the remaining links.
    func endLink(of author: String, in source: String, _ links: PersonLinks) async throws -> [PersonLink] {
        guard try await links.end(author, in: try known(source)) else {
            throw OperatorFailure(
                message: "\(author) of \(source) is not joined with an account; see nexus connections links")
        }
        return try await links.links(of: nil)
    }

    private func overview(of source: String) async throws -> ConnectionOverview {
        if let connector = connectors.first(where: { $0.source == source }) { return try await connector.overview() }
        return try await UnconfiguredConnection(source: source).overview(in: store)
    }

    private func known(_ source: String) throws -> String {
        guard UnconfiguredConnection.sources.contains(source) else {
            let names = UnconfiguredConnection.sources.joined(separator: ", ")
            throw OperatorFailure(message: "no other chat has the name \(source): use one of \(names)")
        }
        return source
    }
}
