import NexusClient
import NexusModel

/// Finds messages on this device, also without a connection.
@MainActor func tutorialSearch(_ words: String, in chat: TutorialChat) async throws -> [String] {
    try await chat.hub.session.searchStored(words).map { "\($0.message.senderName): \($0.message.text)" }
}

/// Call it when the system reports another network path.
@MainActor func tutorialNetworkChanged(_ chat: TutorialChat) async {
    await chat.hub.session.networkChanged()
}

/// Removes everything of the person from this device, and ends the session on the server.
@MainActor func tutorialSignOut(_ chat: TutorialChat) async throws {
    try await chat.hub.signOut()
}
