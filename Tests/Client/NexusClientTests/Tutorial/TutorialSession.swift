import Foundation
import NexusClient

/// The server, as this device uses it.
func tutorialServer(_ address: String, over transport: any ClientTransport, in folder: URL) -> NexusServer {
    NexusServer(
        address, over: transport, device: "tutorial", folder: folder, credentials: FileCredentials(in: folder))
}

/// Signs in; the sentence of an error is for the person.
@MainActor func tutorialSignIn(_ user: String, password: String, on server: NexusServer) async throws -> TutorialChat {
    try await TutorialChat(try await NexusSession.signIn(user: user, password: password, on: server))
}

/// Signs in with tokens that the app gets elsewhere; the argument of `idToken` says whether it has to be a fresh one.
@MainActor func tutorialSignIn(
    on server: NexusServer, idToken: @escaping @Sendable (_ isFresh: Bool) async throws -> String
) async throws -> TutorialChat {
    let tokens = AppTokens { refused throws(TokenError) in
        do { return try await idToken(refused != nil) } catch { throw .unavailable }
    }
    return try await TutorialChat(try await NexusSession.signIn(token: tokens, on: server))
}

/// The person who signed in before; nil if the app has to show its sign-in.
@MainActor func tutorialResume(on server: NexusServer) async throws -> TutorialChat? {
    guard let session = try NexusSession.resume(on: server) else { return nil }
    return try await TutorialChat(session)
}

/// A person who is signed in on this device.
@MainActor final class TutorialChat {
    let hub: SessionHub
    let connection: ConnectionModel

    init(_ session: NexusSession) async throws {
        try await session.restore()
        hub = SessionHub(session)
        connection = await ConnectionModel(hub)
    }

    /// Stays connected until the task is cancelled, or the person is signed out; may run again.
    func run() async { await hub.run() }

    /// What to show above everything while the connection is away, and why the person is signed out.
    var headline: String? { connection.sentence?.text }
}
