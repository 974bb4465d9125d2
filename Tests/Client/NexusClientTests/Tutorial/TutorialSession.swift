import Foundation
import NexusClient

/// A person who is signed in on this device.
@MainActor final class TutorialChat {
    let hub: SessionHub
    let connection: ConnectionModel

    init(
        server: String, user: String, over transport: any ClientTransport, in folder: URL,
        tokens: any TokenProvider
    ) async throws {
        let store = MessageStore(in: folder, server: server, user: user)
        let session = NexusSession(
            transport: transport, user: user, device: "tutorial", tokens: tokens, store: store)
        try await session.restore()
        hub = SessionHub(session)
        connection = await ConnectionModel(hub)
    }

    /// Stays connected until the task is cancelled, or the person is signed out.
    func run() async { await hub.run() }

    /// What to show above everything while the connection is away.
    var headline: String? { connection.sentence?.text }
}
